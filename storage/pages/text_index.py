"""The index that finds texts by any words in them. It takes as many bytes as the texts, so it is made on request."""

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
    """`is_ready` false: it is being built, or its building was broken off."""

    is_ready: bool
    bytes: int


def state(session: Session) -> TextIndex | None:
    """None: there is none."""
    return record_or_none(TextIndex, session.execute(_STATE, {"name": NAME}))


def build(engine: Engine) -> None:
    """Makes it, while others read and write; one that was broken off is made anew. Nothing to do where it is ready."""
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
    """Returns whether there was one."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        found = connection.execute(_STATE, {"name": NAME}).one_or_none()
        connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {NAME}"))
        return found is not None
