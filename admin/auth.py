"""Who is at the desk: passwords, sessions, and the rule that every page needs a log-in."""

import hmac
from dataclasses import dataclass
from typing import Final, cast

import flask_login
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from flask import Flask, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from admin.keys import as_key
from admin.session import database
from storage import people
from storage.records import AccountRecord

SHORTEST_PASSWORD: Final = 8
"""NIST SP 800-63B: at least eight characters, no rules about which."""
LONGEST_PASSWORD: Final = 1_024
"""Hashing is meant to be slow: an endless password would keep a core busy."""

PUBLIC_ENDPOINTS: Final = frozenset({"login.form", "login.enter", "language.switch", "health.healthz"})
ASSET_ENDPOINTS: Final = frozenset({"static", "bootstrap.static"})

_hasher: Final = PasswordHasher()
_NOBODYS_HASH: Final = (
    "$argon2id$v=19$m=65536,t=3,p=4$9AdpcXpLfMYPDJTLmKlchw$icfcF2ptGI5ZHssni/TwOr+ZhMCeGo1bnw8hotA1E3M"
)
"""Verified where there is no such account, so that the time taken does not tell names."""


class PasswordRefused(ValueError):
    """A password that is too short or too long."""

    def __init__(self) -> None:
        super().__init__(f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters; choose another one.")


def hash_password(password: str) -> str:
    """Argon2id, salted. Raises PasswordRefused."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise PasswordRefused
    return _hasher.hash(password)


def verify(password_hash: str, password: str) -> bool:
    """Whether `password` made `password_hash`; false too for a hash that is none."""
    try:
        return len(password) <= LONGEST_PASSWORD and _hasher.verify(password_hash, password)
    except (VerificationError, InvalidHashError, UnicodeError):
        return False


@dataclass(frozen=True, slots=True)
class Person:
    """An account as Flask-Login wants it."""

    account: AccountRecord
    is_authenticated: bool = True
    is_anonymous: bool = False

    @property
    def is_active(self) -> bool:
        return self.account.enabled

    def get_id(self) -> str:
        """Carries the session token: a new token ends every session that holds the old one."""
        return f"{self.account.id}:{self.account.session_token}"


def authenticate(name: str, password: str) -> Person | None:
    account = people.account_by_name(database(), name)
    is_right = verify(account.password_hash if account else _NOBODYS_HASH, password)
    return Person(account) if account and account.enabled and is_right else None


def current_account() -> AccountRecord | None:
    person = flask_login.current_user
    return cast("AccountRecord", person.account) if person.is_authenticated else None


def init_app(app: Flask) -> None:
    manager = flask_login.LoginManager(app)
    manager.user_loader(_load)
    app.before_request(_require_login)
    app.after_request(_keep_out_of_caches)


def _load(session_id: str) -> Person | None:
    number, _, token = session_id.partition(":")
    key = as_key(number)
    account = people.account_by_id(database(), key) if key is not None else None
    if account is None or not account.enabled:
        return None
    if not hmac.compare_digest(account.session_token.encode(), token.encode(errors="replace")):
        return None
    return Person(account)


def _require_login() -> AnyResponse | None:
    """Closed unless named open: a page that somebody forgets to protect is protected."""
    endpoint = request.endpoint
    if endpoint in PUBLIC_ENDPOINTS | ASSET_ENDPOINTS or flask_login.current_user.is_authenticated:
        return None
    wanted = request.full_path.rstrip("?") if request.method == "GET" else None
    return redirect(url_for("login.form", next=wanted if wanted != "/" else None))


def _keep_out_of_caches(response: Response) -> Response:
    if request.endpoint not in ASSET_ENDPOINTS:
        response.headers["Cache-Control"] = "no-store"
    return response
