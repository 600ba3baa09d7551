"""Functions shared by the keeper of the embedded Postgres and its clients; standard library only.

Locks are flocks: the kernel releases them when their holder dies, in whatever way.
"""

import contextlib
import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PORT = 5432
POLL_S = 0.05
PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class Postmaster:
    """The content of `postmaster.pid`; the file outlives a killed server."""

    pid: int
    socket_directory: Path | None


def read_postmaster(data: Path) -> Postmaster | None:
    """Return the server recorded for this data directory, dead or alive; None without a record."""
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        pid = int(lines[0])
    except (OSError, IndexError, ValueError):
        return None
    # Line 5 is the socket directory; a starting server has not written it yet.
    socket_directory = lines[4].strip() if len(lines) > 4 else ""  # noqa: PLR2004  (the line's number, see above)
    return Postmaster(pid, Path(socket_directory) if socket_directory else None)


def live_postmaster(data: Path) -> Postmaster | None:
    """Return the server of this data directory if the pid in its file is alive and still its own."""
    postmaster = read_postmaster(data)
    if postmaster is None or not _is_postgres_of(postmaster.pid, data):
        return None
    return postmaster


def _is_postgres_of(pid: int, data: Path) -> bool:
    if sys.platform != "linux":
        return _command_names(_ps_command(pid), data)
    process = Path(f"/proc/{pid}")
    try:
        if (process / "comm").read_text().strip() != "postgres":
            return False
        # A postmaster's working directory is its data directory.
        return (process / "cwd").samefile(data)
    except PermissionError:
        # A container's root may not inspect another account's process; its command line is open to all.
        with contextlib.suppress(OSError):
            return _command_names((process / "cmdline").read_bytes().replace(b"\0", b" "), data)
        return False
    except OSError:
        return False


def _ps_command(pid: int) -> bytes:
    command = ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)]
    return subprocess.run(command, check=False, capture_output=True).stdout  # noqa: S603  (fixed program, a number)


def _command_names(command: bytes, data: Path) -> bool:
    return b"postgres" in command and os.fsencode(data) in command


def open_lock(path: Path) -> int:
    """Return a descriptor for locking; not inherited by child processes, or they would keep the lock."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)


def open_private_log(path: Path) -> IO[bytes]:
    """Open a log for appending, readable for its owner only, since it has failing statements and their values."""
    number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    os.fchmod(number, PRIVATE)  # a file of an earlier version
    return os.fdopen(number, "ab")


def lock(descriptor: int, *, exclusive: bool, limit_s: float = 0.0) -> bool:
    """Take the lock, retrying until the limit; False if another process kept it."""
    kind = (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB
    deadline = time.monotonic() + limit_s
    while True:
        try:
            fcntl.flock(descriptor, kind)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(POLL_S)
        else:
            return True


def unlock(descriptor: int) -> None:
    fcntl.flock(descriptor, fcntl.LOCK_UN)


def is_held(path: Path) -> bool:
    """Return whether a living process holds the lock exclusively."""
    if not path.exists():
        return False
    with opened_lock(path) as descriptor:
        return not lock(descriptor, exclusive=False)


def is_same_file(descriptor: int, path: Path) -> bool:
    """Return whether the descriptor is still the file of that name: the directory may have been replaced."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def opened_lock(path: Path) -> Iterator[int]:
    descriptor = open_lock(path)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
