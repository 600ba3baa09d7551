"""Engine and transaction. The caller that opens a transaction commits it; nothing else in this package does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from storage.database_address import with_driver, with_password_in_place
from storage.errors import DatabaseUnreachable, DatabaseVersionUnsupported

OLDEST_MAJOR = 15
"""The first version with `NULLS NOT DISTINCT`, and with covering indexes as used here."""

CONNECT_TIMEOUT_S = 10
REPLICA_TIMEOUT_S = 2
"""Seconds until a replica that does not answer counts as away: the primary answers instead."""


def make_engine(url: str, *, pool_size: int = 5, statement_timeout_ms: int = 0) -> Engine:
    """Return an engine for `url` (Postgres 15 or newer). Does not connect yet."""
    return _engine(url, pool_size, f"-c statement_timeout={statement_timeout_ms}", connect_timeout=CONNECT_TIMEOUT_S)


def make_replica_engine(url: str, *, pool_size: int = 5) -> Engine:
    """Return an engine for a replica at `url`, on which every transaction is read-only. Does not connect yet."""
    # A network that loses everything must not hold up the primary's answer either.
    silent_ms = REPLICA_TIMEOUT_S * 1_000
    timeouts = {"connect_timeout": REPLICA_TIMEOUT_S, "tcp_user_timeout": silent_ms}
    return _engine(url, pool_size, "-c default_transaction_read_only=on", **timeouts)


def _engine(url: str, pool_size: int, options: str, **timeouts: int) -> Engine:
    return create_engine(
        with_driver(with_password_in_place(url)),
        pool_size=pool_size,
        pool_pre_ping=True,
        connect_args={
            "options": f"-c timezone=UTC -c jit=off {options}",
            "application_name": "zhiwen",
            **timeouts,
        },
    )


def check_server(engine: Engine) -> None:
    """Check the server's version. Raises DatabaseUnreachable or DatabaseVersionUnsupported, with the remedy."""
    shown = engine.url.render_as_string(hide_password=True)
    try:
        with engine.connect() as connection:
            number = int(connection.execute(text("SHOW server_version_num")).scalar_one())
    except OperationalError as error:
        cause = str(error.orig).strip().splitlines()
        raise DatabaseUnreachable(shown, cause[0] if cause else "no answer") from error
    if number // 10_000 < OLDEST_MAJOR:
        raise DatabaseVersionUnsupported(shown, number // 10_000, OLDEST_MAJOR)


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """Run one unit of work: commit at the end, roll back on any exception."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """`clock` is the server's, between `asked_at` and `answered_at` of this machine's."""

    version: str
    encoding: str
    clock: datetime
    asked_at: datetime
    answered_at: datetime


def server_facts(engine: Engine) -> ServerFacts:
    """Return the server's version, encoding and clock."""
    with engine.connect() as connection:
        version = connection.execute(text("SHOW server_version")).scalar_one()
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        asked_at = datetime.now(UTC)
        clock = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        return ServerFacts(version, encoding, clock, asked_at, datetime.now(UTC))
