"""Files of an untrusted folder: only regular files inside it are read.

A link may lead to any file of this machine, and a pipe blocks its reader forever.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from crawler.importers.model import BadRecord
from crawler.outcomes.refusals import Refusal

_READING: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_KINDS: Final = (
    (stat.S_ISLNK, "a link, which is not followed"),
    (stat.S_ISDIR, "a folder, not a file"),
    (stat.S_ISFIFO, "a named pipe, not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
)


def entries_of(path: Path, *, below: Path | None = None) -> Iterator[Path]:
    """The entries of a folder and its folders, by name, links included; a file itself. Hidden ones are skipped.

    `below`: as of `opened`. A link to a folder is then an entry, and not walked.
    """
    if not path.is_dir() or (below is not None and path.is_symlink()):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = {name for name in folders if Path(folder, name).is_symlink()}
        shown = sorted(links.union(name for name in names if not name.startswith(".")))
        yield from (Path(folder, name) for name in shown)


def files_of(path: Path) -> Iterator[Path]:
    """The regular files among these; a path that is no folder, whatever it is."""
    return (entry for entry in entries_of(path) if entry == path or is_regular(entry))


def is_regular(file: Path) -> bool:
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except OSError:
        return False


def size_of(files: Iterable[Path]) -> int:
    """Bytes of those that are still there."""
    size = 0
    for file in files:
        with suppress(OSError):
            size += file.stat().st_size
    return size


def require_regular(file: Path) -> None:
    """Raises BadRecord if the path is no regular file, OSError if it is gone."""
    _require_regular(file.lstat().st_mode)


def opened(file: Path, *, below: Path | None) -> IO[bytes]:
    """A regular file for reading. Raises BadRecord if it is none, and OSError if it cannot be opened.

    `below`: the folder that was walked to find it. From there on no link is followed, even one that took a folder's
    place meanwhile. None: a person named the file, and may name a link.
    """
    number = os.open(file, _READING) if below is None else _opened_below(below, file)
    try:
        _require_regular(os.fstat(number).st_mode)
        os.set_blocking(number, True)
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def _opened_below(folder: Path, file: Path) -> int:
    *folders, name = file.relative_to(folder).parts
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for inner in folders:
            into = os.open(inner, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
            os.close(at)
            at = into
        # Asked first, since to open a socket or a device may fail with another word, or do something.
        _require_regular(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
        return os.open(name, _READING | os.O_NOFOLLOW, dir_fd=at)
    finally:
        os.close(at)


def _require_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((words for is_one, words in _KINDS if is_one(mode)), "a device, not a file")
        raise BadRecord(kind, Refusal.NOT_A_FILE)
