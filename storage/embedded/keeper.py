"""The keeper of the embedded Postgres: starts and restarts the server, and stops it when nobody uses it.

A small process of its own, so that the server does not outlive its users for long: they share a flock, which the kernel
releases even when they are killed with -9. The server in turn does not outlive its keeper. Standard library only:
`python -m storage.embedded.keeper --help`.
"""

import argparse
import ctypes
import hashlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from storage.embedded.memory import shared_buffers
from storage.embedded.process import (
    PORT,
    is_same_file,
    live_postmaster,
    lock,
    open_lock,
    open_private_log,
    unlock,
)

TICK_S = 0.25
SETTLED_S = 10.0  # a server that lived this long had started well: attempts are counted from zero again
ATTEMPTS = 5  # after a kill -9 the old server's children keep its shared memory for a moment
RETRY_S = 0.5
STOP_LIMIT_S = 60.0  # a fast shutdown writes a checkpoint
LOG_LIMIT_BYTES = 5 * 1024 * 1024
SMALL_SHARED_MEMORY_BYTES = 256 * 1024 * 1024
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>

SETTINGS = {
    "listen_addresses": "",  # only a socket in a private directory
    "port": str(PORT),
    "max_connections": "100",
    "maintenance_work_mem": "128MB",  # GIN is built in memory
    "max_wal_size": "2GB",  # a bulk import without a checkpoint every few seconds
    "checkpoint_timeout": "15min",
    "wal_compression": "pglz",  # the wheel has neither lz4 nor zstd
    "synchronous_commit": "on",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "logging_collector": "off",
}


@dataclass(frozen=True, slots=True)
class Order:
    """The arguments of the keeper."""

    directory: Path
    programs: Path
    log: Path
    uid: int
    gid: int
    grace_s: float
    fsync: str

    @property
    def data(self) -> Path:
        return self.directory / "data"

    @property
    def users_lock(self) -> Path:
        return self.directory / "users.lock"


def main() -> int:
    order = _parse(sys.argv[1:])
    keeper_lock = open_lock(order.directory / "keeper.lock")
    if not lock(keeper_lock, exclusive=True, limit_s=2.0):
        return 0  # another keeper was faster
    os.truncate(keeper_lock, 0)  # before anybody can read our predecessor's pid as ours
    if os.fork():
        return 0  # our parent can go on: the child has the lock
    signals = _listen_for_signals()
    os.pwrite(keeper_lock, f"{os.getpid()}\n".encode(), 0)
    sockets = _make_socket_directory(order)
    try:
        _stop_forgotten(order)
        _keep(order, sockets, signals)
    finally:
        shutil.rmtree(sockets, ignore_errors=True)
    return 0


def _listen_for_signals() -> int:
    """A descriptor that gets one byte per signal: an exception in a handler could occur between fork and exec."""
    readable, writable = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK) if sys.platform == "linux" else os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable)
    for wanted in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(wanted, lambda _signum, _frame: None)
    for unwanted in (signal.SIGHUP, signal.SIGINT):
        signal.signal(unwanted, signal.SIG_IGN)
    return readable


def _told_to_stop(signals: int, *, within_s: float) -> bool:
    """Wait until the time is over, the server ends (SIGCHLD), or a stop is requested (SIGTERM)."""
    readable, _, _ = select.select([signals], [], [], within_s)
    return bool(readable) and signal.SIGTERM in os.read(signals, 64)


def _keep(order: Order, sockets: Path, signals: int) -> None:
    """Keep the server running while it is used."""
    attempts_left = ATTEMPTS
    users_lock = open_lock(order.users_lock)
    while attempts_left and is_same_file(users_lock, order.users_lock):
        started_at = time.monotonic()
        server = _start(order, sockets)
        try:
            if _is_no_longer_wanted(order, server, users_lock, signals):
                return
        finally:
            _stop(server)
        attempts_left = ATTEMPTS if time.monotonic() - started_at > SETTLED_S else attempts_left - 1
        _say(f"the server ended by itself; {attempts_left} attempts left")
        if _told_to_stop(signals, within_s=RETRY_S):
            return


def _is_no_longer_wanted(order: Order, server: subprocess.Popen[bytes], users_lock: int, signals: int) -> bool:
    """Watch until nobody uses the server; False if it died. Then we have the users' lock, and nobody can start to."""
    used_at = time.monotonic()
    while server.poll() is None:
        if _told_to_stop(signals, within_s=TICK_S):
            return True
        _bound_log(order.log)
        if not is_same_file(users_lock, order.users_lock):
            _say("the directory of the database is gone: stopping the server")
            return True
        if not lock(users_lock, exclusive=True):
            used_at = time.monotonic()
        elif time.monotonic() - used_at >= order.grace_s:
            _say("nobody uses the server: stopping it")
            return True
        else:
            unlock(users_lock)
    return False


