"""The page that makes the first account: with a one-time code from the log, and only while there is no account."""

from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.auth.first_code import CODE_LETTERS, LIFETIME, is_code, log_code, opened_code
from admin.auth.login_attempts import enter
from admin.auth.passwords import REFUSED_WORDS, SHORTEST_PASSWORD, hash_password, refusal
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.form_fields import LONGEST_PASSWORD
from admin.web.rate_limits import limiter
from admin.web.services import current_services
from storage.accounts import accounts, audit_log, first_account
from storage.accounts.first_account import OpenCode
from storage.errors import NameTaken
from storage.types import AccountRole

ATTEMPTS_BY_ADDRESS: Final = "10 per minute"
LONGEST_CODE: Final = 4 * CODE_LETTERS
"""With hyphens and spaces; more is cut, and so is wrong."""

blueprint = Blueprint("first_account", __name__, url_prefix="/first-account")


@blueprint.get("")
@limiter.limit(ATTEMPTS_BY_ADDRESS)
def form() -> str | AnyResponse:
    return redirect(url_for("login.form")) if _open_code() is None else _page()


@blueprint.post("")
@limiter.limit(ATTEMPTS_BY_ADDRESS)
def create() -> str | AnyResponse | tuple[str, int]:
    """Make the account and log in. The code is checked first, and used up only by an account that is really made."""
    found = _open_code()
    if found is None:
        abort(404)
    name, password = form_fields.line("name"), form_fields.secret("password")
    given = form_fields.line("code")[:LONGEST_CODE]
    if not is_code(current_services().secret_key, found.nonce, given):
        return _page(_("Wrong or expired code. Use the newest one in the log.")), 401
    if not name or len(name) > accounts.LONGEST_NAME:
        return _page(_("A name must have 1 to %(most)s characters.", most=accounts.LONGEST_NAME)), 400
    why = refusal(password, name=name)
    if why is not None:
        return _page(_(REFUSED_WORDS[why])), 400
    if not first_account.take_code(database(), found.nonce, now=datetime.now(UTC)):
        abort(409)
    return _entered(name, hash_password(password, name=name))


def _entered(name: str, password_hash: str) -> AnyResponse:
    try:
        account = accounts.add_account(
            database(), name=name, password_hash=password_hash, role=AccountRole.ADMINISTRATOR
        )
    except NameTaken:
        abort(409)
    detail = {"role": account.role, "by": "first-code"}
    audit_log.record(database(), actor=account, act="account.add", subject=name, detail=detail)
    return enter(account, how="first-code", otherwise=url_for("setup.index"))


def _open_code() -> OpenCode | None:
    """The code in force; one that begins now, since the last expired, is written to the log."""
    services = current_services()
    found = opened_code(services.engine)
    if found is not None and found.is_new:
        log_code(services.engine, services.secret_key, address=services.desk_url or request.host_url.rstrip("/"))
    return found


def _page(problem: str = "") -> str:
    return render_template(
        "auth/first_account.html",
        problem=problem,
        name=form_fields.line("name") if request.method == "POST" else "",
        code=form_fields.line("code")[:LONGEST_CODE] if request.method == "POST" else "",
        minutes=int(LIFETIME.total_seconds() // 60),
        longest_name=accounts.LONGEST_NAME,
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
    )
