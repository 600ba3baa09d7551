"""Postgres as Debian packages it, of another major version than the built-in one: a cluster of its own for a test."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from storage.engine import OLDEST_MAJOR
from tests.support.processes.postgres_home import MEMORY, ROOM_BYTES

BIN: Final = Path(f"/usr/lib/postgresql/{OLDEST_MAJOR}/bin")
USER: Final = "postgres"
"""Whom Postgres runs as if the tests run as root."""
needed: Final = pytest.mark.skipif(
    not (BIN / "initdb").exists(), reason=f"needs Postgres {OLDEST_MAJOR}: apt-get install postgresql-{OLDEST_MAJOR}"
)
_INITDB: Final = ("--username", "zhiwen", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C.UTF-8")
_OPTIONS: Final = ("listen_addresses=", "fsync=off", "max_connections=100", "shared_buffers=64MB")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A server that listens at a socket in its own folder."""

    folder: Path

    @property
    def url(self) -> str:
        return f"postgresql://zhiwen@/postgres?host={self.folder}"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start(self, *more: str) -> None:
        """`more`: further settings, as `name=value`."""
        settings = " ".join(f"-c {one}" for one in (*_OPTIONS, f"unix_socket_directories={self.folder}", *more))
        log = str(self.folder / "log")
        postgres(
            self.folder, "pg_ctl", "--pgdata", str(self.data), "--log", log, "--wait", "--options", settings, "start"
        )

    def stop(self) -> None:
        """At once, as in a crash."""
        if (self.data / "postmaster.pid").exists():
            postgres(self.folder, "pg_ctl", "--pgdata", str(self.data), "--mode", "immediate", "stop")


@contextmanager
def stock_cluster(*settings: str) -> Iterator[Cluster]:
    """A new, empty server with these settings, as `name=value`; stopped and deleted at the end."""
    with _own_folder() as folder:
        cluster = Cluster(folder)
        postgres(folder, "initdb", "--pgdata", str(cluster.data), *_INITDB)
        with _running(cluster, settings):
            yield cluster


@contextmanager
def standby_of(primary: Cluster, *settings: str) -> Iterator[Cluster]:
    """A hot standby of the server, by streaming replication."""
    with _own_folder() as folder:
        standby = Cluster(folder)
        target = ("--pgdata", str(standby.data), "--write-recovery-conf", "--checkpoint", "fast", "--no-sync")
        postgres(folder, "pg_basebackup", "--dbname", primary.url, *target)
        with _running(standby, settings):
            yield standby


@contextmanager
def _running(cluster: Cluster, settings: Sequence[str]) -> Iterator[None]:
    cluster.start(*settings)
    try:
        yield
    finally:
        cluster.stop()


@contextmanager
def _own_folder() -> Iterator[Path]:
    # The path of a socket has at most a hundred characters, and root's folders are closed to Postgres.
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM_BYTES
    folder = Path(tempfile.mkdtemp(prefix="zhiwen-stock-", dir=MEMORY if has_room else None))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, USER)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def postgres(folder: Path, program: str, *arguments: str) -> None:
    """Runs a program of Postgres. It refuses to run as root."""
    who = pwd.getpwnam(USER) if os.geteuid() == 0 else None
    subprocess.run(
        [str(BIN / program), *arguments],
        cwd=folder,
        check=True,
        # Not to be read: the server keeps what it is given for its output.
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        user=None if who is None else who.pw_uid,
        group=None if who is None else who.pw_gid,
        extra_groups=None if who is None else [],
    )