def _start(order: Order, sockets: Path) -> subprocess.Popen[bytes]:
    _drop_stale_pid_file(order.data)
    settings = SETTINGS | {
        "unix_socket_directories": str(sockets),
        "shared_buffers": f"{shared_buffers(order.data) // 1024}kB",
        "fsync": order.fsync,
        # Against pages torn by a power failure; without fsync the data are lost then in any case.
        "full_page_writes": order.fsync,
        **_shared_memory(),
    }
    command = [str(order.programs / "postgres"), "-D", str(order.data)]
    for name, value in settings.items():
        command += ["-c", f"{name}={value}"]
    as_root = os.geteuid() == 0
    return subprocess.Popen(  # noqa: S603  (our own program and settings)
        command,
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},  # PGPORT and similar variables must not reach the server
        stdin=subprocess.DEVNULL,
        # This process has one thread, so no lock can be held between fork and exec.
        preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
        user=order.uid if as_root else None,
        group=order.gid if as_root else None,
        extra_groups=[] if as_root else None,
    )


def _die_with_parent() -> None:
    """Have the kernel send the server SIGINT when the keeper is killed: a fast and clean shutdown."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def _stop(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is not None:
        return
    server.send_signal(signal.SIGINT)
    try:
        server.wait(STOP_LIMIT_S)
    except subprocess.TimeoutExpired:
        server.send_signal(signal.SIGQUIT)  # the next start recovers
        server.wait()


def _stop_forgotten(order: Order) -> None:
    """Stop a server whose keeper was killed without its noticing (only Linux signals that)."""
    signals = {0.0: signal.SIGINT, STOP_LIMIT_S: signal.SIGQUIT, STOP_LIMIT_S + 10: signal.SIGKILL}
    started_at = time.monotonic()
    while (postmaster := live_postmaster(order.data)) is not None:
        for after_s in [after_s for after_s in signals if time.monotonic() - started_at >= after_s]:
            os.kill(postmaster.pid, signals.pop(after_s))
        time.sleep(TICK_S / 5)


def _drop_stale_pid_file(data: Path) -> None:
    """Remove a stale pid file: Postgres refuses to start if its pid is alive, even as another program."""
    if live_postmaster(data) is None:
        (data / "postmaster.pid").unlink(missing_ok=True)


def _make_socket_directory(order: Order) -> Path:
    """Make a private directory with a short name: a socket path is limited to 107 bytes (103 on macOS)."""
    base = Path("/tmp") if os.access("/tmp", os.W_OK | os.X_OK) else Path(tempfile.gettempdir())  # noqa: S108
    key = hashlib.sha256(os.fsencode(order.data) + b"\0" + str(order.uid).encode()).hexdigest()[:12]
    sockets = base / f"zhiwen-{key}"
    try:
        sockets.mkdir(mode=0o700)
    except FileExistsError:
        found = sockets.lstat()
        is_ours = found.st_uid == order.uid and (found.st_mode & 0o170777) == 0o040700  # noqa: PLR2004  (a directory, private)
        if not is_ours:  # the name is taken: clients read the actual one from the server's pid file
            sockets = Path(tempfile.mkdtemp(prefix="zhiwen-", dir=base))
    os.chown(sockets, order.uid, order.gid)
    return sockets


def _shared_memory() -> dict[str, str]:
    """Return settings for small shared memory: a container often has 64 MB, too little for parallel queries."""
    try:
        found = os.statvfs("/dev/shm")  # noqa: S108  (for its size)
    except OSError:
        return {}
    if found.f_frsize * found.f_blocks >= SMALL_SHARED_MEMORY_BYTES:
        return {}
    return {"dynamic_shared_memory_type": "mmap"}


def _bound_log(log: Path) -> None:
    """Bound the log. Server and keeper append to one open file, so it is copied and truncated, never renamed."""
    try:
        if log.stat().st_size <= LOG_LIMIT_BYTES:
            return
        with log.open("rb") as source, open_private_log(log.with_name(f"{log.name}.1")) as former:
            os.truncate(former.fileno(), 0)
            shutil.copyfileobj(source, former)
        os.truncate(log, 0)
    except OSError:
        return  # the log is no reason to leave the server alone


def _say(message: str) -> None:
    now = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    print(f"{now} UTC [{os.getpid()}] KEEPER:  {message}", file=sys.stderr, flush=True)


def _parse(arguments: list[str]) -> Order:
    parser = argparse.ArgumentParser(prog="storage.embedded.keeper", description="Keeps the embedded Postgres.")
    parser.add_argument("--directory", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--uid", type=int, required=True)
    parser.add_argument("--gid", type=int, required=True)
    parser.add_argument("--grace-s", type=float, required=True)
    parser.add_argument("--fsync", choices=("on", "off"), required=True)
    return Order(**vars(parser.parse_args(arguments)))


if __name__ == "__main__":
    sys.exit(main())
