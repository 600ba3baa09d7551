"""What a test leaves in a database, and how it is taken away: rows are deleted, sequences are set back. Whatever else
a test changes is only noticed; such a database is not used again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any, Final

MOST_BYTES: Final = 2 << 20
"""In tables, deleted rows included: to delete more takes longer than a new database, and their space is never free."""

Rows = list[tuple[Any, ...]]

# Not statistics of columns: the server has some of the catalogue itself, and ANALYZE leaves a count in pg_class, too.
# Large objects, which only superusers may read, have a row each in pg_largeobject_metadata.
_CATALOGUE: Final = """SELECT oid::regclass::text FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'pg_catalog'::regnamespace AND NOT relisshared
        AND oid <> 'pg_statistic'::regclass AND has_table_privilege(oid, 'SELECT')"""
TABLES: Final = """SELECT oid::regclass::text, pg_relation_size(oid) > 0 FROM pg_class
    WHERE relkind = 'r' AND oid >= 16384 AND relnamespace <> 'information_schema'::regnamespace"""
_REFERENCES: Final = """SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint
    WHERE contype = 'f' AND conrelid <> confrelid"""
# Some rows of ours are never to be deleted. (The triggers of the queue only tidy up.)
_KEPT_BY_TRIGGER: Final = """SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger
    WHERE NOT tgisinternal AND tgtype & 8 <> 0 AND tgfoid::regproc::text NOT LIKE 'zhiwen_queue.%'"""

# Of rows the visible ones are counted, and those that are younger than the test: only so many as before, and none of
# them new, is none added, changed or removed. Counters and sizes of a table are written over in its row.
_STATE: Final = """
    SELECT (SELECT (sum(every), sum(new)) FROM ({counted}) AS counted),
        (SELECT (sum(reltuples::float8), sum(relpages), sum(relallvisible)) FROM pg_class
            WHERE oid >= 16384 AND relkind = 'r'),
        (SELECT (count(*)) FROM pg_db_role_setting WHERE setdatabase = found.oid),
        (SELECT (count(*)) FROM pg_shdepend WHERE dbid = found.oid),
        (SELECT (count(*)) FROM pg_shdescription WHERE objoid = found.oid AND classoid = 'pg_database'::regclass),
        (found.xmin, found.ctid)
    FROM pg_database AS found WHERE datname = current_database()"""
_COUNTED: Final = (
    "SELECT count(*) AS every, count(*) FILTER (WHERE age(xmin) <= age('{since}'::xid)) AS new FROM {table}"
)
_NOW: Final = "SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::text"
_OTHERS: Final = """SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> ALL(%s)"""
_PREPARED: Final = "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"
_SEARCH_PATH: Final = "SET LOCAL search_path TO public, zhiwen_queue"
"""The triggers of the queue name its tables so."""
_WRITTEN: Final = """SELECT name, pg_table_size(name::regclass) FROM unnest(%s) AS name
    WHERE pg_relation_size(name::regclass) > 0"""


def asked(connection: Any, statement: str, *values: object) -> Rows:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return list(cursor.fetchall())


@dataclass(frozen=True, slots=True)
class Layout:
    """Of every database that is copied from the same template. `watched` tables are to stay as they are: what the
    server knows of the others, and what a migration has put in. `emptied`: children before their parents.
    """

    watched: Sequence[str]
    emptied: Sequence[str]
    kept_by_trigger: frozenset[str]
    sequences: str
    """The statement that sets them back."""


def layout_of(connection: Any) -> Layout:
    tables = asked(connection, TABLES)
    filled = [name for name, is_filled in tables if is_filled]
    order: TopologicalSorter[str] = TopologicalSorter({name: () for name, is_filled in tables if not is_filled})
    for child, parent in asked(connection, _REFERENCES):
        order.add(parent, child)
    return Layout(
        watched=[*(name for (name,) in asked(connection, _CATALOGUE)), *filled],
        emptied=[name for name in order.static_order() if name not in filled],
        kept_by_trigger=frozenset(name for (name,) in asked(connection, _KEPT_BY_TRIGGER)),
        sequences=_setting_back(connection),
    )


def _setting_back(connection: Any) -> str:
    names = [name for (name,) in asked(connection, "SELECT seqrelid::regclass::text FROM pg_sequence")]
    read = " UNION ALL ".join(f"SELECT '{name}', last_value, is_called FROM {name}" for name in names)  # noqa: S608
    set_back = (f"setval('{name}', {last}, {is_called})" for name, last, is_called in asked(connection, read))
    return f"SELECT {', '.join(set_back)}"


@dataclass(frozen=True, slots=True)
class State:
    """What a database is like between two tests. `since`: the first transaction after that."""

    since: str
    seen: Rows


def now(connection: Any) -> str:
    return str(asked(connection, _NOW)[0][0])


def state_of(connection: Any, layout: Layout, *, since: str = "") -> State:
    """Its state now, and what is new since then."""
    since = since or now(connection)
    counted = " UNION ALL ".join(_COUNTED.format(since=since, table=table) for table in layout.watched)
    return State(since, asked(connection, _STATE.format(counted=counted)))


def has_others(connection: Any, own: Sequence[int]) -> bool:
    """Whether anybody is connected besides the server processes `own`."""
    return bool(asked(connection, _OTHERS, list(own))[0][0])


def end_prepared(connection: Any) -> None:
    """Roll back what is prepared: while it waits to be committed, not even the database can be dropped."""
    for (name,) in asked(connection, _PREPARED):
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK PREPARED %s", (name,))


def is_emptied(connection: Any, layout: Layout) -> bool:
    """Whether all rows are gone and all sequences begin again. If not, there was too much."""
    written: dict[str, int] = dict(asked(connection, _WRITTEN, list(layout.emptied)))
    if sum(written.values()) > MOST_BYTES:
        return False
    statements = [
        f"TRUNCATE {name}" if name in layout.kept_by_trigger else f"DELETE FROM {name}"  # noqa: S608
        for name in layout.emptied
        if name in written
    ]
    asked(connection, "; ".join((_SEARCH_PATH, *statements, layout.sequences)))
    return True
