"""Progress of a sweep: files shared by any number of processes on one machine.

A lock on the folder shows which sweep uses it; a lock on a byte of the list of blocks shows that a process works on
that block. The system releases both when a process ends, in whatever way, so that a killed one leaves nothing to clean
up.
"""

import fcntl
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import numpy as np

POLL_S: Final = 0.2
_LOCK: Final = "lock"
_STATE: Final = "state.json"
_BLOCKS: Final = "blocks"
_DONE: Final = b"\1"


class Busy(Exception):
    """Another process works on another sweep in the same folder."""


class Interrupted(Exception):
    """The caller requested a stop."""


class Blocks:
    """Parts of the work, each done by one process at a time."""

    def __init__(self, folder: Path) -> None:
        self._file = (folder / _BLOCKS).open("r+b", buffering=0)

    def next(self) -> int | None:
        """Claim and return a block that is neither done nor claimed by another process."""
        for number in np.flatnonzero(self._all() == 0).tolist():
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
            except OSError:
                continue
            # It may have been done since the list was read.
            if os.pread(self._file.fileno(), 1, number) != _DONE:
                return int(number)
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, number)
        return None

    def done(self, number: int) -> None:
        os.pwrite(self._file.fileno(), _DONE, number)
        os.fsync(self._file.fileno())
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, number)

    @property
    def count(self) -> int:
        return len(self._all())

    @property
    def finished(self) -> int:
        return int(self._all().sum())

    def close(self) -> None:
        self._file.close()

    def _all(self) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
        size = os.fstat(self._file.fileno()).st_size
        return np.frombuffer(os.pread(self._file.fileno(), size, 0), dtype=np.uint8)


@contextmanager
def sweep(
    folder: Path, identity: str, *, anew: bool, make: Callable[[Path], int], should_stop: Callable[[], bool]
) -> Iterator[Blocks]:
    """Return the blocks of an earlier sweep, or of a new one: `make` fills an empty folder and returns how many there
    are. When the last block is done, the folder is emptied.

    `identity` identifies the store and the parameters; a sweep begun under another one is discarded. Raises Busy if
    that sweep is running, and Interrupted.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / _LOCK).open("w") as lock:
        _enter(lock, folder, identity, anew=anew, make=make, should_stop=should_stop)
        blocks = Blocks(folder)
        try:
            yield blocks
            is_done = blocks.finished == blocks.count
        finally:
            blocks.close()
        if is_done and _locked(lock, fcntl.LOCK_EX):
            _empty(folder)


@contextmanager
def shared(
    folder: Path, identity: str, *, make: Callable[[Path], None], should_stop: Callable[[], bool]
) -> Iterator[None]:
    """Share the files in `folder` with other processes on this machine: the first has `make` fill the folder, the last
    empties it. Files that a killed process left are made again.

    Raises Busy if other processes use files of another `identity`, and Interrupted.
    """

    def filled(path: Path) -> int:
        make(path)
        return 1

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / _LOCK).open("w") as lock:
        _enter(lock, folder, identity, anew=False, kept=False, make=filled, should_stop=should_stop)
        try:
            yield
        finally:
            if _locked(lock, fcntl.LOCK_EX):
                _empty(folder)


def _enter(
    lock: IO[str],
    folder: Path,
    identity: str,
    *,
    anew: bool,
    make: Callable[[Path], int],
    should_stop: Callable[[], bool],
    kept: bool = True,
) -> None:
    while not should_stop():
        if _locked(lock, fcntl.LOCK_EX):
            # No other process is here.
            if anew or not kept or not _is_begun(folder, identity):
                _begin(folder, identity, make)
            fcntl.flock(lock, fcntl.LOCK_SH)
            return
        if _locked(lock, fcntl.LOCK_SH):
            if _is_begun(folder, identity) and not anew:
                return
            if (folder / _STATE).exists():
                raise Busy
            fcntl.flock(lock, fcntl.LOCK_UN)
        # Another process is making the files, or has just finished.
        time.sleep(POLL_S)
    raise Interrupted


def _begin(folder: Path, identity: str, make: Callable[[Path], int]) -> None:
    _empty(folder)
    count = make(folder)
    (folder / _BLOCKS).write_bytes(bytes(count))
    # Last, and atomically: the other files only count with it.
    written = folder / f"{_STATE}.new"
    written.write_text(json.dumps({"identity": identity}), "utf-8")
    written.replace(folder / _STATE)


def _is_begun(folder: Path, identity: str) -> bool:
    state = folder / _STATE
    if not state.exists() or json.loads(state.read_text("utf-8"))["identity"] != identity:
        return False
    return not all((folder / _BLOCKS).read_bytes())


def _empty(folder: Path) -> None:
    (folder / _STATE).unlink(missing_ok=True)
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != _LOCK:
            path.unlink()


def _locked(lock: IO[str], how: int) -> bool:
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
