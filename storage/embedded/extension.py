"""pgvector in the embedded Postgres: only a superuser can create it, so the keeper does."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psycopg2
from psycopg2.errors import DuplicateObject, UniqueViolation
from psycopg2.extensions import ISOLATION_LEVEL_AUTOCOMMIT

from storage.embedded.cluster import find_cluster
from storage.embedded.process import PORT, read_postmaster
from storage.embedded.roles import DATABASE, KEEPER

if TYPE_CHECKING:
    from psycopg2.extensions import cursor as Cursor

SCHEMA: Final = "zhiwen_vector"
"""A schema of the keeper's own: what a restored back-up put into `public` cannot be mistaken for the extension's."""

_IS_THERE: Final = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector')"
_IS_AVAILABLE: Final = "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')"
_SCHEMA_OWNER: Final = "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = %s"


def create_vector(home: Path, *, database: str = DATABASE) -> bool:
    """Create pgvector in a database of the running server of this home. Return whether it is there."""
    cluster = find_cluster(home)
    postmaster = None if cluster is None else read_postmaster(cluster.data)
    if postmaster is None or postmaster.socket_directory is None:
        return False
    host = str(postmaster.socket_directory)
    with contextlib.closing(
        psycopg2.connect(host=host, port=PORT, user=KEEPER, dbname=database, connect_timeout=10)
    ) as connection:
        connection.set_isolation_level(ISOLATION_LEVEL_AUTOCOMMIT)
        with connection.cursor() as cursor:
            # A superuser must not resolve names in a schema where another role may have made the object.
            cursor.execute("SET search_path = pg_catalog")
            if _first(cursor, _IS_THERE):
                return True
            if not _first(cursor, _IS_AVAILABLE) or _first(cursor, _SCHEMA_OWNER, SCHEMA) not in (None, KEEPER):
                return False
            # Another process may do the same at the same time.
            with contextlib.suppress(DuplicateObject, UniqueViolation):
                cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
                cursor.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO PUBLIC")
                cursor.execute(f"CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA {SCHEMA}")
    return True


def _first(cursor: "Cursor", question: str, *values: str) -> object:
    """Return the first value of the first row; None without a row."""
    cursor.execute(question, values)
    row = cursor.fetchone()
    return None if row is None else row[0]
