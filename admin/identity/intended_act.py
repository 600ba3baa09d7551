"""A decision that was sent after the login had expired: kept through the login, and shown again to be confirmed.

It travels in the address after the login, signed, and nothing is done by it alone: the page that opens it shows what it
is, with a form of its own.
"""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from flask import flash, redirect, request, url_for
from flask_babel import gettext as _
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response as AnyResponse

from admin.web.rendering.safe_links import local_path
from admin.web.services import current_services

KEPT_BLUEPRINTS: Final = frozenset({"case_acts"})
KEPT_ENDPOINTS: Final = frozenset({"cases.decide", "case_pages.decide"})
"""Decisions of cases. Other forms are filled in again: their page is shown after the login."""
KEPT_S: Final = 3_600
MOST_CHARS: Final = 3_000
"""Of the signed act, which becomes part of an address."""
_SALT: Final = "intended act"


@dataclass(frozen=True, slots=True)
class IntendedAct:
    """A form that was sent: to which path, with which fields, from which page."""

    path: str
    fields: tuple[tuple[str, str], ...]
    back: str

    def field(self, name: str) -> str:
        return next((value for key, value in self.fields if key == name), "")


def to_login() -> AnyResponse:
    """Redirect this request to the login, and afterwards back to where it came from."""
    if request.method in ("GET", "HEAD"):
        wanted: str | None = request.full_path.rstrip("?")
    else:
        flash(_("Your login has expired. Log in again; your decision is then shown and nothing is lost."))
        wanted = _after_login()
    return redirect(url_for("login.form", next=wanted if wanted != "/" else None))


def opened(token: str) -> IntendedAct | None:
    """The act that `token` carries; None for one that is old or was not signed here."""
    try:
        path, fields, back = _serializer().loads(token, max_age=KEPT_S)
    except BadSignature:
        return None
    return IntendedAct(path, tuple((str(key), str(value)) for key, value in fields), back)


def _after_login() -> str | None:
    back = _page_before()
    if back is None:
        return None
    is_kept = request.blueprint in KEPT_BLUEPRINTS or request.endpoint in KEPT_ENDPOINTS
    if not is_kept or request.files:
        return back
    fields = [(key, value) for key, value in request.form.items(multi=True) if key != "csrf_token"]
    token = _serializer().dumps((request.full_path.rstrip("?"), fields, back))
    return url_for("intended.form", act=token) if len(token) <= MOST_CHARS else back


def _page_before() -> str | None:
    """The page of this desk whose form was sent; None if it was sent from elsewhere, or the browser does not say."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return None
    try:
        parts = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return None
    if parts.netloc != request.host:
        return None
    return local_path(f"{parts.path}?{parts.query}" if parts.query else parts.path, otherwise="/")


def _serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_services().secret_key, salt=_SALT)
