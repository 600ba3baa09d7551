"""Retry of a unit of work while the database is unavailable."""

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeVar

from sqlalchemy.exc import DBAPIError

from storage.errors import StoreFailed

T = TypeVar("T")

LONGEST_OUTAGE_S: Final = 600.0
FIRST_WAIT_S: Final = 0.2
LONGEST_WAIT_S: Final = 5.0

_PASSING: Final = ("08", "57P", "40", "53300")
"""Prefixes of SQLSTATE that may pass: connection lost, server stopping or starting, serialisation failure and deadlock,
too many connections. A full disk (53100) does not pass."""

_OF_SERVER: Final = ("08", "53", "57P")
"""Prefixes of SQLSTATE: connection lost, no memory, disk space or connections left, server stopping or starting."""

log = logging.getLogger(__name__)


def passes(error: DBAPIError) -> bool:
    """Whether the same work may succeed later."""
    code = getattr(error.orig, "pgcode", None)
    if code is None:
        # No answer: the connection failed or broke.
        return error.connection_invalidated or type(error.orig).__name__ in ("OperationalError", "InterfaceError")
    return str(code).startswith(_PASSING)


def is_of_server(error: Exception) -> bool:
    """Whether an error is of the server as a whole, so that other work fails too: it is away, or its disk is full."""
    if not isinstance(error, DBAPIError):
        return False
    code = getattr(error.orig, "pgcode", None)
    return passes(error) if code is None else str(code).startswith(_OF_SERVER)


def failure_of_server(error: Exception) -> str | None:
    """Return what to tell about an error that ended a command and is of the server as a whole; None for another."""
    if not is_of_server(error):
        return None
    return f"The database failed: {_reason(error)}. What was stored before is kept: see that it runs, and try again."


def _reason(error: Exception) -> str:
    return (str(getattr(error, "orig", error)).strip() or "no answer").splitlines()[0].rstrip(".")


def retry_while_unavailable(work: Callable[[], T], *, stop: threading.Event, longest_s: float = LONGEST_OUTAGE_S) -> T:
    """Runs `work`, a whole transaction, and retries it for up to `longest_s` seconds while the database is unavailable.

    Raises StoreFailed if retrying does not help, the time is over, or `stop` is set. A commit whose answer was lost is
    repeated: `work` must be idempotent.
    """
    began, wait_s = monotonic(), FIRST_WAIT_S
    while True:
        try:
            return work()
        except DBAPIError as error:
            if not passes(error) or stop.is_set() or monotonic() - began > longest_s:
                raise StoreFailed(_reason(error)) from error
            log.warning("The database is away: %s; trying again in %.1f s", error.orig, wait_s)
        stop.wait(wait_s)
        wait_s = min(LONGEST_WAIT_S, wait_s * 2)
