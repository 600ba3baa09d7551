"""Writing of backups: a folder, or one tar file. It is written beside its place and then renamed, so that a backup with
a final name is complete.
"""

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import secrets
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Final, cast

from storage.errors import BackupFailed
from zhiwen.backups import manifest as backup_manifest
from zhiwen.backups.manifest import DATABASE, Manifest, Part, evidence_name

ONE_FILE: Final = ".tar"
CHUNK: Final = 1 << 20
PRIVATE: Final = 0o600
"""A backup contains password hashes, two-factor secrets and tokens of channels."""
_PARTIAL: Final = re.compile(r"\..+-[0-9a-f]{8}\.partial")


class Writer:
    """Writes into the folder `aside`. `earlier`: a backup whose unchanged evidence is shared by hard links."""

    def __init__(self, aside: Path, earlier: Path | None = None) -> None:
        self._aside = aside
        self._earlier = earlier
        self.parts: dict[str, Part] = {}

    @property
    def dump(self) -> Path:
        """The file for the dump of the database; `add_dump` makes it a part."""
        return self._aside / DATABASE

    def add_dump(self) -> None:
        self.dump.chmod(PRIVATE)
        with self.dump.open("rb") as source:
            self.parts[DATABASE] = copied(source, None)

    def add(self, name: str, source: IO[bytes], size: int) -> None:
        """Adds the first `size` bytes as a part."""
        target = self._aside / name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with new_private_file(target) as sink:
            self.parts[name] = copied(source, sink, size)

    def add_evidence(self, digest: bytes, file: Path) -> bool:
        """Adds a file of the evidence; returns False if it does not exist."""
        if self._linked(digest):
            return True
        try:
            with file.open("rb") as source:
                self.add(evidence_name(digest), source, os.fstat(source.fileno()).st_size)
        except FileNotFoundError:
            return False
        return True

    def finish(self, manifest: Manifest, target: Path) -> None:
        """Renames the backup to `target`. Raises BackupFailed if the name is taken by now."""
        with new_private_file(self._aside / backup_manifest.NAME) as sink:
            sink.write(backup_manifest.written(manifest))
        os.sync()  # all files are on disk before the final name exists
        try:
            self._aside.rename(target)
        except OSError as error:
            raise taken(target) if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR) else error from error

    def close(self) -> None:
        """Closes open files, finished or not."""

    def _linked(self, digest: bytes) -> bool:
        if self._earlier is None:
            return False
        name = evidence_name(digest)
        target = self._aside / name
        try:
            with (self._earlier / name).open("rb") as source:
                part = copied(source, None)
            if part.sha256 != digest.hex():
                return False
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.link(self._earlier / name, target)
        except OSError:
            return False  # missing, or a file system without hard links: it is copied instead
        self.parts[name] = part
        return True


class TarWriter(Writer):
    """Writes one file. The manifest comes last: a truncated file has none."""

    def __init__(self, aside: Path) -> None:
        super().__init__(aside)
        self._path = aside / "whole"
        self._file = new_private_file(self._path)
        self._tar = tarfile.open(fileobj=self._file, mode="w", format=tarfile.PAX_FORMAT)  # noqa: SIM115  # to `finish`

    def add_dump(self) -> None:
        with self.dump.open("rb") as source:
            self.add(DATABASE, source, os.fstat(source.fileno()).st_size)
        self.dump.unlink()

    def add(self, name: str, source: IO[bytes], size: int) -> None:
        reading = _Hashing(source)
        self._put(name, cast("IO[bytes]", reading), size)  # addfile only reads
        self.parts[name] = reading.part()

    def finish(self, manifest: Manifest, target: Path) -> None:
        data = backup_manifest.written(manifest)
        self._put(backup_manifest.NAME, BytesIO(data), len(data))
        self._tar.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        _name_file(self._path, target)
        shutil.rmtree(self._aside)

    def close(self) -> None:
        self._file.close()

    def _put(self, name: str, source: "IO[bytes]", size: int) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, PRIVATE
        self._tar.addfile(member, source)


class _Hashing:
    """Hashes the data that is read through it."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._hash = hashlib.sha256()
        self._bytes = 0

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        self._hash.update(data)
        self._bytes += len(data)
        return data

    def part(self) -> Part:
        return Part(self._hash.hexdigest(), self._bytes)


@contextmanager
def writing(target: Path, *, earlier: Path | None = None) -> Iterator[Writer]:
    """A writer for a backup at `target`: one file if its name ends in .tar, else a folder. An unfinished backup is
    deleted at the end of the block, and so are remains of killed ones beside it.

    Raises BackupFailed if `target` exists or cannot be written.
    """
    if os.path.lexists(target):
        raise taken(target)
    aside = target.with_name(f".{target.name}-{secrets.token_hex(4)}.partial")
    try:
        _sweep(target.parent)
        aside.mkdir(mode=0o700)
    except OSError as error:
        raise BackupFailed(f"{target.parent} cannot be written ({error.strerror}). Choose another place.") from error
    with _held(aside) as is_ours:
        if not is_ours:
            raise BackupFailed(f"Another backup to {target.parent} is running. Wait for it to end.")
        writer = TarWriter(aside) if target.suffix == ONE_FILE else Writer(aside, earlier)
        try:
            with contextlib.closing(writer):
                yield writer
        except OSError as error:
            raise BackupFailed(f"The backup could not be written: {error}. Nothing is left of it.") from error
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    _sync(target.parent)


def new_private_file(path: Path) -> IO[bytes]:
    """Creates a file that only its owner can read, whatever the umask. Raises FileExistsError."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE), "wb")


def taken(target: Path) -> BackupFailed:
    return BackupFailed(f"{target} exists already and is not overwritten. Choose another name.")


def copied(source: IO[bytes], sink: IO[bytes] | None, size: int | None = None) -> Part:
    """Copies to the end, or `size` bytes; without `sink`, only hashes. Raises OSError if the source is shorter."""
    reading = _Hashing(source)
    left = size
    while data := reading.read(CHUNK if left is None else min(left, CHUNK)):
        if sink is not None:
            sink.write(data)
        if left is not None:
            left -= len(data)
    if left:
        raise OSError(errno.EIO, "a file became shorter while it was read")
    return reading.part()


def _name_file(path: Path, target: Path) -> None:
    try:
        os.link(path, target)  # unlike rename, it does not overwrite
    except FileExistsError as error:
        raise taken(target) from error
    except OSError:
        # A file system without hard links.
        if target.exists():
            raise taken(target) from None
        path.rename(target)


def _sweep(folder: Path) -> None:
    """Deletes the remains of killed backups in the folder. A running one holds its lock."""
    for path in folder.iterdir():
        if _PARTIAL.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            with contextlib.suppress(FileNotFoundError), _held(path) as is_abandoned:
                if is_abandoned:
                    shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Tries to lock the folder; yields whether it succeeded. The lock ends with the process."""
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(number)


def _sync(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
