"""Error pages: what happened, and what to do."""

from typing import Final

from flask import Flask, Response, render_template, request
from flask_babel import gettext as _
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.wrappers import Response as AnyResponse

from admin.api.problems import problem_response, unavailable
from admin.identity.current_user import ASSET_ENDPOINTS, PUBLIC_ENDPOINTS, current_account, work_without_database
from admin.identity.intended_act import to_login
from admin.web.api_prefix import is_api
from admin.web.reading_slots import RETRY_AFTER_S, Busy
from storage.errors import NotKnown, StorageError
from storage.postgres.timeouts import is_timeout, is_unavailable

_NOT_FOUND: Final = 404
_UNAVAILABLE: Final = 503


def init_app(app: Flask) -> None:
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(CSRFError, _stale_form)
    app.register_error_handler(Busy, _busy)
    app.register_error_handler(StorageError, _storage)
    app.register_error_handler(NotKnown, _not_known)


def _page(status: int, title: str, advice: str) -> tuple[str, int]:
    return render_template("error.html", status=status, title=title, advice=advice), status


def _http(error: HTTPException) -> tuple[str, int] | HTTPException | Response:
    if is_api(request.path):
        return problem_response(error)
    status = error.code or 500
    if error.response is not None or request.endpoint in ASSET_ENDPOINTS:
        return error
    if status == _NOT_FOUND and request.blueprint == "password_link":
        return _page(
            status, _("This link no longer works"), _("It was used, revoked or has expired. Ask for a new one.")
        )
    cause = getattr(error, "original_exception", None)
    if is_timeout(cause):
        return _too_slow()
    if is_unavailable(cause):
        return _away()
    return _page(status, *_words(status))


def _words(status: int) -> tuple[str, str]:
    known = {
        400: (_("Bad request"), _("Go back and try again. If you followed a link, it is broken.")),
        403: (_("Not allowed"), _("Your account has no access to this page. Ask an administrator.")),
        404: (_("Page not found"), _("It may have been removed, or the address may be mistyped.")),
        405: (_("Method not allowed"), _("Open the page from the menu and use its buttons.")),
        413: (_("Too large"), _("Send less at a time.")),
        429: (_("Too many attempts"), _("Wait 15 minutes, then try again.")),
        409: (_("Someone else was faster"), _("Reload the page to see what changed, then try again.")),
        500: (_("Something went wrong here"), _("This is our error. The program’s log has the details.")),
        501: (
            _("Not available here"),
            _("This desk was started without the component for this. Use the command line."),
        ),
    }
    return known.get(status, (_("Something went wrong"), _("Go back and try again.")))


def _stale_form(_error: CSRFError) -> tuple[str, int] | AnyResponse:
    if current_account() is None and request.endpoint not in PUBLIC_ENDPOINTS and not is_api(request.path):
        return to_login()
    return _page(400, _("This form has expired"), _("Go back, reload the page and try again."))


def _storage(_error: StorageError) -> tuple[str, int] | Response:
    return unavailable() if is_api(request.path) else _away()


def _not_known(_error: NotKnown) -> tuple[str, int] | HTTPException | Response:
    """Answer 404 where a view asks for a row that is not there."""
    return _http(NotFound())


def _away() -> tuple[str, int]:
    work_without_database()
    return _page(
        _UNAVAILABLE, _("The database is not responding"), _("Try again in a moment. `zhiwen status` has the details.")
    )


def _busy(error: Busy) -> tuple[str, int, dict[str, str]] | HTTPException | Response:
    if is_api(request.path):
        return problem_response(error)
    title, advice = _("Busy"), _("Other people’s files are being read. Try again in a moment.")
    return *_page(_UNAVAILABLE, title, advice), {"Retry-After": str(RETRY_AFTER_S)}


def _too_slow() -> tuple[str, int]:
    advice = _("The query took too long and was stopped. Narrow the filter, or try again.")
    return _page(_UNAVAILABLE, _("This took too long"), advice)
