"""The embedded database: started on first use, shared by all processes, stopped when unused.

Any process may be killed at any time: the locks of a user or keeper are released, the server stops with its keeper, and
the next `ensure_running` recovers everything.
"""

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from storage.embedded.cluster import Cluster, delete_cluster, find_cluster, make_cluster
from storage.embedded.process import POLL_S, is_held, is_same_file, live_postmaster, lock, open_lock, opened_lock
from storage.embedded.start import START_LIMIT_S, ServerOptions, is_ready, server_url, start_server
from storage.errors import EmbeddedPostgresError, HomeUnusable

STOP_LIMIT_S = 90.0  # a fast shutdown, or the keeper's forced one after a minute

__all__ = ["ServerOptions", "ServerStatus", "delete", "ensure_running", "release", "status", "stop"]

# A process uses a server until it ends: these descriptors, by directory, have its share of the users' lock.
_uses: dict[Path, int] = {}


@dataclass(frozen=True, slots=True)
class ServerStatus:
    running: bool
    pid: int | None
    url: str | None
    data_directory: Path | None
    log_file: Path | None


def ensure_running(home: Path, *, options: ServerOptions | None = None) -> str:
    """Return the URL of the home's database, creating and starting it if necessary. This process counts as a user of it
    until it ends or calls `release`.

    Raises an EmbeddedPostgresError whose message says what to do.
    """
    cluster = make_cluster(home)
    _begin_use(cluster)
    if not is_ready(cluster):
        start_server(cluster, options or ServerOptions())
    return server_url(cluster)


def release(home: Path) -> None:
    """End this process's use of the server; a process forked from it still uses it."""
    cluster = find_cluster(home)
    if cluster is not None and cluster.directory in _uses:
        os.close(_uses.pop(cluster.directory))


def stop(home: Path) -> bool:
    """Stop the server even if it is in use. Return False if none was running. Data and settings stay."""
    cluster = find_cluster(home)
    if cluster is None:
        return False
    with opened_lock(cluster.start_lock) as start_lock:
        if not lock(start_lock, exclusive=True, limit_s=START_LIMIT_S):
            raise EmbeddedPostgresError(
                f"The database in {cluster.data} is being started by another process. Try again."
            )
        was_running = _stop_keeper(cluster)
        return _stop_orphan(cluster) or was_running


def delete(home: Path) -> None:
    """Stop the server and delete the database permanently."""
    stop(home)
    release(home)
    cluster = find_cluster(home)
    if cluster is not None:
        delete_cluster(cluster)


def status(home: Path) -> ServerStatus:
    cluster = find_cluster(home)
    if cluster is None:
        return ServerStatus(False, None, None, None, None)
    postmaster = live_postmaster(cluster.data)
    if postmaster is None or not is_ready(cluster):
        return ServerStatus(False, None, None, cluster.data, cluster.log)
    return ServerStatus(True, postmaster.pid, server_url(cluster), cluster.data, cluster.log)


def _begin_use(cluster: Cluster) -> None:
    held = _uses.get(cluster.directory)
    if held is not None and is_same_file(held, cluster.users_lock):
        return
    if held is not None:
        os.close(_uses.pop(cluster.directory))
    descriptor = _open_users_lock(cluster)
    # Only a keeper that is stopping the server can have the lock; then a new one is started.
    if not lock(descriptor, exclusive=False, limit_s=STOP_LIMIT_S):
        os.close(descriptor)
        raise EmbeddedPostgresError(
            f"The database in {cluster.data} has been shutting down for too long; see {cluster.log}."
        )
    _uses[cluster.directory] = descriptor


def _open_users_lock(cluster: Cluster) -> int:
    try:
        return open_lock(cluster.users_lock)
    except OSError as error:
        raise HomeUnusable(
            f"{cluster.directory} cannot be written ({error.strerror}). Give this user the right to write there, "
            f"or set ZHIWEN_HOME to another directory."
        ) from error


def _stop_keeper(cluster: Cluster) -> bool:
    if not is_held(cluster.keeper_lock):
        return False
    deadline = time.monotonic() + STOP_LIMIT_S
    asked = None
    while time.monotonic() < deadline:
        # Empty for a moment between a keeper's start and its first line.
        pid = cluster.keeper_lock.read_text().strip()
        if not is_held(cluster.keeper_lock):
            return True
        if pid and pid != asked:
            asked = pid
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGTERM)
        time.sleep(POLL_S)
    raise EmbeddedPostgresError(f"The database in {cluster.data} does not stop; see {cluster.log}.")


def _stop_orphan(cluster: Cluster) -> bool:
    """Stop a server whose keeper was killed; on Linux it is stopping by itself."""
    postmaster = live_postmaster(cluster.data)
    if postmaster is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(postmaster.pid, signal.SIGINT)
    deadline = time.monotonic() + STOP_LIMIT_S
    while time.monotonic() < deadline:
        if live_postmaster(cluster.data) is None:
            return True
        time.sleep(POLL_S)
    raise EmbeddedPostgresError(
        f"The database in {cluster.data} (process {postmaster.pid}) does not stop; see {cluster.log}."
    )
