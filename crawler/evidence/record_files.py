"""The evidence folder: one file per record, named by the SHA-256 of its bytes. Written once, never changed."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FOLDER: Final = "evidence"
SUFFIX: Final = ".warc.gz"
_DIGITS: Final = 2 * hashlib.sha256().digest_size


class EvidenceFolder:
    """Records under `home`/evidence. Files are on disk, not just in its cache, when `write` returns."""

    def __init__(self, home: Path) -> None:
        self.path = home / FOLDER

    def file_of(self, digest: bytes) -> Path:
        name = digest.hex()
        return self.path / name[:2] / f"{name}{SUFFIX}"

    def write(self, data: bytes, digest: bytes) -> None:
        """Raises OSError, such as for a full disk; then nothing of the record is left under its name."""
        target = self.file_of(digest)
        if target.exists():
            return
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, aside = tempfile.mkstemp(dir=target.parent, prefix=".")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(aside).rename(target)
        except OSError:
            Path(aside).unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)

    def read(self, digest: bytes) -> bytes | None:
        """The record's bytes; None if there is no such file."""
        try:
            return self.file_of(digest).read_bytes()
        except FileNotFoundError:
            return None

    def actual_digest(self, digest: bytes) -> bytes | None:
        """The SHA-256 of the file's bytes; None if there is no such file."""
        try:
            with self.file_of(digest).open("rb") as file:
                return hashlib.file_digest(file, "sha256").digest()
        except FileNotFoundError:
            return None

    def size(self, digest: bytes) -> int:
        """Bytes of the record; 0 if there is no such file."""
        try:
            return self.file_of(digest).stat().st_size
        except FileNotFoundError:
            return 0

    def whole_size(self) -> int:
        """Bytes of all records in the folder together."""
        return sum(map(self.size, self.digests()))

    def remove(self, digest: bytes) -> None:
        self.file_of(digest).unlink(missing_ok=True)

    def digests(self) -> Iterator[bytes]:
        """Of all records in the folder, by their names."""
        for file in sorted(self.path.glob(f"??/*{SUFFIX}")):
            name = file.name.removesuffix(SUFFIX)
            if len(name) == _DIGITS and set(name) <= set("0123456789abcdef"):
                yield bytes.fromhex(name)


def _sync_folder(folder: Path) -> None:
    """Syncs the folder: the file's name has to survive a power cut, too."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
