"""The page between password and desk that asks for a two-factor code."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.auth.login_attempts import counted_attempt, enter, target
from admin.auth.totp import matching_step
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.rate_limits import limiter
from storage.accounts import accounts, login_attempts, two_factor
from storage.records.accounts import AccountRecord

WAITS: Final = timedelta(minutes=10)
"""Time allowed between password and code."""
ATTEMPTS_BY_ADDRESS: Final = "60 per minute"

_KEY: Final = "second_step"


blueprint = Blueprint("second_step", __name__)


def ask_for_code(account: AccountRecord) -> AnyResponse:
    """Redirect to the page that asks for a code, after a right password.

    The browser's signed cookie holds the account and a mark of its password: a changed password starts the login again.
    """
    session[_KEY] = {
        "account": account.id,
        "password": _mark(account),
        "at": datetime.now(UTC).isoformat(),
    }
    return redirect(url_for("second_step.form", next=target()))


@blueprint.get("/login/code")
def form() -> str | AnyResponse:
    if _waiting() is None:
        return redirect(url_for("login.form"))
    return render_template("auth/two_factor_login.html", target=target())


@blueprint.post("/login/code", endpoint="enter")
@limiter.limit(ATTEMPTS_BY_ADDRESS)
def submit() -> tuple[str, int] | AnyResponse:
    account = _waiting()
    if account is None:
        return redirect(url_for("login.form"))
    # A name that nobody can type, or strangers could use up the attempts of others.
    counted_as = f"\0second step of {account.id}"
    attempt = counted_attempt(counted_as)
    how = _how_it_is_right(account, form_fields.line("code"))
    if how is None:
        wrong = _("Wrong code, or already used. Wait for the next one.")
        return render_template("auth/two_factor_login.html", target=target(), problem=wrong), 401
    login_attempts.forget_attempt(database(), attempt)
    login_attempts.forget_name(database(), counted_as)
    return enter(account, how=how)


def _how_it_is_right(account: AccountRecord, code: str) -> str | None:
    """The kind of the valid code, `code` or `recovery-code`; None if it is invalid or was used before."""
    now, found = datetime.now(UTC), two_factor.second_step(database(), account.id)
    if found is None:
        return None
    step = matching_step(found.secret, code, now)
    if step is not None:
        return "code" if two_factor.use_step(database(), account.id, step) else None
    return "recovery-code" if two_factor.use_recovery_code(database(), account.id, code, at=now) else None


def _mark(account: AccountRecord) -> str:
    return hashlib.sha256(account.password_hash.encode()).hexdigest()[:16]


def _waiting() -> AccountRecord | None:
    """The account that waits for a code in this browser."""
    said = session.get(_KEY)
    if not isinstance(said, dict) or request.endpoint is None:
        return None
    account = accounts.account_by_id(database(), int(said["account"]))
    if account is None or not account.enabled or _mark(account) != said["password"]:
        return None
    is_late = datetime.now(UTC) - datetime.fromisoformat(str(said["at"])) > WAITS
    return None if is_late else account
