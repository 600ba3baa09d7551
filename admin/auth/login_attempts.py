"""How a log-in ends well, and how attempts at it are counted: alike after the first step and after the second."""

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import abort, redirect, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from admin.auth.authentication import log_in
from admin.auth.passwords import verify
from admin.identity.language import chosen_language, remember_language
from admin.identity.user_agent import browser_name
from admin.web.db_session import database
from admin.web.safe_links import local_path
from admin.web.services import desk
from storage.accounts import audit_log, login_attempts
from storage.engine import transaction
from storage.records.accounts import AccountRecord

FAILURES_BY_NAME: Final = 10
"""In the window, and from wherever: a guesser gets forty tries an hour for an account."""
FAILURES_BY_ADDRESS: Final = 30
"""One address trying many names; above what an office behind one address mistypes."""
WINDOW: Final = timedelta(minutes=15)


def enter(account: AccountRecord, *, how: str = "") -> AnyResponse:
    """Begins the session. What somebody else began in this browser must not become this person's; only the language
    may stay.
    """
    wanted, language = target(), chosen_language()
    session.clear()
    remember_language(language)
    session.permanent = True
    log_in(account)
    detail = _from_where() | ({"by": how} if how else {})
    audit_log.record(database(), actor=account, act="session.begin", subject=account.name, detail=detail)
    return redirect(wanted)


def counted_attempt(name: str) -> int:
    """The number of this attempt, counted before its password or code is looked at. Too many end here, with the same
    words whether or not there is such an account.
    """
    now, address = datetime.now(UTC), request.remote_addr or ""
    with transaction(desk().engine) as counting:
        attempt = login_attempts.begin_attempt(counting, name, address, at=now)
    with transaction(desk().engine) as counting:
        found = login_attempts.failures(counting, name, address, since=now - WINDOW)
        is_too_many = found.by_name > FAILURES_BY_NAME or found.by_address > FAILURES_BY_ADDRESS
        if is_too_many:
            login_attempts.forget_attempt(counting, attempt)
    if is_too_many:
        abort(429)
    return attempt


def is_present_password(account: AccountRecord, given: str) -> bool:
    """Whether this is the password of whoever is logged in already; counted and bounded as at the log-in, or a browser
    that was left open could be used to guess it. Right, what was mistyped before is forgiven.
    """
    attempt = counted_attempt(account.name)
    if not verify(account.password_hash, given):
        return False
    with transaction(desk().engine) as counting:
        login_attempts.forget_attempt(counting, attempt)
        login_attempts.forget_name(counting, account.name)
    return True


def target() -> str:
    """Where the log-in leads."""
    return local_path(request.values.get("next"), otherwise=url_for("home.index"))


def _from_where() -> dict[str, str]:
    return {"address": request.remote_addr or "", "browser": browser_name(request.user_agent.string)}
