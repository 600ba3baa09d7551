"""For whoever watches this process: does it answer, and does its database?"""

from flask import Blueprint

from admin.desk import desk
from storage.engine import check_server
from storage.errors import StorageError

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> tuple[str, int, dict[str, str]]:
    # Says nothing of where the database is: this page needs no log-in.
    plain = {"Content-Type": "text/plain; charset=utf-8"}
    try:
        check_server(desk().engine)
    except StorageError:
        return "database unreachable\n", 503, plain
    return "ok\n", 200, plain
