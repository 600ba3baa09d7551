"""Figures that are read from the database at most every few seconds, however often they are asked for."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from storage.engine import transaction
from storage.monitoring.metrics import Figures, read_figures
from storage.postgres.timeouts import limit_statements

if TYPE_CHECKING:
    from sqlalchemy import Engine

KEPT_S: Final = 15.0
LIMIT_MS: Final = 2_000
"""Of each statement: whoever watches shall not be what there is to see."""


def read_from(engine: "Engine") -> Figures:
    """Raises what the database raises."""
    with transaction(engine) as session:
        limit_statements(session, LIMIT_MS)
        return read_figures(session)


@dataclass(slots=True)
class Cached:
    """`read` is called by one thread at a time. While it reads, and where it fails, there is what was read last."""

    read: Callable[[], Figures]
    clock: Callable[[], float] = time.monotonic
    kept_s: float = KEPT_S
    problem: BaseException | None = None
    """What the last reading failed of."""
    _figures: Figures | None = None
    _tried_at: float | None = None
    _reading: threading.Lock = field(default_factory=threading.Lock)

    def figures(self) -> Figures | None:
        """None where none was ever read."""
        if self._figures is not None and self._reading.locked():
            return self._figures
        with self._reading:
            if self._tried_at is None or self.clock() - self._tried_at >= self.kept_s:
                self._tried_at = self.clock()
                try:
                    self._figures, self.problem = self.read(), None
                except Exception as error:  # whatever it is, it is told as a figure
                    self.problem = error
        return self._figures
