"""How many rows a database reads to answer: by EXPLAIN ANALYZE of what was asked, so no clock is needed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, event

READING = ("SELECT", "WITH", "(SELECT", "EXECUTE")

_REMOVED = ("Rows Removed by Filter", "Rows Removed by Join Filter", "Rows Removed by Index Recheck")


@dataclass
class Asked:
    """Statements with their values, as they went to the database."""

    statements: list[tuple[str, Any]] = field(default_factory=list)

    def rows_touched(self, connection: Connection) -> dict[str, int]:
        """Of each statement that reads: all rows that any step of its plan handled, also those it threw away."""
        cursor = connection.connection.cursor()
        touched = {}
        for sql, values in self.statements:
            if sql.lstrip().upper().startswith(READING):
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", values)
                ((plan,),) = cursor.fetchall()
                touched[" ".join(sql.split())] = _touched(plan[0]["Plan"])
        return touched


@contextmanager
def asked(bind: Engine | Connection) -> Iterator[Asked]:
    """Notes what is asked through `bind`."""
    noted = Asked()

    def before(_connection: object, _cursor: object, sql: str, values: Any, _context: object, _many: bool) -> None:
        noted.statements.append((sql, values))

    event.listen(bind, "before_cursor_execute", before)
    try:
        yield noted
    finally:
        event.remove(bind, "before_cursor_execute", before)


def _touched(node: dict[str, Any]) -> int:
    handled = node["Actual Rows"] + sum(node.get(name, 0) for name in _REMOVED)
    return int(node["Actual Loops"] * handled) + sum(map(_touched, node.get("Plans", ())))
