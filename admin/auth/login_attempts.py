"""Successful logins, and the count of attempts: the same for passwords and for two-factor codes."""

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import abort, redirect, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from admin.auth.authentication import log_in
from admin.auth.passwords import verify
from admin.identity.language import chosen_language, remember_language
from admin.identity.user_agent import browser_name
from admin.web.db_session import database
from admin.web.rendering.safe_links import local_path
from admin.web.services import current_services
from storage.accounts import audit_log, login_attempts
from storage.engine import transaction
from storage.records.accounts import AccountRecord

FAILURES_BY_NAME: Final = 10
"""In the window, from any address: forty attempts an hour for an account."""
FAILURES_BY_ADDRESS: Final = 30
"""One address trying many names; more than an office behind one address mistypes."""
WINDOW: Final = timedelta(minutes=15)


def enter(account: AccountRecord, *, how: str = "", otherwise: str = "") -> AnyResponse:
    """Begin the session and redirect to the page that was asked for, else to `otherwise` or the overview.

    The previous session of the browser must not become this user's; only its language is kept.
    """
    wanted, language = local_path(request.values.get("next"), otherwise=otherwise or target()), chosen_language()
    session.clear()
    remember_language(language)
    session.permanent = True
    log_in(account)
    detail = _from_where() | ({"by": how} if how else {})
    audit_log.record(database(), actor=account, act="session.begin", subject=account.name, detail=detail)
    return redirect(wanted)


def counted_attempt(name: str) -> int:
    """The id of this attempt, counted before password or code is checked.

    Too many attempts end the request, with the same answer whether or not the account exists.
    """
    now, address = datetime.now(UTC), request.remote_addr or ""
    with transaction(current_services().engine) as counting:
        attempt = login_attempts.begin_attempt(counting, name, address, at=now)
    with transaction(current_services().engine) as counting:
        found = login_attempts.failures(counting, name, address, since=now - WINDOW)
        is_too_many = found.by_name > FAILURES_BY_NAME or found.by_address > FAILURES_BY_ADDRESS
        if is_too_many:
            login_attempts.forget_attempt(counting, attempt)
    if is_too_many:
        abort(429)
    return attempt


def is_present_password(account: AccountRecord, given: str) -> bool:
    """Whether `given` is the password of a user who is logged in already.

    Counted and limited as at login, since an unattended browser could be used to guess it. A right password clears
    earlier failures.
    """
    attempt = counted_attempt(account.name)
    if not verify(account.password_hash, given):
        return False
    with transaction(current_services().engine) as counting:
        login_attempts.forget_attempt(counting, attempt)
        login_attempts.forget_name(counting, account.name)
    return True


def target() -> str:
    """The page to show after login."""
    return local_path(request.values.get("next"), otherwise=url_for("home.index"))


def _from_where() -> dict[str, str]:
    return {"address": request.remote_addr or "", "browser": browser_name(request.user_agent.string)}
