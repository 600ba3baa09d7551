"""Requests that only read, answered from a replica of the database where there is one.

Lists and analysis are marked with `reads_replica`, checks call `on_replica`. Everything else asks the primary. A person
sees what he changed himself: after each change his session remembers the position of the primary's log, and the replica
answers once it has replayed it. What others changed shows after the replica's lag, which is bounded.
"""

from collections.abc import Callable
from functools import wraps
from time import time
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from flask import Flask, Response, request, session

from admin.web import db_session
from admin.web.api_prefix import is_api
from admin.web.services import current_services

if TYPE_CHECKING:
    from storage.postgres.replica import Replica

P = ParamSpec("P")
T = TypeVar("T")

_WRITTEN: Final = "written"
"""Key in the session cookie: position of the log after the last change, and when that was."""
_REMEMBERED_S: Final = 60.0
"""Beyond the bound on the lag: older changes are on every replica that is used."""
_FIRST_ERROR_STATUS: Final = 400


def reads_replica(view: Callable[P, T]) -> Callable[P, T]:
    """A view that only reads. It is called again on the primary if the replica fails."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> T:
        return on_replica(lambda: view(*args, **kwargs))

    return answer


def on_replica(work: Callable[[], T]) -> T:
    """Runs `work`, whose `database()` is on the replica, or on the primary if the replica is away, late or fails."""
    replica = current_services().replica
    if replica is None or not replica.reads(after=_position_to_see(replica)):
        return work()
    try:
        with db_session.reading_from(replica.engine):
            return work()
    except Exception as error:
        if not replica.failed(error):
            raise
    return work()


def init_app(app: Flask) -> None:
    """Must be called before `db_session.init_app`: the position is read after the commit."""
    app.after_request(_remember_change)


def _remember_change(response: Response) -> Response:
    replica = current_services().replica
    is_change = request.method not in db_session.READING and response.status_code < _FIRST_ERROR_STATUS
    if replica is not None and is_change and not is_api(request.path):
        session[_WRITTEN] = [replica.written(), time()]
    return response


def _position_to_see(replica: "Replica") -> int:
    if is_api(request.path):
        return 0
    position, at = session.get(_WRITTEN, (0, 0.0))
    return int(position) if time() - at < replica.longest_lag_s + _REMEMBERED_S else 0
