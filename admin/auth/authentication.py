"""Checking name and password, and logging in."""

from datetime import UTC, datetime

import flask_login
from flask import request

from admin.auth.passwords import NOBODYS_HASH, is_outdated, rehashed, verify
from admin.identity.current_user import SESSION_LIFETIME, Person
from admin.web.db_session import database
from storage.accounts import accounts, sessions
from storage.records.accounts import AccountRecord


def authenticate(name: str, password: str) -> AccountRecord | None:
    """The enabled account with this name and password, or None. Takes the same time where the name is unknown."""
    account = accounts.account_by_name(database(), name)
    is_right = verify(account.password_hash if account else NOBODYS_HASH, password)
    if account is None or not account.enabled or not is_right:
        return None
    if is_outdated(account.password_hash):
        accounts.rehash_password(database(), account.id, rehashed(password))
    return account


def log_in(account: AccountRecord) -> None:
    """Begin a session for this browser. The caller has to clear the browser's previous session first."""
    now = datetime.now(UTC)
    secret = sessions.begin_session(
        database(),
        account.id,
        browser=request.user_agent.string,
        address=request.remote_addr or "",
        at=now,
        forget_before=now - SESSION_LIFETIME,
    )
    flask_login.login_user(Person(account, secret))
    accounts.record_login(database(), account.id, now)
