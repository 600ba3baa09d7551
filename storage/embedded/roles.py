"""Roles of the embedded Postgres: the keeper, a superuser, and the program, which only owns its database.

A superuser's SQL can run programs and read files (COPY … TO PROGRAM, pg_read_file), so neither the desk nor a restored
back-up may have that right. Only this module and `extension` connect as the keeper to the store's database.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from psycopg2.errors import DuplicateDatabase, DuplicateObject, LockNotAvailable, UniqueViolation
from psycopg2.extensions import ISOLATION_LEVEL_AUTOCOMMIT

from storage.errors import StoreNotHandedOver

if TYPE_CHECKING:
    from psycopg2.extensions import connection as Connection
    from psycopg2.extensions import cursor as Cursor

KEEPER: Final = "zhiwen"
"""The superuser made by initdb. All versions use this name, so that their data can be opened."""
PROGRAM: Final = "zhiwen_program"
DATABASE: Final = "zhiwen"
MAINTENANCE: Final = "postgres"

_LOCK: Final = 7_301_117
"""Advisory lock in the database `postgres`: of processes that start at once, one prepares it."""
_LONGEST_WAIT: Final = "60s"

_IS_PREPARED: Final = """
SELECT EXISTS (
    SELECT 1 FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba
    WHERE d.datname = %s AND r.rolname = %s AND NOT r.rolsuper
)
"""
_OTHER_DATABASES: Final = """
SELECT format('ALTER DATABASE %%I OWNER TO %%I', datname, %s)
FROM pg_database JOIN pg_roles r ON r.oid = datdba
WHERE r.rolname = %s AND NOT datistemplate AND datname NOT IN (%s, %s)
"""
# What a superuser owns is in no list of dependencies, so that REASSIGN OWNED cannot be used: the bootstrap superuser
# owns the system catalogs too. Indexes, constraints, triggers and owned sequences follow their table.
_HAND_OVER: Final = """
WITH old AS (SELECT oid FROM pg_roles WHERE rolname = %(old)s),
ours AS (
    SELECT oid FROM pg_namespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
),
statement(rank, words) AS (
    SELECT 1, format('ALTER SCHEMA %%I OWNER TO %%I', n.nspname, %(new)s)
    FROM pg_namespace n WHERE n.oid IN (TABLE ours) AND n.nspowner IN (TABLE old)
    UNION ALL
    SELECT 2, format('ALTER TABLE %%s OWNER TO %%I', c.oid::regclass, %(new)s)
    FROM pg_class c WHERE c.relnamespace IN (TABLE ours) AND c.relowner IN (TABLE old)
        AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    UNION ALL
    SELECT 3, format('ALTER SEQUENCE %%s OWNER TO %%I', c.oid::regclass, %(new)s)
    FROM pg_class c WHERE c.relnamespace IN (TABLE ours) AND c.relowner IN (TABLE old) AND c.relkind = 'S'
        AND NOT EXISTS (
            SELECT 1 FROM pg_depend d
            WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.refclassid = 'pg_class'::regclass
                AND d.deptype IN ('a', 'i')
        )
    UNION ALL
    SELECT 4, format('ALTER ROUTINE %%s OWNER TO %%I', p.oid::regprocedure, %(new)s)
    FROM pg_proc p WHERE p.pronamespace IN (TABLE ours) AND p.proowner IN (TABLE old) AND p.prokind <> 'a'
    UNION ALL
    SELECT 5, format('ALTER AGGREGATE %%s OWNER TO %%I', p.oid::regprocedure, %(new)s)
    FROM pg_proc p WHERE p.pronamespace IN (TABLE ours) AND p.proowner IN (TABLE old) AND p.prokind = 'a'
    UNION ALL
    SELECT 6, format('ALTER TYPE %%s OWNER TO %%I', t.oid::regtype, %(new)s)
    FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
    WHERE t.typnamespace IN (TABLE ours) AND t.typowner IN (TABLE old)
        AND (t.typtype IN ('e', 'd', 'r') OR c.relkind = 'c')
    UNION ALL
    SELECT 7, format('ALTER STATISTICS %%I.%%I OWNER TO %%I', n.nspname, s.stxname, %(new)s)
    FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace
    WHERE s.stxnamespace IN (TABLE ours) AND s.stxowner IN (TABLE old)
)
SELECT words FROM statement ORDER BY rank, words
"""

Connect = Callable[[str], "Connection"]
"""Connects as the keeper to the database of that name."""


def require_prepared(connect: Connect) -> None:
    """Create the program's role and database if missing, and hand over a store that the keeper owns.

    Raises StoreNotHandedOver, psycopg2.OperationalError.
    """
    with _autocommitting(connect, MAINTENANCE) as cursor:
        if _is_prepared(cursor):
            return
        cursor.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        if _is_prepared(cursor):
            return
        _make_role(cursor)
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,))
        if cursor.fetchone() is None:
            with contextlib.suppress(DuplicateDatabase, UniqueViolation):
                cursor.execute(f"CREATE DATABASE {DATABASE} OWNER {PROGRAM}")
        else:
            _hand_over(connect)
        _run_each(cursor, _OTHER_DATABASES, (PROGRAM, KEEPER, DATABASE, MAINTENANCE))


def _is_prepared(cursor: "Cursor") -> bool:
    cursor.execute(_IS_PREPARED, (DATABASE, PROGRAM))
    row = cursor.fetchone()
    return row is not None and bool(row[0])


def _make_role(cursor: "Cursor") -> None:
    with contextlib.suppress(DuplicateObject, UniqueViolation):
        cursor.execute(f"CREATE ROLE {PROGRAM}")
    # CREATEDB: a back-up is restored into a database beside the store.
    cursor.execute(f"ALTER ROLE {PROGRAM} LOGIN NOSUPERUSER CREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS")


def _hand_over(connect: Connect) -> None:
    """Hand over all objects or none: the owner of the database changes in the same transaction."""
    with contextlib.closing(connect(DATABASE)) as connection, connection, connection.cursor() as cursor:
        # A superuser must not resolve names in a schema where another role may have made the object.
        cursor.execute("SET LOCAL search_path = pg_catalog")
        cursor.execute("SET LOCAL lock_timeout = %s", (_LONGEST_WAIT,))
        try:
            _run_each(cursor, _HAND_OVER, {"old": KEEPER, "new": PROGRAM})
            cursor.execute(f"ALTER DATABASE {DATABASE} OWNER TO {PROGRAM}")
        except LockNotAvailable as error:
            raise StoreNotHandedOver from error


def _run_each(cursor: "Cursor", question: str, values: tuple[str, ...] | dict[str, str]) -> None:
    cursor.execute(question, values)
    for (statement,) in cursor.fetchall():
        cursor.execute(statement)


@contextlib.contextmanager
def _autocommitting(connect: Connect, database: str) -> Iterator["Cursor"]:
    with contextlib.closing(connect(database)) as connection:
        connection.set_isolation_level(ISOLATION_LEVEL_AUTOCOMMIT)
        with connection.cursor() as cursor:
            yield cursor
