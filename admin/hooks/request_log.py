"""Request log: one line for each request, and context for all lines written during it.

Routes are logged as patterns with row ids: a full URL may hold a secret, in its path or its query string.
"""

import logging
import time
from typing import Final

from flask import Flask, Response, g, request

from admin.identity.current_user import ASSET_ENDPOINTS, current_account
from storage import log_context

QUIET: Final = ASSET_ENDPOINTS | {"health.healthz", "health.readyz", "metrics.show"}
"""Endpoints that are requested every few seconds, or with every page."""

_NUMBER: Final = "_id"

log = logging.getLogger(__name__)


def init_app(app: Flask) -> None:
    app.before_request(_begin)
    app.after_request(_log_request)
    app.teardown_request(_end)


def _begin() -> None:
    rule = request.url_rule
    numbers = {
        name.removesuffix(_NUMBER): value for name, value in (request.view_args or {}).items() if name.endswith(_NUMBER)
    }
    g.log_about = log_context.about(route=None if rule is None else rule.rule, **numbers)
    g.log_about.__enter__()
    g.log_since = time.monotonic()


def _log_request(response: Response) -> Response:
    if request.endpoint not in QUIET and "log_since" in g:
        route = "(no such page)" if request.url_rule is None else request.url_rule.rule
        ms = round((time.monotonic() - g.log_since) * 1_000)
        account = current_account() if "_login_user" in g else None
        facts = {"method": request.method, "status": response.status_code, "ms": ms}
        facts |= {} if account is None else {"account": account.id}
        log.info("%s %s: %s", request.method, route, response.status_code, extra=facts)
    return response


def _end(_error: BaseException | None) -> None:
    around = g.pop("log_about", None)
    if around is not None:
        around.__exit__(None, None, None)
