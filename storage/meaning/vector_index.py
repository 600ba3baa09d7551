"""The index over the bits of passages: HNSW by Hamming distance, of the Postgres extension pgvector."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

INDEX_PREFIX: Final = "ix_passage_vector_near_"
NEIGHBOURS: Final = 16
"""Neighbours of a passage in each layer of the graph (m); see ADR 42 for the choice."""
BUILD_LIST: Final = 128
"""Passages looked at for each that is added (ef_construction)."""

_SCHEMA: Final = text(
    "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
    " WHERE e.extname = 'vector'"
)
_AVAILABLE: Final = text("SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')")
_STATE: Final = text(
    "SELECT i.indisvalid AS is_ready, pg_relation_size(c.oid) AS bytes"
    " FROM pg_class AS c JOIN pg_index AS i ON i.indexrelid = c.oid"
    " WHERE c.relname = :name AND i.indrelid = to_regclass('passage_vector')"
)
_LOCK: Final = 0x7A68_7665
"""Advisory lock: of processes that would build the same index, one does."""


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """`is_ready` False: it is being built, or the build was interrupted."""

    is_ready: bool
    bytes: int


def index_name(background_id: int) -> str:
    return f"{INDEX_PREFIX}{background_id}"


def extension_schema(session: Session) -> str | None:
    """Return the schema of pgvector as a quoted identifier; None if the extension is not in this database."""
    return session.execute(_SCHEMA).scalar_one_or_none()


def is_available(session: Session) -> bool:
    """Return whether the server has the files of pgvector, so that a superuser can create it."""
    found: bool = session.execute(_AVAILABLE).scalar_one()
    return found


def create_extension(engine: Engine) -> bool:
    """Create pgvector in the database if this role may. Return whether it is there."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if connection.execute(_SCHEMA).scalar_one_or_none() is not None:
            return True
        if not connection.execute(_AVAILABLE).scalar_one():
            return False
        try:
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
        except DBAPIError:
            return connection.execute(_SCHEMA).scalar_one_or_none() is not None
    return True


def index_state(session: Session, background_id: int) -> VectorIndex | None:
    """Return the state of a background's index; None if it does not exist."""
    row = session.execute(_STATE, {"name": index_name(background_id)}).one_or_none()
    return None if row is None else VectorIndex(row.is_ready, row.bytes)


def build_index(engine: Engine, background_id: int, size: int) -> bool:
    """Build the index of a background concurrently; an interrupted build is replaced. Return whether it is ready.

    False: another process is building it, or pgvector is missing. `size`: bits of a passage.
    """
    name = index_name(background_id)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        schema = connection.execute(_SCHEMA).scalar_one_or_none()
        found = connection.execute(_STATE, {"name": name}).one_or_none()
        if schema is None or (found is not None and found.is_ready):
            return schema is not None
        lock = {"lock": _LOCK, "number": background_id}
        if not connection.execute(text("SELECT pg_try_advisory_lock(:lock, :number)"), lock).scalar_one():
            return False
        try:
            connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {name}"))
            connection.execute(
                text(
                    f"CREATE INDEX CONCURRENTLY {name} ON passage_vector"
                    f" USING hnsw ((bits::bit({int(size)})) {schema}.bit_hamming_ops)"
                    f" WITH (m = {NEIGHBOURS}, ef_construction = {BUILD_LIST})"
                    f" WHERE background_id = {int(background_id)}"
                )
            )
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:lock, :number)"), lock)
    return True


def drop_index(engine: Engine, background_id: int) -> None:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {index_name(background_id)}"))
