"""Login sessions, one row per browser, and one-time links to set a password.

Browsers and links hold a secret of 256 random bits; only its SHA-256 is stored, without salt.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.people import Account, DeskSession, PasswordLink
from storage.postgres.rows import record_of, records_of
from storage.postgres.writes import upsert
from storage.records.accounts import AccountRecord

NOTED_EVERY: Final = timedelta(minutes=5)
"""The precision of `last_seen_at`, so that not every request writes."""

_LONGEST_BROWSER: Final = 400
_LONGEST_ADDRESS: Final = 64


@dataclass(frozen=True, slots=True)
class SessionRecord:
    id: int
    account_id: int
    browser: str
    address: str
    started_at: datetime
    last_seen_at: datetime


def begin_session(
    session: Session, account_id: int, *, browser: str, address: str, at: datetime, forget_before: datetime
) -> str:
    """Starts a session and returns its secret. Removes all sessions last seen before `forget_before`."""
    session.execute(delete(DeskSession).where(DeskSession.last_seen_at < forget_before))
    secret = secrets.token_urlsafe(32)
    session.execute(
        insert(DeskSession).values(
            account_id=account_id,
            token_hash=_hash(secret),
            browser=_printable(browser)[:_LONGEST_BROWSER],
            address=_printable(address)[:_LONGEST_ADDRESS],
            started_at=at,
            last_seen_at=at,
        )
    )
    return secret


def account_of_session(
    session: Session, secret: str, *, at: datetime, seen_since: datetime
) -> tuple[AccountRecord, SessionRecord] | None:
    """The account and session of a secret, if seen after `seen_since`; updates `last_seen_at`."""
    row = session.execute(
        select(DeskSession, Account)
        .join(Account, Account.id == DeskSession.account_id)
        .where(DeskSession.token_hash == _hash(secret), DeskSession.last_seen_at > seen_since, Account.enabled)
    ).one_or_none()
    if row is None:
        return None
    found, account = row
    if at - found.last_seen_at > NOTED_EVERY:
        session.execute(update(DeskSession).where(DeskSession.id == found.id).values(last_seen_at=at))
    return record_of(AccountRecord, account), record_of(SessionRecord, found)


def list_sessions(session: Session, account_id: int, *, seen_since: datetime) -> list[SessionRecord]:
    """The open sessions of an account, last seen first."""
    rows = session.scalars(
        select(DeskSession)
        .where(DeskSession.account_id == account_id, DeskSession.last_seen_at > seen_since)
        .order_by(DeskSession.last_seen_at.desc(), DeskSession.id.desc())
    )
    return records_of(SessionRecord, rows)


def end_session(session: Session, account_id: int, session_id: int) -> bool:
    """Ends a session of this account. Returns whether there was one."""
    statement = delete(DeskSession).where(DeskSession.id == session_id, DeskSession.account_id == account_id)
    return session.scalar(statement.returning(DeskSession.id)) is not None


def end_sessions(session: Session, account_id: int, *, but: int | None = None) -> int:
    """Ends the account's sessions except `but`. Returns how many."""
    statement = delete(DeskSession).where(DeskSession.account_id == account_id)
    if but is not None:
        statement = statement.where(DeskSession.id != but)
    return len(session.scalars(statement.returning(DeskSession.id)).all())


def make_password_link(session: Session, account_id: int, *, expires_at: datetime) -> str:
    """Makes a password link and returns its secret; an earlier link becomes invalid."""
    secret = secrets.token_urlsafe(32)
    values = {"token_hash": _hash(secret), "expires_at": expires_at}
    upsert(session, PasswordLink, {"account_id": account_id}, values)
    return secret


def account_of_link(session: Session, secret: str, *, at: datetime) -> AccountRecord | None:
    """The account of a password link; None if it is used, revoked or expired."""
    account = session.scalar(
        select(Account)
        .join(PasswordLink, PasswordLink.account_id == Account.id)
        .where(PasswordLink.token_hash == _hash(secret), PasswordLink.expires_at > at, Account.enabled)
        .with_for_update()
    )
    return None if account is None else record_of(AccountRecord, account)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _printable(text: str) -> str:
    """Replaces unprintable characters: the browser's name is untrusted."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
