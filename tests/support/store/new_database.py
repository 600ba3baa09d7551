"""Databases that are made for one purpose and dropped afterwards."""

import contextlib
import functools
import secrets
from collections.abc import Iterator

from sqlalchemy import Engine, create_engine, make_url, text

_END_OURS = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}' AND usename = current_user"
)


@contextlib.contextmanager
def database(server_url: str, *, template: str | None = None) -> Iterator[str]:
    """A new database, dropped at the end."""
    url = make_database(server_url, template=template)
    try:
        yield url
    finally:
        drop_database(server_url, url)


def make_database(server_url: str, *, template: str | None = None) -> str:
    name = f"zhiwen_test_{secrets.token_hex(6)}"
    # The other strategy sends the template, block by block, through the log: four times the work for so small a one.
    copied = f" TEMPLATE {make_url(template).database} STRATEGY FILE_COPY" if template else ""
    _run(server_url, f"CREATE DATABASE {name}{copied}")
    return make_url(server_url).set(database=name).render_as_string(hide_password=False)


def drop_database(server_url: str, url: str) -> None:
    name = make_url(url).database
    # A child process that a test killed may still be connected. FORCE would end autovacuum too, which this role may
    # not; without it the server waits for autovacuum.
    _run(server_url, _END_OURS.format(name=name))
    _run(server_url, f"DROP DATABASE IF EXISTS {name}")


def _run(server_url: str, statement: str) -> None:
    with _server(server_url).connect() as connection:
        connection.execute(text(statement))


@functools.cache
def _server(server_url: str) -> Engine:
    """Connected once in each process of the tests: to connect costs a quarter of copying a database."""
    return create_engine(server_url, isolation_level="AUTOCOMMIT", pool_pre_ping=True)
