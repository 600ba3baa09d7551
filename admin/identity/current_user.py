"""The current user: session, account, and the rule that every page needs a login."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, cast

import flask_login
from flask import Flask, Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.intended_act import to_login
from admin.web.api_prefix import is_api
from admin.web.db_session import database
from storage.accounts import sessions
from storage.accounts.sessions import SessionRecord
from storage.records.accounts import AccountRecord

SESSION_LIFETIME: Final = timedelta(hours=12)
"""Without a request. A working day: the next morning needs a new login."""

PUBLIC_ENDPOINTS: Final = frozenset(
    {
        *("login.form", "login.enter", "second_step.form", "second_step.enter", "language.switch"),
        *("first_account.form", "first_account.create"),
        # They ask for a log-in themselves unless this installation shows certificates to whoever has the number.
        *("certificates.index", "certificates.show", "certificates.compare"),
        *("health.healthz", "feeds.atom", "health.readyz", "metrics.show", "password_link.form", "password_link.save"),
    }
)
ASSET_ENDPOINTS: Final = frozenset({"static", "bootstrap.static", "style.bootstrap"})
_BEFORE_A_PASSWORD_IS_CHOSEN: Final = frozenset({"account.index", "account.change_password", "login.leave"})


@dataclass(frozen=True, slots=True)
class Person:
    """A logged-in account, as Flask-Login expects it."""

    account: AccountRecord
    secret: str
    """Secret of the session; the browser holds it in its signed cookie."""
    session: SessionRecord | None = None
    is_authenticated: bool = True
    is_anonymous: bool = False

    @property
    def is_active(self) -> bool:
        return self.account.enabled

    def get_id(self) -> str:
        return self.secret


def current_account() -> AccountRecord | None:
    person = flask_login.current_user
    return cast("AccountRecord", person.account) if person.is_authenticated else None


def current_session() -> SessionRecord | None:
    person = flask_login.current_user
    return cast("SessionRecord | None", person.session) if person.is_authenticated else None


def init_app(app: Flask) -> None:
    manager = flask_login.LoginManager(app)
    manager.user_loader(_load)
    app.before_request(_require_login)
    app.after_request(_keep_out_of_caches)


def work_without_database() -> None:
    """Treat the request as anonymous and make no query, for the page that says that the database is unavailable."""
    g.is_database_away = True


def _load(secret: str) -> Person | None:
    if g.get("is_database_away"):
        return None
    now = datetime.now(UTC)
    found = sessions.account_of_session(database(), secret, at=now, seen_since=now - SESSION_LIFETIME)
    if found is None:
        return None
    account, session = found
    return Person(account, secret, session)


def _require_login() -> AnyResponse | None:
    """Redirect to the login unless the endpoint is listed as public: a page that somebody forgets to protect is
    protected.
    """
    endpoint = request.endpoint
    if endpoint in PUBLIC_ENDPOINTS | ASSET_ENDPOINTS or is_api(request.path):
        return None
    account = current_account()
    if account is None:
        return to_login()
    if account.must_change_password and endpoint not in _BEFORE_A_PASSWORD_IS_CHOSEN:
        return redirect(url_for("account.index"))
    return None


def _keep_out_of_caches(response: Response) -> Response:
    if request.endpoint not in ASSET_ENDPOINTS:
        response.headers["Cache-Control"] = "no-store"
    return response
