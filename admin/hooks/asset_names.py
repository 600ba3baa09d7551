"""Names of static files with a part of their hash: a browser may keep such a file for ever, since a changed file has
another name.
"""

import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, request

from admin.identity.current_user import ASSET_ENDPOINTS

FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
HASH_CHARS: Final = 12
"""Of the SHA-256 in hexadecimal: 48 bits, for some dozen files."""
MOST_FILES: Final = 256
_OK: Final = (200, 206, 304)

_HASHED: Final = re.compile(rf"^(?P<stem>.+)\.(?P<digest>[0-9a-f]{{{HASH_CHARS}}})(?P<suffix>\.\w+)$")


def init_app(app: Flask) -> None:
    """Names in URLs get their hash, and requests for them lose it before the file is looked up."""
    folders: dict[str, Path] = {}

    def folder_of(endpoint: str) -> Path | None:
        if endpoint not in folders:
            owner = app if "." not in endpoint else app.blueprints.get(endpoint.partition(".")[0])
            if owner is None or owner.static_folder is None:
                return None
            folders[endpoint] = Path(owner.static_folder)
        return folders[endpoint]

    @app.url_defaults
    def add_hash(endpoint: str, values: dict[str, Any]) -> None:
        folder = folder_of(endpoint) if endpoint in ASSET_ENDPOINTS else None
        if folder is not None and "filename" in values:
            values["filename"] = hashed_name(folder, values["filename"])

    @app.url_value_preprocessor
    def take_hash_off(endpoint: str | None, values: dict[str, Any] | None) -> None:
        if endpoint in ASSET_ENDPOINTS and values is not None and "filename" in values:
            values["filename"] = plain_name(values["filename"])

    @app.after_request
    def keep_for_ever(response: Response) -> Response:
        endpoint = request.endpoint or ""
        folder = folder_of(endpoint) if endpoint in ASSET_ENDPOINTS else None
        if folder is not None and response.status_code in _OK:
            is_current = request.path.endswith("/" + hashed_name(folder, (request.view_args or {})["filename"]))
            # An old name, from a page that was open while the program was updated, must not hold the new file.
            response.headers["Cache-Control"] = FOR_EVER if is_current else ASK_AGAIN
        return response


def hashed_name(folder: Path, name: str) -> str:
    """`name` with the hash of its content before its last suffix; unchanged if there is no such file."""
    try:
        at = (folder / name).stat().st_mtime_ns
        digest = _digest(folder / name, at)
    except OSError:
        return name
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}.{digest}.{suffix}" if dot else name


def plain_name(name: str) -> str:
    """The inverse; a name without a hash stays as it is."""
    found = _HASHED.match(name)
    return name if found is None else found["stem"] + found["suffix"]


@lru_cache(maxsize=MOST_FILES)
def _digest(path: Path, _at: int) -> str:
    """`_at`: when the file was changed, so that a changed file is read again."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:HASH_CHARS]
