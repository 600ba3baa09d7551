"""Statements that the database reads and plans once for each connection, and not for each text that is compared.

To read and plan the five statements of a comparison anew took a quarter of the time that it spends in the database.
A pooler that gives each transaction another connection cannot be used with them, nor with our locks and queue.
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
    """`name` is the only one of its kind; `types`: of each parameter the database's type."""

    name: str
    types: Mapping[str, str]
    text: str
    """Parameters as `:name`."""

    def ready(self, session: Session) -> Connection:
        """The session's connection, on which it is prepared now."""
        connection = session.connection()
        made: set[str] = connection.info.setdefault(_MADE, set())
        if self.name not in made:
            # It outlives a transaction that is rolled back. (To the driver % begins a parameter.)
            connection.exec_driver_sql(self._definition.replace("%", "%%"))
            made.add(self.name)
        return connection

    def execute(self, session: Session, parameters: Mapping[str, Any]) -> CursorResult[Any]:
        """Values as the driver gives them. To compile the call would take as long as to plan it."""
        return self.ready(session).exec_driver_sql(self._call, dict(parameters))

    @cached_property
    def call(self) -> TextClause:
        """To be executed on the connection that is `ready`, with other types than the driver's."""
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
    """Without parameters there are no parentheses either."""
    listed = ", ".join(parts)
    return f"({listed})" if listed else ""
