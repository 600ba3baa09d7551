"""Reading of backups: no part is used before its SHA-256 was compared with that of the manifest."""

import tarfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from storage.errors import BackupFailed, BackupInterrupted
from zhiwen.backups import manifest as backup_manifest
from zhiwen.backups.archive_writer import copied, new_private_file
from zhiwen.backups.manifest import Manifest
from zhiwen.output.progress import StepProgress

LARGEST_MANIFEST: Final = 1 << 28
"""Bytes; enough for some million evidence files."""
PIECE: Final = 1 << 20


class Reader(ABC):
    """An opened backup."""

    manifest: Manifest

    @abstractmethod
    def open(self, name: str) -> IO[bytes]:
        """Opens a part at its beginning. Raises BackupFailed if it is missing."""

    @abstractmethod
    def file(self, name: str, aside: Path) -> Path:
        """The part as a file; extracted into the folder `aside` if necessary."""

    def check(self, *, progress: StepProgress, should_stop: Callable[[], bool]) -> None:
        """Reads every part. Raises BackupFailed for the first one that differs from the manifest, and
        BackupInterrupted.
        """
        for number, (name, part) in enumerate(self.manifest.parts.items(), 1):
            if should_stop():
                raise BackupInterrupted
            try:
                with self.open(name) as source:
                    found = copied(source, None)
            except (OSError, tarfile.TarError) as error:
                raise BackupFailed(f"{name} in the backup cannot be read: {error}. Use another backup.") from error
            if found != part:
                raise BackupFailed(
                    f"{name} in the backup was changed: its SHA-256 is {found.sha256} instead of {part.sha256}. "
                    f"Use another backup."
                )
            progress("parts checked", number, len(self.manifest.parts))


class _Folder(Reader):
    def __init__(self, path: Path) -> None:
        self._path = path
        with self.open(backup_manifest.NAME) as file:
            self.manifest = _manifest(file)

    def open(self, name: str) -> IO[bytes]:
        path = self._path / name
        if path.is_symlink() or not path.is_file():
            raise BackupFailed(f"{self._path} is not a complete backup: the file {name} is missing.")
        return path.open("rb")

    def file(self, name: str, aside: Path) -> Path:
        return self._path / name


class _Tar(Reader):
    def __init__(self, path: Path, tar: tarfile.TarFile) -> None:
        self._path = path
        self._tar = tar
        # All members are listed first: of two parts with one name, the manifest could mean either.
        self._members: dict[str, tarfile.TarInfo] = {}
        for member in tar:
            if member.name in self._members or not member.isreg():
                raise BackupFailed(
                    f"{path} is not a backup of Zhiwen: {member.name!r} is in it twice, or is not a file."
                )
            self._members[member.name] = member
        with self.open(backup_manifest.NAME) as file:
            self.manifest = _manifest(file)

    def open(self, name: str) -> IO[bytes]:
        member = self._members.get(name)
        file = None if member is None else self._tar.extractfile(member)
        if file is None:
            raise BackupFailed(f"{self._path} is not a complete backup: {name} is missing. It may be truncated.")
        return file

    def file(self, name: str, aside: Path) -> Path:
        target = aside / name
        with self.open(name) as source, new_private_file(target) as sink:
            copied(source, sink)
        return target


def _manifest(file: IO[bytes]) -> Manifest:
    """Reads piece by piece: one read would allocate whatever size the archive claims."""
    pieces, size = [], 0
    while piece := file.read(PIECE):
        size += len(piece)
        if size > LARGEST_MANIFEST:
            raise BackupFailed(f"Its {backup_manifest.NAME} is too large. It is not a backup of Zhiwen.")
        pieces.append(piece)
    return backup_manifest.read(b"".join(pieces))


def counting(words: str, what: str, whole: int, progress: StepProgress) -> Callable[[str], None]:
    """A function that counts the printed lines that contain `words`, and reports the count as `what` to `progress`."""
    done = 0

    def watch(line: str) -> None:
        nonlocal done
        if words in line:
            done = min(done + 1, whole)
            progress(what, done, whole)

    return watch


@contextmanager
def opened(path: Path) -> Iterator[Reader]:
    """Opens a backup in a folder or a tar file and reads its manifest. Raises BackupFailed."""
    try:
        if path.is_dir():
            yield _Folder(path)
            return
        with tarfile.open(path, mode="r:") as tar:
            yield _Tar(path, tar)
    except FileNotFoundError as error:
        raise BackupFailed(f"There is no backup {path}.") from error
    except tarfile.TarError as error:
        raise BackupFailed(f"{path} is not a complete backup: {error}. It may be truncated.") from error
    except OSError as error:
        raise BackupFailed(f"{path} cannot be read: {error}.") from error
