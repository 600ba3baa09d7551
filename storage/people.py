"""Accounts."""

import secrets
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.errors import NameTaken
from storage.models.people import Account
from storage.records import AccountRecord
from storage.types import AccountRole


def add_account(
    session: Session, *, name: str, password_hash: str, role: AccountRole, language: str = ""
) -> AccountRecord:
    """Raises NameTaken."""
    values = {"name": name, "password_hash": password_hash, "role": role, "language": language}
    account_id = session.scalar(
        insert(Account)
        .values(**values, session_token=secrets.token_urlsafe())
        .on_conflict_do_nothing()
        .returning(Account.id)
    )
    if account_id is None:
        raise NameTaken("account", name)
    account = account_by_id(session, account_id)
    assert account is not None  # noqa: S101  # this transaction has just added it
    return account


def account_by_name(session: Session, name: str) -> AccountRecord | None:
    account = session.scalar(select(Account).where(Account.name == name))
    return None if account is None else _record(account)


def account_by_id(session: Session, account_id: int) -> AccountRecord | None:
    account = session.get(Account, account_id)
    return None if account is None else _record(account)


def list_accounts(session: Session) -> list[AccountRecord]:
    return [_record(account) for account in session.scalars(select(Account).order_by(Account.name))]


def note_login(session: Session, account_id: int, at: datetime) -> None:
    session.execute(update(Account).where(Account.id == account_id).values(last_login_at=at))


def change_password(session: Session, account_id: int, password_hash: str) -> None:
    """Also renews the session token, so that every session of the account ends."""
    values = {"password_hash": password_hash, "session_token": secrets.token_urlsafe()}
    session.execute(update(Account).where(Account.id == account_id).values(**values))


def _record(account: Account) -> AccountRecord:
    return AccountRecord(
        id=account.id,
        name=account.name,
        password_hash=account.password_hash,
        role=account.role,
        language=account.language,
        enabled=account.enabled,
        session_token=account.session_token,
        time_zone=account.time_zone,
        must_change_password=account.must_change_password,
    )
