"""A back-up that is read: none of its parts is believed before its SHA-256 was compared with the manifest's."""

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

Tell = Callable[[str, int, int], None]
"""Takes what is done, how much of it is done, and how much there is."""

LARGEST_MANIFEST: Final = 1 << 28
"""Of some million files of evidence."""
PIECE: Final = 1 << 20


class Reader(ABC):
    """An opened back-up."""

    manifest: Manifest

    @abstractmethod
    def open(self, name: str) -> IO[bytes]:
        """A part from its beginning. Raises BackupFailed where it is not there."""

    @abstractmethod
    def file(self, name: str, aside: Path) -> Path:
        """The part as a file of its own, written into the folder `aside` if it is none yet."""

    def check(self, *, tell: Tell, should_stop: Callable[[], bool]) -> None:
        """Reads every part. Raises BackupFailed for the first that is not as the manifest says."""
        for number, (name, part) in enumerate(self.manifest.parts.items(), 1):
            if should_stop():
                raise BackupInterrupted
            try:
                with self.open(name) as source:
                    found = copied(source, None)
            except (OSError, tarfile.TarError) as error:
                raise BackupFailed(f"{name} in the back-up cannot be read: {error}. Take another back-up.") from error
            if found != part:
                raise BackupFailed(
                    f"{name} in the back-up is not what was written: its SHA-256 is {found.sha256}, and was "
                    f"{part.sha256}. Take another back-up."
                )
            tell("parts checked", number, len(self.manifest.parts))


class _Folder(Reader):
    def __init__(self, path: Path) -> None:
        self._path = path
        with self.open(backup_manifest.NAME) as file:
            self.manifest = _manifest(file)

    def open(self, name: str) -> IO[bytes]:
        path = self._path / name
        if path.is_symlink() or not path.is_file():
            raise BackupFailed(f"{self._path} is no whole back-up: it has no file {name}.")
        return path.open("rb")

    def file(self, name: str, aside: Path) -> Path:
        return self._path / name


class _Tar(Reader):
    def __init__(self, path: Path, tar: tarfile.TarFile) -> None:
        self._path = path
        self._tar = tar
        # Read to the end once: of two parts with one name the manifest could mean either.
        self._members: dict[str, tarfile.TarInfo] = {}
        for member in tar:
            if member.name in self._members or not member.isreg():
                raise BackupFailed(f"{path} is no back-up of ours: {member.name!r} stands in it twice, or is no file.")
            self._members[member.name] = member
        with self.open(backup_manifest.NAME) as file:
            self.manifest = _manifest(file)

    def open(self, name: str) -> IO[bytes]:
        member = self._members.get(name)
        file = None if member is None else self._tar.extractfile(member)
        if file is None:
            raise BackupFailed(f"{self._path} is no whole back-up: it has no {name}. It may have been cut off.")
        return file

    def file(self, name: str, aside: Path) -> Path:
        target = aside / name
        with self.open(name) as source, new_private_file(target) as sink:
            copied(source, sink)
        return target


def _manifest(file: IO[bytes]) -> Manifest:
    """Read piece by piece: of a part that says that it is large, room for all of it would be made at once."""
    pieces, size = [], 0
    while piece := file.read(PIECE):
        size += len(piece)
        if size > LARGEST_MANIFEST:
            raise BackupFailed(f"Its {backup_manifest.NAME} is larger than any of ours. It is no back-up of ours.")
        pieces.append(piece)
    return backup_manifest.read(b"".join(pieces))


def counting(words: str, what: str, whole: int, tell: Tell) -> Callable[[str], None]:
    """Takes the lines that a program writes, and tells how many held these words."""
    done = 0

    def watch(line: str) -> None:
        nonlocal done
        if words in line:
            done = min(done + 1, whole)
            tell(what, done, whole)

    return watch


@contextmanager
def opened(path: Path) -> Iterator[Reader]:
    """A back-up in a folder or a tar file, with its manifest read. Raises BackupFailed."""
    try:
        if path.is_dir():
            yield _Folder(path)
            return
        with tarfile.open(path, mode="r:") as tar:
            yield _Tar(path, tar)
    except FileNotFoundError as error:
        raise BackupFailed(f"There is no back-up {path}.") from error
    except tarfile.TarError as error:
        raise BackupFailed(f"{path} is no whole back-up: {error}. It may have been cut off.") from error
    except OSError as error:
        raise BackupFailed(f"{path} cannot be read: {error}.") from error
