"""Where the tests' Postgres has its data: in memory where there is room, else on the disk."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil

from storage.embedded import server
from storage.embedded.memory import LIMITS, memory_of

MEMORY: Final = Path("/dev/shm")  # noqa: S108  # only a folder with a new name is made there
ROOM_BYTES: Final = 4 << 30
"""Several times what all tests take at once."""


@contextlib.contextmanager
def shared_home(folder: Path, *, memory: Path = MEMORY, room_bytes: int = ROOM_BYTES) -> Iterator[Path]:
    """The home of one server for all processes that ask for it with this folder; whoever leaves it last deletes it.

    A test's database is seven hundred files. To make and delete them takes half the work in memory; on a file system
    without a journal, which looks through what was deleted in the last minutes for each file it makes, a tenth.
    """
    with (folder / "server.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        home = _found_or_made(folder, memory, room_bytes)
        yield home
        # Not blocking: while another process holds its share, the home is in use.
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            server.delete(home)
            shutil.rmtree(home.resolve())
            home.unlink(missing_ok=True)


def _found_or_made(folder: Path, memory: Path, room_bytes: int) -> Path:
    home = folder / "server"
    # Of processes that begin at once, one makes it.
    with (folder / "server.making").open("w") as making:
        fcntl.flock(making, fcntl.LOCK_EX)
        if not home.exists():
            home.unlink(missing_ok=True)  # a link to what was swept
            _sweep(memory)
            if _has_room(memory, room_bytes):
                home.symlink_to(_make_in(memory, folder / "server.lock"))
            else:
                home.mkdir()
    return home


def _has_room(memory: Path, room_bytes: int) -> bool:
    if not os.access(memory, os.W_OK | os.X_OK) or shutil.disk_usage(memory).free < room_bytes:
        return False
    # Files in memory are memory, also within a container's bounds; as much has to be left for the tests.
    return min(psutil.virtual_memory().available, memory_of(LIMITS)) >= 2 * room_bytes


def _make_in(memory: Path, lock: Path) -> Path:
    made = Path(tempfile.mkdtemp(prefix="zhiwen-tests-", dir=memory))
    (made / "lock").symlink_to(lock)
    made.chmod(0o711)  # root's server runs as another account, which has to pass
    return made


def _sweep(memory: Path) -> None:
    """Tests that were killed left theirs, and memory is not emptied before the next start of the machine."""
    for made in memory.glob("zhiwen-tests-*"):
        with contextlib.suppress(PermissionError):  # another user's
            if (made / "lock").is_symlink() and not _is_held(made / "lock"):
                shutil.rmtree(made, ignore_errors=True)


def _is_held(path: Path) -> bool:
    try:
        with path.open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:  # with the folder that it was in
        return False
    return False
