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
            status, _("This link opens nothing any more"), _("It was used, taken back or too old. Ask for another one.")
        )
    cause = getattr(error, "original_exception", None)
    if is_timeout(cause):
        return _too_slow()
    if is_unavailable(cause):
        return _away()
    return _page(status, *_words(status))


def _words(status: int) -> tuple[str, str]:
    known = {
        400: (_("This request cannot be read"), _("Go back and try again; if a link led you here, it is broken.")),
        403: (_("Not allowed"), _("Your account may not see this page. Ask whoever runs this installation.")),
        404: (_("There is no such page"), _("It may have been removed, or the address is mistyped.")),
        405: (_("Not possible this way"), _("Open the page from the menu and use its buttons.")),
        413: (_("Too large"), _("Send less at once.")),
        429: (_("Too many attempts"), _("Wait a quarter of an hour, then try again.")),
        409: (_("Somebody was faster"), _("Load the page again to see what happened, then repeat what you did.")),
        500: (_("Something went wrong here"), _("It is our fault, not yours. The log of the program says more.")),
        501: (
            _("Not connected here"),
            _("This desk was started without the part that does this. Use the command line."),
        ),
    }
    return known.get(status, (_("Something went wrong"), _("Go back and try again.")))


def _stale_form(_error: CSRFError) -> tuple[str, int] | AnyResponse:
    if current_account() is None and request.endpoint not in PUBLIC_ENDPOINTS and not is_api(request.path):
        return to_login()
    return _page(400, _("This form has expired"), _("Go back, load the page again and repeat what you did."))


def _storage(_error: StorageError) -> tuple[str, int] | Response:
    return unavailable() if is_api(request.path) else _away()


def _not_known(_error: NotKnown) -> tuple[str, int] | HTTPException | Response:
    """Answer 404 where a view asks for a row that is not there."""
    return _http(NotFound())


def _away() -> tuple[str, int]:
    work_without_database()
    return _page(
        _UNAVAILABLE, _("The database does not answer"), _("Try again in a moment; `zhiwen status` says more.")
    )


def _busy(error: Busy) -> tuple[str, int, dict[str, str]] | HTTPException | Response:
    if is_api(request.path):
        return problem_response(error)
    title, advice = _("Busy"), _("Other people's documents are being read. Try again in a moment.")
    return *_page(_UNAVAILABLE, title, advice), {"Retry-After": str(RETRY_AFTER_S)}


def _too_slow() -> tuple[str, int]:
    advice = _("The database was stopped after a while, so that others need not wait. Narrow the filter, or try again.")
    return _page(_UNAVAILABLE, _("This took too long"), advice)
