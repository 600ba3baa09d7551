"""Runs migrations one transaction each, under an advisory lock, and never waits long for a table lock."""

import os
from typing import Literal

from alembic import context
from sqlalchemy import create_engine, text

import storage.models
from storage.base import Base
from storage.column_types import Unsigned64

assert storage.models.__all__, "importing the models registers the tables"  # noqa: S101
MIGRATION_LOCK = 0x7A68_6977
LOCK_TIMEOUT = "10s"


def render_item(kind: str, item: object, _context: object) -> str | Literal[False]:
    """A revision imports nothing of ours: our column types are written as what they are in the database."""
    return "sa.BigInteger()" if kind == "type" and isinstance(item, Unsigned64) else False


def run() -> None:
    url = context.config.get_main_option("sqlalchemy.url") or os.environ["DATABASE_URL"]
    engine = create_engine(url, connect_args={"options": "-c timezone=UTC"})
    try:
        with engine.connect() as connection:
            connection.execute(text(f"SET lock_timeout = '{LOCK_TIMEOUT}'"))
            connection.execute(text(f"SELECT pg_advisory_lock({MIGRATION_LOCK})"))
            connection.commit()
            context.configure(
                connection=connection,
                target_metadata=Base.metadata,
                render_item=render_item,
                compare_type=True,
                compare_server_default=False,
                transaction_per_migration=True,
            )
            try:
                with context.begin_transaction():
                    context.run_migrations()
            finally:
                # Not left to the end of the connection, which the server notices some time later.
                connection.rollback()
                connection.execute(text(f"SELECT pg_advisory_unlock({MIGRATION_LOCK})"))
                connection.commit()
    finally:
        engine.dispose()


run()
