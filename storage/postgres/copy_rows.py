"""Bulk loading by COPY, and helpers for very many rows at once."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from sqlalchemy import Engine

_ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})

_BUILDING_MEMORY = "512MB"
"""For rebuilding one index: with the server's default, the keys of a million texts would be sorted on disk."""

_PLAIN_INDEXES = text(
    """
    SELECT i.relname AS name, pg_get_indexdef(x.indexrelid) AS definition
    FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid
    WHERE t.relname = ANY(:tables) AND t.relnamespace = current_schema()::regnamespace AND NOT x.indisunique
    ORDER BY i.relname
    """
)
_TABLES = text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")


def copy_rows(session: Session, table: str, columns: Iterable[str], rows: Iterable[tuple[object, ...]]) -> None:
    """Appends rows in the session's transaction. Values: None, numbers, strings, tuples of numbers."""
    buffer = StringIO()
    for row in rows:
        buffer.write("\t".join(_field(value) for value in row))
        buffer.write("\n")
    if not buffer.tell():
        return
    buffer.seek(0)
    names = ", ".join(columns)
    connection = session.connection().connection.driver_connection
    assert connection is not None  # noqa: S101  # the session has just handed it out
    with connection.cursor() as cursor:
        cursor.copy_expert(f"COPY {table} ({names}) FROM STDIN", buffer)


@contextmanager
def indexes_set_aside(session: Session, tables: Collection[str]) -> Iterator[None]:
    """Drops the non-unique indexes of these tables and rebuilds them at the end: for a million rows much faster than
    updating them. Runs in the session's transaction and locks the tables.
    """
    found = session.execute(_PLAIN_INDEXES, {"tables": list(tables)}).all()
    for index in found:
        session.execute(text(f'DROP INDEX "{index.name}"'))
    yield
    session.execute(text(f"SET LOCAL maintenance_work_mem = '{_BUILDING_MEMORY}'"))
    for index in found:
        session.connection().exec_driver_sql(index.definition)


def emptied(session: Session, table: str) -> None:
    """Truncates a table that no other references."""
    session.execute(text(f'TRUNCATE "{table}"'))


def numbered_on(session: Session, tables: Iterable[str]) -> None:
    """Sets the id sequences beyond the present rows: COPY does not advance them."""
    for table in tables:
        session.execute(
            text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), greatest(max(id), 1)) FROM \"{table}\"")  # noqa: S608  # a name of ours
        )


def table_like(session: Session, table: str, *, schema: str) -> None:
    """Creates an empty table of the same name, columns and indexes in a new schema, without foreign keys.

    Until the end of the transaction the name refers to it.
    """
    session.execute(text(f'CREATE SCHEMA "{schema}"'))
    session.execute(text(f'CREATE TABLE "{schema}"."{table}" (LIKE "{table}" INCLUDING ALL)'))
    looking_into(session, schema)


def looking_into(session: Session, schema: str) -> None:
    """Puts this schema first on the search path until the end of the transaction."""
    session.execute(text(f'SET LOCAL search_path = "{schema}", public'))


def settle(engine: "Engine") -> None:
    """Runs VACUUM (ANALYZE), as autovacuum does some minutes after a bulk load."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM (ANALYZE)"))


def unattended(session: Session) -> None:
    """From here on autovacuum does not touch the tables: the planner's statistics stay as they are."""
    for table in session.scalars(_TABLES).all():
        session.execute(text(f'ALTER TABLE "{table}" SET (autovacuum_enabled = false)'))


def _field(value: object) -> str:
    if value is None:
        return r"\N"
    if isinstance(value, tuple):
        return "{" + ",".join(map(str, value)) + "}"
    return str(value).translate(_ESCAPES)
