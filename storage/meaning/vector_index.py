"""The indexes over the bits of passages: HNSW by Hamming distance, of the Postgres extension pgvector.

There is one of texts in Chinese and one of all others. Vectors of one language are nearer to each other than to those
of another, whatever they say: in one index, the original of a translation would be behind hundreds of strangers.
"""

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
CHINESE: Final = "is_chinese IS TRUE"
OTHERS: Final = "is_chinese IS NOT TRUE"
"""Conditions of the indexes. A passage of which nothing is known is among the others."""
_STATE: Final = text(
    "SELECT c.relname AS name, i.indisvalid AS is_ready, pg_relation_size(c.oid) AS bytes"
    " FROM pg_class AS c JOIN pg_index AS i ON i.indexrelid = c.oid"
    " WHERE c.relname = ANY(:names) AND i.indrelid = to_regclass('passage_vector')"
)
_LOCK: Final = 0x7A68_7665
"""Advisory lock: of processes that would build the same index, one does."""


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """Of both. `is_ready` False: one is being built, or the build was interrupted."""

    is_ready: bool
    bytes: int


def index_names(background_id: int) -> dict[str, str]:
    """Return the names of the indexes by their conditions."""
    return {CHINESE: f"{INDEX_PREFIX}{background_id}_chinese", OTHERS: f"{INDEX_PREFIX}{background_id}_others"}


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
    """Return the state of a background's indexes; None if one does not exist."""
    names = index_names(background_id)
    rows = session.execute(_STATE, {"names": list(names.values())}).all()
    if len(rows) < len(names):
        return None
    return VectorIndex(all(row.is_ready for row in rows), sum(row.bytes for row in rows))


def build_index(engine: Engine, background_id: int, size: int) -> bool:
    """Build the indexes of a background concurrently; an interrupted build is replaced. Return whether they are ready.

    False: another process is building them, or pgvector is missing. `size`: bits of a passage.
    """
    names = index_names(background_id)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        schema = connection.execute(_SCHEMA).scalar_one_or_none()
        found = connection.execute(_STATE, {"names": list(names.values())})
        missing = set(names.values()) - {row.name for row in found if row.is_ready}
        if schema is None or not missing:
            return schema is not None
        lock = {"lock": _LOCK, "number": background_id}
        if not connection.execute(text("SELECT pg_try_advisory_lock(:lock, :number)"), lock).scalar_one():
            return False
        try:
            for condition, name in names.items():
                if name in missing:
                    connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {name}"))
                    connection.execute(text(_create(name, schema, background_id, size, condition)))
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:lock, :number)"), lock)
    return True


def _create(name: str, schema: str, background_id: int, size: int, condition: str) -> str:
    return (
        f"CREATE INDEX CONCURRENTLY {name} ON passage_vector"
        f" USING hnsw ((bits::bit({int(size)})) {schema}.bit_hamming_ops)"
        f" WITH (m = {NEIGHBOURS}, ef_construction = {BUILD_LIST})"
        f" WHERE background_id = {int(background_id)} AND {condition}"
    )


def drop_index(engine: Engine, background_id: int) -> None:
    """Drop the indexes of a background."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for name in index_names(background_id).values():
            connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {name}"))
