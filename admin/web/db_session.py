"""One database session per request: opened by the first query, committed before a successful answer is sent."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, cast

from flask import Flask, Response, g, request

from admin.web.services import current_services
from storage.engine import transaction
from storage.postgres.planner import without_merge_joins
from storage.postgres.timeouts import limit_statements

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

READING_LIMIT_MS: Final = 15_000
"""Time limit of one statement. A page that takes longer is our mistake, or a filter that is too wide."""
CHANGING_LIMIT_MS: Final = 60_000
LONG_LIMIT_MS: Final = 600_000

READING: Final = frozenset({"GET", "HEAD"})
_FIRST_ERROR_STATUS: Final = 400


class _AnswerIsAnError(Exception):
    """Rolls a transaction back."""


def database() -> "Session":
    """The session of the current request."""
    if "session" not in g:
        _open(current_services().engine)
    return cast("Session", g.session)


@contextmanager
def reading_from(engine: "Engine") -> Iterator[None]:
    """Until the end of the block, `database()` is a session on `engine`. What was open before is committed."""
    let_go()
    _open(engine)
    try:
        yield
    except BaseException:
        _roll_back_what_is_open(None)
        raise
    let_go()


def _open(engine: "Engine") -> None:
    g.unit_of_work = ExitStack()
    g.session = g.unit_of_work.enter_context(transaction(engine))
    limit_statements(g.session, READING_LIMIT_MS if request.method in READING else CHANGING_LIMIT_MS)
    without_merge_joins(g.session)


def allow_long_work() -> None:
    """Raise the time limit for a change that may touch a million rows and that the user confirmed."""
    limit_statements(database(), LONG_LIMIT_MS)


def let_go() -> None:
    """Commit and return the connection to the pool before long work; the next query opens another one."""
    work = _take()
    if work is not None:
        work.close()


def init_app(app: Flask) -> None:
    # Before the answer is sent, not at teardown: a commit that fails must still become a 500.
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
    # The session re-raises this error after its rollback.
    error = _AnswerIsAnError()
    work.__exit__(_AnswerIsAnError, error, None)


def _take() -> ExitStack | None:
    g.pop("session", None)
    return cast("ExitStack | None", g.pop("unit_of_work", None))
