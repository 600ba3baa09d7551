"""One database session per request: opened by the first query, committed before a good answer leaves."""

from contextlib import ExitStack
from typing import TYPE_CHECKING, cast

from flask import Flask, Response, g

from admin.desk import desk
from storage.engine import transaction

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_FIRST_ERROR_STATUS = 400


class _AnswerIsAnError(Exception):
    """Ends a transaction without keeping anything."""


def database() -> "Session":
    """The session of the current request."""
    if "session" not in g:
        g.unit_of_work = ExitStack()
        g.session = g.unit_of_work.enter_context(transaction(desk().engine))
    return cast("Session", g.session)


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
