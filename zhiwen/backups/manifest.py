"""What a back-up says of itself: of which store, as it was when, and the SHA-256 of each of its parts. Pure.

Its own hash finds damage. Its signature, under the secret key of the installation, says who wrote it.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from storage.errors import BackupFailed

FORMAT: Final = 1
NAME: Final = "manifest.json"
DATABASE: Final = "database.dump"
SETTINGS: Final = "settings.toml"
_OWN_HASH: Final = "sha256"
_SIGNATURE: Final = "signature"
_PURPOSE: Final = b"zhiwen back-up manifest\n"
"""The key signs cookies too: neither signature can pass for the other."""

_EVIDENCE: Final = re.compile(r"evidence/([0-9a-f]{2})/(\1[0-9a-f]{62})\.warc\.gz")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a back-up."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """`rows`: by table, how many there were. `missing`, `damaged`: files of the evidence, by their hashes, that were
    not there when it was made, or not as they had been written.
    """

    made_at: datetime
    program: str
    schema: str
    algorithm: int
    postgres: int
    """Major version of the server that was backed up."""
    dumped_by: int
    """Major version of the program that wrote the dump; an older one cannot read it."""
    rows: Mapping[str, int]
    head: str | None
    """Of the evidence's chain."""
    missing: tuple[str, ...]
    damaged: tuple[str, ...]
    left_out: tuple[str, ...]
    """Settings that are secret and therefore not in it."""
    parts: Mapping[str, Part]
    signature: str = field(default="", compare=False)
    """HMAC-SHA256 in hex; empty in back-ups of earlier versions."""

    @property
    def size(self) -> int:
        """Bytes of all parts together."""
        return sum(part.bytes for part in self.parts.values())

    @property
    def evidence(self) -> dict[bytes, str]:
        """The parts that are files of the evidence: by digest, the name of the part."""
        found = ((name, _EVIDENCE.fullmatch(name)) for name in self.parts)
        return {bytes.fromhex(match[2]): name for name, match in found if match}


def evidence_name(digest: bytes) -> str:
    """What the part is called that holds this file of the evidence; the same as its path in a home."""
    return f"evidence/{digest.hex()[:2]}/{digest.hex()}.warc.gz"


def signed(manifest: Manifest, key: str) -> Manifest:
    return replace(manifest, signature=_signature(manifest, key))


def is_signed(manifest: Manifest, key: str) -> bool:
    """Whether an installation with this secret key wrote it."""
    return hmac.compare_digest(manifest.signature.encode(), _signature(manifest, key).encode())


def written(manifest: Manifest) -> bytes:
    """The manifest as it stands in the back-up, with its own hash."""
    said = _said(manifest) | {_SIGNATURE: manifest.signature}
    return (json.dumps(said | {_OWN_HASH: _hash(said)}, ensure_ascii=False, indent=1) + "\n").encode()


def _said(manifest: Manifest) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "made_at": manifest.made_at.isoformat(),
        "program": manifest.program,
        "schema": manifest.schema,
        "algorithm": manifest.algorithm,
        "postgres": manifest.postgres,
        "dumped_by": manifest.dumped_by,
        "rows": dict(manifest.rows),
        "head": manifest.head,
        "missing": list(manifest.missing),
        "damaged": list(manifest.damaged),
        "settings_left_out": list(manifest.left_out),
        "parts": {name: {"sha256": part.sha256, "bytes": part.bytes} for name, part in manifest.parts.items()},
    }


def read(data: bytes) -> Manifest:
    """Raises BackupFailed for anything but what `written` wrote."""
    try:
        said = json.loads(data)
        if not isinstance(said, dict):
            raise TypeError
        if said.get("format") != FORMAT:
            raise BackupFailed(
                f"This back-up has format {said.get('format')!r}, and this program reads {FORMAT}: update the program."
            )
        if said.pop(_OWN_HASH) != _hash(said):
            raise BackupFailed(f"Its {NAME} was changed: its hash is not that of its words.")
        return _manifest(said)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise BackupFailed(f"Its {NAME} cannot be read. Take another back-up.") from error


def _manifest(said: Mapping[str, Any]) -> Manifest:
    parts = {str(name): Part(str(part["sha256"]), int(part["bytes"])) for name, part in said["parts"].items()}
    for name, part in parts.items():
        # A name becomes a path: none but ours.
        if not (name in (DATABASE, SETTINGS) or _EVIDENCE.fullmatch(name)) or not _HASH.fullmatch(part.sha256):
            raise BackupFailed(f"It names a part that is none of a back-up: {name!r}.")
    if DATABASE not in parts:
        raise BackupFailed("It holds no database.")
    return Manifest(
        made_at=datetime.fromisoformat(said["made_at"]),
        program=str(said["program"]),
        schema=str(said["schema"]),
        algorithm=int(said["algorithm"]),
        postgres=int(said["postgres"]),
        dumped_by=int(said["dumped_by"]),
        rows={str(name): int(count) for name, count in said["rows"].items()},
        head=None if said["head"] is None else str(said["head"]),
        missing=tuple(map(str, said["missing"])),
        damaged=tuple(map(str, said["damaged"])),
        left_out=tuple(map(str, said["settings_left_out"])),
        parts=parts,
        signature=str(said.get(_SIGNATURE, "")),
    )


def _hash(said: Mapping[str, Any]) -> str:
    return hashlib.sha256(_one_spelling(said)).hexdigest()


def _signature(manifest: Manifest, key: str) -> str:
    return hmac.new(key.encode(), _PURPOSE + _one_spelling(_said(manifest)), hashlib.sha256).hexdigest()


def _one_spelling(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()
