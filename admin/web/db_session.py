"""One database session per request: opened by the first query, committed before a good answer leaves."""

from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, cast

from flask import Flask, Response, g, request

from admin.web.services import desk
from storage.engine import transaction
from storage.postgres.timeouts import limit_statements

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

READING_LIMIT_MS: Final = 15_000
"""Of one statement. A page that takes longer is a mistake of ours, or a filter too wide; nobody waits for it."""
CHANGING_LIMIT_MS: Final = 60_000
LONG_LIMIT_MS: Final = 600_000

_READING: Final = frozenset({"GET", "HEAD"})
_FIRST_ERROR_STATUS: Final = 400


class _AnswerIsAnError(Exception):
    """Ends a transaction without keeping anything."""


def database() -> "Session":
    """The session of the current request."""
    if "session" not in g:
        g.unit_of_work = ExitStack()
        g.session = g.unit_of_work.enter_context(transaction(desk().engine))
        limit_statements(g.session, READING_LIMIT_MS if request.method in _READING else CHANGING_LIMIT_MS)
    return cast("Session", g.session)


def allow_long_work() -> None:
    """For a change that may touch a million rows, and that a person asked for knowing so."""
    limit_statements(database(), LONG_LIMIT_MS)


def let_go() -> None:
    """Commits and gives the connection back, before something that takes long; the next query opens another one."""
    work = _take()
    if work is not None:
        work.close()


def init_app(app: Flask) -> None:
    # Before the answer leaves, not at teardown: a commit that fails must still become a 500.
    app.after_request(_commit_if_good)
    app.teardown_appcontext(_roll_back_what_is_open)


def _commit_if_good(response: Response) -> Response:
    if response.status_code < _FIRST_ERROR_STATUS:
        work = _take()
        if work is not None:
            work.close()
    return response


def _roll_back_what_is_open(_error: BaseException | None) -> None:
    work = _take()
    if work is None:
        return
    # The session re-raises what ends it: that is the sign that nothing was kept.
    error = _AnswerIsAnError()
    work.__exit__(_AnswerIsAnError, error, None)


def _take() -> ExitStack | None:
    g.pop("session", None)
    return cast("ExitStack | None", g.pop("unit_of_work", None))
