"""Log-in and log-out, with a limit on wrong passwords that outlives restarts and holds for all processes."""

from datetime import UTC, datetime, timedelta
from typing import Final

import flask_login
from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from flask_limiter import Limiter
from werkzeug.wrappers import Response as AnyResponse

from admin.auth import authenticate, current_session, log_in
from admin.browsers import browser_name
from admin.desk import desk
from admin.language import chosen_language, remember_language
from admin.links import local_path
from admin.roles import actor, needs
from admin.session import database
from storage import audit, desk_sessions, lockout
from storage.engine import transaction
from storage.types import AccountRole

FAILURES_BY_NAME: Final = 10
"""In the window, and from wherever: a guesser gets forty tries an hour for an account."""
FAILURES_BY_ADDRESS: Final = 30
"""One address trying many names; above what an office behind one address mistypes."""
WINDOW: Final = timedelta(minutes=15)
ATTEMPTS_BY_ADDRESS: Final = "60 per minute"
"""Right ones among them: each costs a tenth of a second of a core."""

_UNAUTHORIZED: Final = 401
_TOO_MANY: Final = 429
_LONGEST_NAME: Final = 80


def blueprint(limiter: Limiter) -> Blueprint:
    login = Blueprint("login", __name__)
    login.add_url_rule("/login", "form", _form)
    login.add_url_rule("/login", "enter", limiter.limit(ATTEMPTS_BY_ADDRESS)(_enter), methods=["POST"])
    login.add_url_rule("/logout", "leave", _leave, methods=["POST"])
    return login


def _form() -> str | AnyResponse:
    if flask_login.current_user.is_authenticated:
        return redirect(_target())
    return render_template("login.html", name="", target=_target())


def _enter() -> tuple[str, int] | AnyResponse:
    name = _submitted_name()
    attempt = _counted_attempt(name)
    account = authenticate(name, request.form.get("password", ""))
    if account is None:
        wrong = _("The name or the password is wrong.")
        return render_template("login.html", name=name, target=_target(), problem=wrong), _UNAUTHORIZED
    lockout.forget_attempt(database(), attempt)
    lockout.forget_name(database(), name)
    # A session that somebody else began must not become this person's; only the language may stay.
    language = chosen_language()
    session.clear()
    remember_language(language)
    session.permanent = True
    log_in(account)
    audit.record(database(), actor=account, act="session.begin", subject=account.name, detail=_from_where())
    return redirect(_target())


def _counted_attempt(name: str) -> int:
    """The number of this attempt, counted before its password is looked at. Too many end here, with the same words
    whether or not there is such an account.
    """
    now, address = datetime.now(UTC), request.remote_addr or ""
    with transaction(desk().engine) as counting:
        attempt = lockout.begin_attempt(counting, name, address, at=now)
    with transaction(desk().engine) as counting:
        found = lockout.failures(counting, name, address, since=now - WINDOW)
        is_too_many = found.by_name > FAILURES_BY_NAME or found.by_address > FAILURES_BY_ADDRESS
        if is_too_many:
            lockout.forget_attempt(counting, attempt)
    if is_too_many:
        abort(_TOO_MANY)
    return attempt


@needs(AccountRole.VIEWER)
def _leave() -> AnyResponse:
    ending = current_session()
    if ending is not None:
        desk_sessions.end_session(database(), ending.account_id, ending.id)
        audit.record(database(), actor=actor(), act="session.end", subject=actor().name)
    flask_login.logout_user()
    language = chosen_language()
    session.clear()
    remember_language(language)
    return redirect(url_for("login.form"))


def _from_where() -> dict[str, str]:
    return {"address": request.remote_addr or "", "browser": browser_name(request.user_agent.string)}


def _submitted_name() -> str:
    return request.form.get("name", "").strip().replace("\0", "")[:_LONGEST_NAME]


def _target() -> str:
    return local_path(request.values.get("next"), otherwise=url_for("home.index"))
