"""The full-text index, built on request since it is as large as the texts."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from storage.postgres.rows import record_or_none

NAME: Final = "ix_text_body_grams"

_STATE = text(
    "SELECT i.indisvalid AS is_ready, pg_relation_size(c.oid) AS bytes"
    " FROM pg_class AS c JOIN pg_index AS i ON i.indexrelid = c.oid"
    " WHERE c.relname = :name AND c.relnamespace = current_schema()::regnamespace"
)


@dataclass(frozen=True, slots=True)
class TextIndex:
    """`is_ready` False: it is being built, or the build was interrupted."""

    is_ready: bool
    bytes: int


def state(session: Session) -> TextIndex | None:
    """The state of the index; None if it does not exist."""
    return record_or_none(TextIndex, session.execute(_STATE, {"name": NAME}))


def build(engine: Engine) -> None:
    """Builds the index concurrently; an interrupted build is replaced. Does nothing if it is ready."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        found = connection.execute(_STATE, {"name": NAME}).one_or_none()
        if found is not None and found.is_ready:
            return
        connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {NAME}"))
        # fastupdate off, as with the other indexes of arrays: a pending list is scanned whole by every query.
        connection.execute(
            text(f"CREATE INDEX CONCURRENTLY {NAME} ON text USING gin (text_grams(body)) WITH (fastupdate = off)")
        )


def drop(engine: Engine) -> bool:
    """Drops the index. Returns whether it existed."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        found = connection.execute(_STATE, {"name": NAME}).one_or_none()
        connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {NAME}"))
        return found is not None
