"""Statements that are parsed and planned once per connection.

Parsing and planning the five statements of a comparison took a quarter of its time in the database. Transaction pooling
cannot be used with them, nor with our locks and queue.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from sqlalchemy import Connection, CursorResult, TextClause, text
from sqlalchemy.orm import Session

_PARAMETER: Final = re.compile(r"(?<!:):(\w+)")
_MADE: Final = "zhiwen_prepared"


@dataclass(frozen=True, eq=False)
class Prepared:
    """A prepared statement. `name` is unique; `types`: the SQL type of each parameter."""

    name: str
    types: Mapping[str, str]
    text: str
    """Parameters as `:name`."""

    def ready(self, session: Session) -> Connection:
        """The session's connection, with the statement prepared on it."""
        connection = session.connection()
        made: set[str] = connection.info.setdefault(_MADE, set())
        if self.name not in made:
            # It outlives a rollback. (% is escaped for the driver.)
            connection.exec_driver_sql(self._definition.replace("%", "%%"))
            made.add(self.name)
        return connection

    def execute(self, session: Session, parameters: Mapping[str, Any]) -> CursorResult[Any]:
        """Executes it without SQLAlchemy's types: compiling the call would take as long as planning it."""
        return self.ready(session).exec_driver_sql(self._call, dict(parameters))

    @cached_property
    def call(self) -> TextClause:
        """The call for a connection that is `ready`, for use with SQLAlchemy's types."""
        return text(f"EXECUTE {self.name}{_listed(f':{parameter}' for parameter in self.types)}")

    @cached_property
    def _call(self) -> str:
        return f"EXECUTE {self.name}{_listed(f'%({parameter})s' for parameter in self.types)}"

    @cached_property
    def _definition(self) -> str:
        numbers = {parameter: f"${number}" for number, parameter in enumerate(self.types, start=1)}
        statement = _PARAMETER.sub(lambda found: numbers[found[1]], self.text)
        return f"PREPARE {self.name}{_listed(self.types.values())} AS {statement}"


def _listed(parts: Iterable[str]) -> str:
    """In parentheses; empty without parts."""
    listed = ", ".join(parts)
    return f"({listed})" if listed else ""
