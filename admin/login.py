"""Log-in and log-out, with a limit on wrong passwords."""

from datetime import UTC, datetime
from typing import Final

import flask_login
from flask import Blueprint, Response, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from werkzeug.wrappers import Response as AnyResponse

from admin.auth import authenticate
from admin.language import chosen_language, remember_language
from admin.links import local_path
from admin.roles import needs
from admin.session import database
from storage import people
from storage.types import AccountRole

FAILURES_BY_NAME: Final = "10 per 15 minutes"
"""A guesser gets forty tries an hour for an account, from wherever; a person who mistypes is not locked out."""
FAILURES_BY_ADDRESS: Final = "30 per 15 minutes"
"""One address trying many names; above what an office behind one address mistypes."""

_UNAUTHORIZED: Final = 401
_LONGEST_NAME: Final = 80


def blueprint(limiter: Limiter) -> Blueprint:
    """Failures count against the limits, successes do not."""
    login = Blueprint("login", __name__)
    limited = limiter.limit(FAILURES_BY_NAME, key_func=_submitted_name, deduct_when=_has_failed)(_enter)
    limited = limiter.limit(FAILURES_BY_ADDRESS, key_func=get_remote_address, deduct_when=_has_failed)(limited)
    login.add_url_rule("/login", "form", _form)
    login.add_url_rule("/login", "enter", limited, methods=["POST"])
    login.add_url_rule("/logout", "leave", _leave, methods=["POST"])
    return login


def _form() -> str | AnyResponse:
    if flask_login.current_user.is_authenticated:
        return redirect(_target())
    return render_template("login.html", name="", target=_target())


def _enter() -> tuple[str, int] | AnyResponse:
    name = _submitted_name()
    person = authenticate(name, request.form.get("password", ""))
    if person is None:
        wrong = _("The name or the password is wrong.")
        return render_template("login.html", name=name, target=_target(), problem=wrong), _UNAUTHORIZED
    # A session that somebody else began must not become this person's; only the language may stay.
    language = chosen_language()
    session.clear()
    remember_language(language)
    session.permanent = True
    flask_login.login_user(person)
    people.note_login(database(), person.account.id, datetime.now(UTC))
    return redirect(_target())


@needs(AccountRole.VIEWER)
def _leave() -> AnyResponse:
    flask_login.logout_user()
    session.clear()
    return redirect(url_for("login.form"))


def _submitted_name() -> str:
    return request.form.get("name", "").strip().replace("\0", "")[:_LONGEST_NAME]


def _target() -> str:
    return local_path(request.values.get("next"), otherwise=url_for("home.index"))


def _has_failed(response: Response) -> bool:
    return response.status_code == _UNAUTHORIZED
