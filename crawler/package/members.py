"""Members of a package: what may be in one, and how much. Pure."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MOST_MEMBERS: Final = 20_000
MOST_NAME_CHARS: Final = 200
MOST_BYTES: Final = 4_000_000_000
"""Of a whole package. More would need the 64-bit fields of the zip format."""

DATAPACKAGE: Final = "datapackage.json"
DIGEST: Final = "datapackage-digest.json"
MOST_MANIFEST_BYTES: Final = 16_000_000
"""Of datapackage.json: some 200 bytes a member."""

_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*){0,3}")


@dataclass(frozen=True, slots=True)
class Member:
    """A file of the package. `content`: its bytes, or the path of a file with them."""

    name: str
    content: bytes | Path


def is_sound(name: str) -> bool:
    """Whether a name can be unpacked anywhere: ASCII letters and digits, relative, no dots at the start of a part."""
    return len(name) <= MOST_NAME_CHARS and _NAME.fullmatch(name) is not None
