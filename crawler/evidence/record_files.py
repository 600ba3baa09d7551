"""The evidence folder: one file per record, named by the SHA-256 of its bytes. Written once, never changed.

Each folder has a name, which the entries of its files state: several machines on one database may have one each.
"""

import contextlib
import hashlib
import os
import platform
import re
import secrets
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

FOLDER: Final = "evidence"
SUFFIX: Final = ".warc.gz"
NAMES: Final = "names"
"""File in the folder with its name on the first line. Further lines: other folders whose files were moved into it."""
_UNSUITABLE: Final = re.compile(r"[^A-Za-z0-9-]+")
_MACHINE_CHARS: Final = 40
_DIGITS: Final = 2 * hashlib.sha256().digest_size


class EvidenceFolder:
    """Records under `home`/evidence. Files are on disk, not just in its cache, when `write` returns."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.path = home / FOLDER

    def name(self) -> str:
        """The folder's name, made when first asked for: machine and a random number. Raises OSError."""
        if not (names := self.names()):
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            machine = _UNSUITABLE.sub("-", platform.node().partition(".")[0])[:_MACHINE_CHARS]
            self._write_aside(self.path / NAMES, f"{machine}-{secrets.token_hex(3)}\n".encode(), replaces=False)
            names = self.names()
        return names[0]

    def names(self) -> tuple[str, ...]:
        """The folder's name and those of folders that it took over; empty before the first file."""
        try:
            return tuple((self.path / NAMES).read_text("utf-8").split())
        except FileNotFoundError:
            return ()

    def take_over(self, names: Iterable[str]) -> None:
        """Records that the files of other folders are now here: from now on, one that is absent is missing."""
        own = (self.name(), *self.names()[1:])
        whole = "".join(f"{name}\n" for name in dict.fromkeys((*own, *names)))
        self._write_aside(self.path / NAMES, whole.encode(), replaces=True)

    def file_of(self, digest: bytes) -> Path:
        name = digest.hex()
        return self.path / name[:2] / f"{name}{SUFFIX}"

    def write(self, data: bytes, digest: bytes) -> None:
        """Raises OSError, such as for a full disk; then nothing of the record is left under its name."""
        target = self.file_of(digest)
        if target.exists():
            return
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._write_aside(target, data, replaces=True)

    def _write_aside(self, target: Path, data: bytes, *, replaces: bool) -> None:
        """Writes the file under another name first. Without `replaces`, an existing file stays."""
        number, aside = tempfile.mkstemp(dir=target.parent, prefix=".")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if replaces:
                Path(aside).rename(target)
            else:
                with contextlib.suppress(FileExistsError):
                    target.hardlink_to(aside)
        finally:
            Path(aside).unlink(missing_ok=True)
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

    def has(self, digest: bytes) -> bool:
        return self.file_of(digest).exists()

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
