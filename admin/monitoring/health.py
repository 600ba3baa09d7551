"""Health checks: process, database, schema and worker."""

from datetime import timedelta
from typing import Final

from flask import Blueprint

from admin.web.services import current_services
from storage import migrate
from storage.engine import check_server, transaction
from storage.errors import StorageError
from storage.jobs import queue
from storage.monitoring.metrics import worker_seen_at

SEEN_LATELY: Final = timedelta(minutes=2)
"""A worker reports every ten seconds; a restart takes a while."""

_PLAIN: Final = {"Content-Type": "text/plain; charset=utf-8"}
_READY: Final = 200
_NOT_READY: Final = 503

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> tuple[str, int, dict[str, str]]:
    # Does not reveal the database's address: this page needs no login.
    try:
        check_server(current_services().engine)
    except StorageError:
        return "database unreachable\n", _NOT_READY, _PLAIN
    return "ok\n", _READY, _PLAIN


@blueprint.get("/readyz")
def readyz() -> tuple[str, int, dict[str, str]]:
    """Readiness in three lines: database, schema, worker. Anything but `ok` is a 503."""
    found = {"database": "unreachable", "schema": "unknown", "worker": "unknown"}
    try:
        check_server(current_services().engine)
        found["database"] = "ok"
        found["schema"] = "ok" if migrate.current(current_services().engine) == migrate.head() else "not current"
        if found["schema"] == "ok":
            found["worker"] = "ok" if _has_worker() else "not seen lately"
    except StorageError:
        pass
    is_ready = set(found.values()) == {"ok"}
    lines = "".join(f"{name} {state}\n" for name, state in found.items())
    return lines, _READY if is_ready else _NOT_READY, _PLAIN


def _has_worker() -> bool:
    with transaction(current_services().engine) as session:
        seen_at = worker_seen_at(session)
        return seen_at is not None and queue.database_time(session) - seen_at < SEEN_LATELY
