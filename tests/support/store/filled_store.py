"""Puts rows into every table of a store, at whatever revision its schema is: what a migration must not lose.

Values are made up from what the database says of its columns: their types, what they refer to, and the words that a
check allows. So a table that a later revision adds is filled, too.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import IntegrityError

ROWS_PER_TABLE = 2
"""Some tables relate two rows of another."""

_COLUMNS = text(
    """SELECT c.oid AS relation, c.relname AS table, a.attname AS name, a.attnum AS number, a.attnotnull AS needed,
        format_type(a.atttypid, a.atttypmod) AS type, (a.atthasdef OR a.attidentity <> '') AS given
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attgenerated = '' AND c.relname <> 'alembic_version'
    ORDER BY c.relname, a.attnum"""
)
_CONSTRAINTS = text(
    """SELECT conrelid AS relation, contype::text AS kind, conkey AS numbers, pg_get_constraintdef(oid) AS said,
        confrelid::regclass::text AS refers
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'p')"""
)
_ALLOWED_WORD = re.compile(r"'([^']+)'::")
_LENGTH = re.compile(r"octet_length\(\w+\) = (\d+)")
_ONLY_ID = re.compile(r"\(id = (\d+)\)")
"""Of a table that holds one row: settings of the installation."""
_WIDTH = re.compile(r"\((\d+)\)")

SAME_AS = {("page_match", "source_page_id"): "low_page_id", ("retelling", "source_page_id"): "low_page_id"}
"""Columns that a check binds to another one."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """A row as it was when it was put in. `key`: its primary key, or all of it."""

    table: str
    revision: str
    key: tuple[tuple[str, Any], ...]
    values: Row


@dataclass(frozen=True, slots=True)
class Column:
    """`given`: the database has a value for it. `refers`: the table whose rows it names; `together`: with others, each
    named as there.
    """

    table: str
    name: str
    number: int
    type: str
    needed: bool
    given: bool
    refers: str | None
    together: bool
    checks: str
    key: bool


def columns_by_table(connection: Connection) -> dict[str, list[Column]]:
    constraints: dict[tuple[int, int], list[Any]] = {}
    for one in connection.execute(_CONSTRAINTS):
        for number in one.numbers or ():
            constraints.setdefault((one.relation, number), []).append(one)
    found: dict[str, list[Column]] = {}
    for row in connection.execute(_COLUMNS):
        bound = constraints.get((row.relation, row.number), [])
        refers = sorted((len(one.numbers) > 1, one.refers.strip('"')) for one in bound if one.kind == "f")
        column = Column(
            row.table, row.name, row.number, row.type, row.needed, row.given,
            refers=refers[0][1] if refers else None,
            together=bool(refers) and refers[0][0],
            checks=" ".join(one.said for one in bound if one.kind == "c"),
            key=any(one.kind == "p" for one in bound),
        )  # fmt: skip
        found.setdefault(row.table, []).append(column)
    return found


def fill(engine: Engine, revision: str, *, number: int) -> list[Kept]:
    """Rows in every table; `number` tells one call's values from another's. Fails where a table takes none."""
    kept: list[Kept] = []
    with engine.begin() as connection:
        tables = columns_by_table(connection)
        rows: dict[str, list[Row]] = {}
        for table in _in_order(tables):
            if _is_full(connection, table, tables[table]):
                continue
            why = ""
            for which in range(ROWS_PER_TABLE):
                row = _inserted(connection, table, tables[table], rows, number * ROWS_PER_TABLE + which)
                if isinstance(row, str):
                    why += row
                else:
                    rows.setdefault(table, []).append(row)
            assert rows.get(table), (
                f"tests/support/store/filled_store.py has to learn how {table} is filled at {revision}: {why}"
            )
            keys = [column.name for column in tables[table] if column.key]
            keys = keys or [column.name for column in tables[table]]
            kept += [Kept(table, revision, tuple((key, row[key]) for key in keys), row) for row in rows[table]]
    return kept


def holds_one_row(columns: list[Column]) -> bool:
    """Whether the table holds settings of the installation: it is filled at one revision only."""
    return any(_ONLY_ID.search(one.checks) for one in columns)


def _is_full(connection: Connection, table: str, columns: list[Column]) -> bool:
    if not holds_one_row(columns):
        return False
    return bool(connection.execute(text(f'SELECT count(*) FROM "{table}"')).scalar_one())  # noqa: S608  # names of ours


def row_of(connection: Connection, kept: Kept) -> Row | None:
    """The row as it is now."""
    where = " AND ".join(f"to_jsonb({name}) = CAST(:{name} AS jsonb)" for name, _ in kept.key)
    values = {name: _json(value) for name, value in kept.key}
    statement = text(f'SELECT to_jsonb(t) FROM "{kept.table}" t WHERE {where}')  # noqa: S608  # names of ours
    return connection.execute(statement, values).scalar_one_or_none()


def _json(value: object) -> str:
    # Bytes are text there that begins with a backslash.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def _in_order(tables: Mapping[str, list[Column]]) -> Iterator[str]:
    """What others refer to first."""
    done: set[str] = set()
    while len(done) < len(tables):
        left = {table: columns for table, columns in tables.items() if table not in done}
        missing = {
            table: [one for one in columns if one.refers not in (None, table, *done)] for table, columns in left.items()
        }
        # First those whose rows can refer to all that they may; then those that can do without.
        ready = [table for table in left if not missing[table]] or [
            table for table in left if not any(one.needed for one in missing[table])
        ]
        assert ready, "tables refer to each other in a circle"
        yield ready[0]
        done.add(ready[0])


def _inserted(
    connection: Connection, table: str, columns: list[Column], rows: Mapping[str, list[Row]], number: int
) -> Row | str:
    """The new row; with all columns where the checks allow it, else with those alone that are needed. Else why not."""
    refused = ""
    needed = [one for one in columns if one.needed and not one.given]
    others = [one for one in columns if one not in needed]
    # Where a check wants one of several and not all: any two of those that are not needed.
    pairs = [] if table in rows else [[*needed, *pair] for pair in combinations(others, 2)]
    for wanted in (columns, needed, *pairs):
        values = _values(wanted, rows, number)
        names = ", ".join(f'"{name}"' for name in values)
        places = ", ".join(f"CAST(:{name} AS {kind})" for name, (kind, _) in values.items())
        statement = f'INSERT INTO "{table}" AS t ({names}) VALUES ({places}) RETURNING to_jsonb(t)'  # noqa: S608
        try:
            with connection.begin_nested():
                found: Row = connection.execute(
                    text(statement if values else f'INSERT INTO "{table}" AS t DEFAULT VALUES RETURNING to_jsonb(t)'),  # noqa: S608
                    {name: value for name, (_, value) in values.items()},
                ).scalar_one()
        except IntegrityError as error:
            refused = refused or str(error.orig)
            continue
        return found
    return refused


def _values(columns: list[Column], rows: Mapping[str, list[Row]], number: int) -> dict[str, tuple[str, object]]:
    values: dict[str, tuple[str, object]] = {}
    met: dict[str, int] = {}
    for column in columns:
        if column.given and column.key:
            continue  # the database numbers them
        if column.refers is not None:
            others = rows.get(column.refers, [])
            if column.together:
                values[column.name] = (column.type, others[number % len(others)][column.name])
                continue
            turn = met[column.refers] = met.get(column.refers, -1) + 1
            if others:
                values[column.name] = (column.type, others[(number + turn) % len(others)]["id"])
        else:
            values[column.name] = (column.type, _value(column, number))
    for (table, name), other in SAME_AS.items():
        if name in values and columns[0].table == table:
            values[name] = values[other]
    return values


def _value(column: Column, number: int) -> object:
    if only := _ONLY_ID.search(column.checks):
        return int(only[1])
    word = _ALLOWED_WORD.search(column.checks)
    made = word[1] if word else f"{column.name} 之 {number}"
    kind = column.type
    if kind.endswith("[]"):
        return f"{{{word[1] if word else number}}}"
    width = _WIDTH.search(kind)
    if kind.startswith(("character varying", "text")):
        return made[: int(width[1])] if width else made
    length = _LENGTH.search(column.checks)
    simple: dict[str, object] = {
        "bit varying": "01",
        "boolean": False,
        "bytea": number.to_bytes(int(length[1]) if length else 32),
        "date": str(date(2026, 1, 5) + timedelta(days=number)),
        "double precision": 0.5,
        "jsonb": "{}",
        "real": 0.5,
        "time without time zone": f"0{column.number % 8}:00",
        "timestamp with time zone": f"2026-01-{1 + number % 28:02} 00:{column.number % 60:02}:00+00",
    }
    return simple.get(kind, number)
