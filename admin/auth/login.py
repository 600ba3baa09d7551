"""Login and logout. Limits of wrong passwords are stored, so that they hold over restarts and for all processes."""

from typing import Final

import flask_login
from flask import Blueprint, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.auth.authentication import authenticate
from admin.auth.login_attempts import counted_attempt, enter, target
from admin.auth.two_factor_login import ask_for_code
from admin.identity.audit import note
from admin.identity.current_user import current_session
from admin.identity.language import chosen_language, remember_language
from admin.identity.permissions import actor, needs
from admin.web.db_session import database
from admin.web.rate_limits import limiter
from storage.accounts import first_account, login_attempts, sessions, two_factor
from storage.types import AccountRole

ATTEMPTS_BY_ADDRESS: Final = "60 per minute"
"""Includes successful logins: each costs a tenth of a second of CPU time."""

_LONGEST_NAME: Final = 80


blueprint = Blueprint("login", __name__)


@blueprint.get("/login")
def form() -> str | AnyResponse:
    if flask_login.current_user.is_authenticated:
        return redirect(target())
    is_first = not first_account.has_accounts(database())
    return render_template("auth/login.html", name="", target=target(), is_first=is_first)


@blueprint.post("/login", endpoint="enter")
@limiter.limit(ATTEMPTS_BY_ADDRESS)
def submit() -> tuple[str, int] | AnyResponse:
    name = _submitted_name()
    attempt = counted_attempt(name)
    account = authenticate(name, request.form.get("password", ""))
    if account is None:
        wrong = _("Wrong name or password.")
        return render_template("auth/login.html", name=name, target=target(), problem=wrong), 401
    login_attempts.forget_attempt(database(), attempt)
    login_attempts.forget_name(database(), name)
    if two_factor.is_enabled(database(), account.id):
        return ask_for_code(account)
    return enter(account)


@blueprint.post("/logout", endpoint="leave")
@needs(AccountRole.VIEWER)
def log_out() -> AnyResponse:
    ending = current_session()
    if ending is not None:
        sessions.end_session(database(), ending.account_id, ending.id)
        note("session.end", actor().name)
    flask_login.logout_user()
    language = chosen_language()
    session.clear()
    remember_language(language)
    return redirect(url_for("login.form"))


def _submitted_name() -> str:
    return request.form.get("name", "").strip().replace("\0", "")[:_LONGEST_NAME]
