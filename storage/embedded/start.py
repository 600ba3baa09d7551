"""Starts the embedded Postgres: creates its data if missing, starts its keeper, and waits for its answer."""

import os
import secrets
import shutil
import subprocess
import sys
import time
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

import psycopg2
from psycopg2.extensions import connection as Connection

from storage.embedded.binaries import POSTGRES_MAJOR, server_programs
from storage.embedded.cluster import Cluster
from storage.embedded.process import (
    POLL_S,
    PORT,
    is_held,
    live_postmaster,
    lock,
    open_private_log,
    opened_lock,
    read_postmaster,
)
from storage.embedded.roles import DATABASE, KEEPER, PROGRAM, require_prepared
from storage.errors import HomeUnusable, PostgresDidNotStart, WrongPostgresMajor

START_LIMIT_S = 300.0  # recovery after a crash replays up to max_wal_size (2 GB)
KEEPER_ATTEMPTS = 2
LOG_LINES_SHOWN = 12
FULL = "too many clients"  # the server's messages are always English


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of the server; those of its first user hold until it stops."""

    grace_s: float = 20.0
    """Seconds that it waits for the next user: several commands in a row start it once."""
    fsync: bool = True
    """Off only for disposable data: a power failure may then destroy them."""


def server_url(cluster: Cluster) -> str:
    postmaster = read_postmaster(cluster.data)
    if postmaster is None or postmaster.socket_directory is None:
        raise PostgresDidNotStart(_end_of_log(cluster))
    query = urllib.parse.urlencode({"host": str(postmaster.socket_directory), "port": PORT})
    return f"postgresql+psycopg2://{PROGRAM}@/{DATABASE}?{query}"


def is_ready(cluster: Cluster) -> bool:
    """Return whether the server answers, has our role and database, and has a keeper (else it is about to stop)."""
    postmaster = live_postmaster(cluster.data)
    if postmaster is None or postmaster.socket_directory is None or not is_held(cluster.keeper_lock):
        return False
    host = str(postmaster.socket_directory)

    def connect(database: str) -> Connection:
        return psycopg2.connect(host=host, port=PORT, user=KEEPER, dbname=database, connect_timeout=10)

    try:
        require_prepared(connect)
    except psycopg2.OperationalError as error:
        # A full server is ready; any other error means starting, recovering or stopping.
        return FULL in str(error)
    return True


def start_server(cluster: Cluster, options: ServerOptions) -> None:
    with opened_lock(cluster.start_lock) as start_lock:
        if not lock(start_lock, exclusive=True, limit_s=START_LIMIT_S):
            raise PostgresDidNotStart(
                f"Another process has been starting the database for too long; see {cluster.log}."
            )
        programs = server_programs(cluster)
        _require_data(cluster, programs, options)
        for _ in range(KEEPER_ATTEMPTS):
            if not is_held(cluster.keeper_lock):
                _start_keeper(cluster, programs, options)
            if _wait_until_ready(cluster):
                return
    raise PostgresDidNotStart(_end_of_log(cluster))


def _wait_until_ready(cluster: Cluster) -> bool:
    """Wait; return False if the keeper ended: it gave up, or was killed."""
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        if is_ready(cluster):
            return True
        if not is_held(cluster.keeper_lock):
            return False
        _require_socket_in_sight(cluster)
        time.sleep(POLL_S)
    raise PostgresDidNotStart(_end_of_log(cluster))


def _require_socket_in_sight(cluster: Cluster) -> None:
    postmaster = live_postmaster(cluster.data)
    if postmaster is None or postmaster.socket_directory is None or postmaster.socket_directory.exists():
        return
    raise PostgresDidNotStart(
        f"The database in {cluster.data} runs, but its socket directory {postmaster.socket_directory} is not here: "
        f"it was deleted, or the server was started under another private /tmp. Run `zhiwen db stop` and start again."
    )


def _require_data(cluster: Cluster, programs: Path, options: ServerOptions) -> None:
    """Create the data directory if missing; an existing one is never touched."""
    version = cluster.data / "PG_VERSION"
    if version.exists():
        found = version.read_text().strip()
        if found != str(POSTGRES_MAJOR):
            raise WrongPostgresMajor(cluster.data, found, POSTGRES_MAJOR)
    elif cluster.data.exists():
        raise HomeUnusable(
            f"{cluster.data} is there, but no Postgres wrote it (it has no PG_VERSION). "
            f"Move it away and start again, or set ZHIWEN_HOME to another directory."
        )
    else:
        _make_data(cluster, programs, options)


def _make_data(cluster: Cluster, programs: Path, options: ServerOptions) -> None:
    """Create the data atomically: aside, then renamed, so that a killed initdb leaves nothing that looks like data."""
    for abandoned in cluster.directory.glob("data.*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    # A unique name: an initdb whose parent was killed may still be writing to the previous one.
    aside = cluster.directory / f"data.{secrets.token_hex(4)}"
    aside.mkdir(mode=0o700)
    account = cluster.account
    if account is not None:
        os.chown(aside, account.uid, account.gid)
    command = [
        str(programs / "initdb"), "--pgdata", str(aside), "--username", KEEPER, "--auth", "trust", "--encoding", "UTF8",
        "--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--no-instructions",
    ]  # fmt: skip
    if not options.fsync:
        command.append("--no-sync")
    run = subprocess.run(  # noqa: S603  (our own program and paths)
        command,
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    if run.returncode:
        shutil.rmtree(aside, ignore_errors=True)
        reason = run.stderr.strip() or run.stdout.strip()
        raise PostgresDidNotStart(f"A database could not be made in {cluster.directory}: {reason}")
    aside.rename(cluster.data)


def _start_keeper(cluster: Cluster, programs: Path, options: ServerOptions) -> None:
    account = cluster.account
    command = [
        # -P: a folder in the working directory named like one of our packages must not be imported.
        sys.executable, "-P", "-m", "storage.embedded.keeper", "--directory", str(cluster.directory),
        "--programs", str(programs), "--log", str(cluster.log),
        "--uid", str(account.uid if account else os.geteuid()), "--gid", str(account.gid if account else os.getegid()),
        "--grace-s", str(options.grace_s), "--fsync", "on" if options.fsync else "off",
    ]  # fmt: skip
    packages = str(Path(__file__).resolve().parents[2])
    with open_private_log(cluster.log) as log:
        run = subprocess.run(  # noqa: S603  (our own program and paths)
            command,
            check=False,
            cwd="/",
            env=os.environ | {"PYTHONPATH": packages},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C in the terminal must not reach the server
        )
    if run.returncode:
        raise PostgresDidNotStart(_end_of_log(cluster))


def _end_of_log(cluster: Cluster) -> str:
    try:
        lines = cluster.log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    end = "\n".join(lines[-LOG_LINES_SHOWN:])
    return f"The database in {cluster.data} did not start. The end of its log, {cluster.log}:\n{end}"
