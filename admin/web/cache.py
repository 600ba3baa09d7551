"""A cache of figures that are read from the database at most every few seconds."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from storage.engine import transaction
from storage.monitoring.metrics import Figures, read_figures
from storage.postgres.planner import without_merge_joins
from storage.postgres.timeouts import limit_statements

if TYPE_CHECKING:
    from sqlalchemy import Engine

KEPT_S: Final = 15.0
LIMIT_MS: Final = 2_000
"""Time limit of each statement: monitoring must not become the load."""


def read_from(engine: "Engine") -> Figures:
    """Read the figures; raises what the database raises."""
    with transaction(engine) as session:
        limit_statements(session, LIMIT_MS)
        without_merge_joins(session)
        return read_figures(session)


@dataclass(slots=True)
class Cached:
    """`read` is called by one thread at a time. While it runs, and after it failed, the last figures are returned."""

    read: Callable[[], Figures]
    clock: Callable[[], float] = time.monotonic
    kept_s: float = KEPT_S
    problem: BaseException | None = None
    """Error of the last reading."""
    _figures: Figures | None = None
    _tried_at: float | None = None
    _reading: threading.Lock = field(default_factory=threading.Lock)

    def figures(self) -> Figures | None:
        """The figures; None before the first successful reading."""
        if self._figures is not None and self._reading.locked():
            return self._figures
        with self._reading:
            if self._tried_at is None or self.clock() - self._tried_at >= self.kept_s:
                self._tried_at = self.clock()
                try:
                    self._figures, self.problem = self.read(), None
                except Exception as error:  # any error is reported as a metric
                    self.problem = error
        return self._figures
