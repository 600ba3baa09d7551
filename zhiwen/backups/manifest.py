"""The manifest of a backup: its store, date, row counts, and the SHA-256 of each part. Pure.

Its hash detects damage. Its signature, with the secret key of the installation, proves who wrote it.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
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
"""The key also signs cookies: with this, neither signature is valid for the other."""

_EVIDENCE: Final = re.compile(r"evidence/([0-9a-f]{2})/(\1[0-9a-f]{62})\.warc\.gz")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a backup."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """`rows`: number by table. `missing`, `damaged`: hashes in hex of evidence files that did not exist, or had
    changed, when the backup was made.
    """

    made_at: datetime
    program: str
    schema: str
    algorithm: int
    postgres: int
    """Major version of the server."""
    dumped_by: int
    """Major version of pg_dump; an older pg_restore cannot read the dump."""
    rows: Mapping[str, int]
    head: str | None
    """Head of the chain of evidence."""
    missing: tuple[str, ...]
    damaged: tuple[str, ...]
    left_out: tuple[str, ...]
    """Names of secret settings, which are not in the backup."""
    parts: Mapping[str, Part]
    signature: str = field(default="", compare=False)
    """HMAC-SHA256 in hex; empty in backups of earlier versions."""

    @property
    def size(self) -> int:
        """Total bytes of all parts."""
        return sum(part.bytes for part in self.parts.values())

    @property
    def evidence(self) -> dict[bytes, str]:
        """By digest: the name of the part, for each evidence file."""
        found = ((name, _EVIDENCE.fullmatch(name)) for name in self.parts)
        return {bytes.fromhex(match[2]): name for name, match in found if match}


def evidence_name(digest: bytes) -> str:
    """Name of the part for this evidence file; the same as its path in a home."""
    return f"evidence/{digest.hex()[:2]}/{digest.hex()}.warc.gz"


def signed(manifest: Manifest, key: str) -> Manifest:
    return replace(manifest, signature=_signature(manifest, key))


def is_signed(manifest: Manifest, key: str) -> bool:
    """True if an installation with this secret key wrote it."""
    return hmac.compare_digest(manifest.signature.encode(), _signature(manifest, key).encode())


def written(manifest: Manifest) -> bytes:
    """The manifest as JSON, with its hash."""
    said = _said(manifest) | {_SIGNATURE: manifest.signature}
    return (json.dumps(said | {_OWN_HASH: _hash(said)}, ensure_ascii=False, indent=1) + "\n").encode()


def _said(manifest: Manifest) -> dict[str, Any]:
    said = {"format": FORMAT, **asdict(manifest), "made_at": manifest.made_at.isoformat()}
    del said["signature"]
    return said | {"settings_left_out": said.pop("left_out")}


def read(data: bytes) -> Manifest:
    """Parses the output of `written`. Raises BackupFailed for anything else."""
    try:
        said = json.loads(data)
        if not isinstance(said, dict):
            raise TypeError
        if said.get("format") != FORMAT:
            raise BackupFailed(
                f"This backup has format {said.get('format')!r}, and this program reads {FORMAT}. Update the program."
            )
        if said.pop(_OWN_HASH) != _hash(said):
            raise BackupFailed(f"Its {NAME} was changed: its hash does not match. Use another backup.")
        return _manifest(said)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise BackupFailed(f"Its {NAME} cannot be read. Use another backup.") from error


def _manifest(said: Mapping[str, Any]) -> Manifest:
    parts = {str(name): Part(str(part["sha256"]), int(part["bytes"])) for name, part in said["parts"].items()}
    for name, part in parts.items():
        # Names become paths: only known ones are accepted.
        if not (name in (DATABASE, SETTINGS) or _EVIDENCE.fullmatch(name)) or not _HASH.fullmatch(part.sha256):
            raise BackupFailed(f"It lists a part that is not one of a backup: {name!r}.")
    if DATABASE not in parts:
        raise BackupFailed("It contains no database.")
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
