"""The page of a one-time link by which a user sets a password."""

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.auth.passwords import REFUSED_WORDS, SHORTEST_PASSWORD, hash_password, refusal
from admin.web import form_fields
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.form_fields import LONGEST_PASSWORD
from admin.web.rate_limits import limiter
from storage.accounts import accounts, audit_log, sessions
from storage.records.accounts import AccountRecord

OPENS_FOR: Final = timedelta(hours=48)
ATTEMPTS_BY_ADDRESS: Final = "20 per minute"


blueprint = Blueprint("password_link", __name__)


@blueprint.get("/set-password/<secret>")
@limiter.limit(ATTEMPTS_BY_ADDRESS)
def form(secret: str) -> str:
    return _page(_account(secret), secret)


@blueprint.post("/set-password/<secret>")
@limiter.limit(ATTEMPTS_BY_ADDRESS)
def save(secret: str) -> AnyResponse | tuple[str, int]:
    account, new = _account(secret), form_fields.secret("new")
    why = refusal(new, name=account.name)
    if why is not None:
        return _page(account, secret, _(REFUSED_WORDS[why])), 400
    # This also invalidates the link: it works once.
    accounts.change_password(database(), account.id, hash_password(new, name=account.name))
    audit_log.record(database(), actor=account, act="account.password", subject=account.name, detail={"by": "link"})
    flash(_("Password set. You can log in now."))
    return redirect(url_for("login.form"))


def _account(secret: str) -> AccountRecord:
    return or_404(sessions.account_of_link(database(), secret, at=datetime.now(UTC)))


def _page(account: AccountRecord, secret: str, problem: str = "") -> str:
    bounds = {"shortest": SHORTEST_PASSWORD, "longest": LONGEST_PASSWORD}
    return render_template("accounts/password_link.html", account=account, secret=secret, problem=problem, **bounds)
