"""Accounts: who may log in, with which role. At least one enabled administrator always remains."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.errors import LastAdministrator, NameTaken, NotKnown
from storage.models.people import Account, DeskSession, PasswordLink
from storage.postgres.rows import record_of, records_of
from storage.records.accounts import AccountRecord, AccountSummary
from storage.types import AccountRole

LONGEST_NAME: Final = 80
"""Characters."""


def add_account(
    session: Session,
    *,
    name: str,
    password_hash: str,
    role: AccountRole,
    language: str = "",
    time_zone: str = "",
    must_change_password: bool = False,
) -> AccountRecord:
    """Raises NameTaken."""
    values = {
        "name": name,
        "password_hash": password_hash,
        "role": role,
        "language": language,
        "time_zone": time_zone,
        "must_change_password": must_change_password,
    }
    account_id = session.scalar(insert(Account).values(**values).on_conflict_do_nothing().returning(Account.id))
    if account_id is None:
        raise NameTaken("account", name)
    return get_account(session, account_id)


def get_account(session: Session, account_id: int) -> AccountRecord:
    """Raises NotKnown."""
    account = account_by_id(session, account_id)
    if account is None:
        raise NotKnown("account", str(account_id))
    return account


def account_by_name(session: Session, name: str) -> AccountRecord | None:
    account = session.scalar(select(Account).where(Account.name == name))
    return None if account is None else record_of(AccountRecord, account)


def account_by_id(session: Session, account_id: int) -> AccountRecord | None:
    account = session.get(Account, account_id)
    return None if account is None else record_of(AccountRecord, account)


def list_accounts(session: Session) -> list[AccountRecord]:
    return records_of(AccountRecord, session.scalars(select(Account).order_by(Account.name)))


def summaries(session: Session, *, seen_since: datetime) -> list[AccountSummary]:
    """All accounts by name, with their sessions seen after `seen_since` and open password links."""
    open_sessions = (
        select(DeskSession.account_id, func.count().label("count"))
        .where(DeskSession.last_seen_at > seen_since)
        .group_by(DeskSession.account_id)
        .subquery()
    )
    rows = session.execute(
        select(Account, func.coalesce(open_sessions.c.count, 0).label("open_sessions"), PasswordLink.expires_at)
        .outerjoin(open_sessions, open_sessions.c.account_id == Account.id)
        .outerjoin(PasswordLink, PasswordLink.account_id == Account.id)
        .order_by(Account.name)
    )
    return [
        record_of(
            AccountSummary,
            row.Account,
            account=record_of(AccountRecord, row.Account),
            open_sessions=row.open_sessions,
            link_expires_at=row.expires_at,
        )
        for row in rows
    ]


def record_login(session: Session, account_id: int, at: datetime) -> None:
    session.execute(update(Account).where(Account.id == account_id).values(last_login_at=at))


def change_password(session: Session, account_id: int, password_hash: str, *, must_change: bool = False) -> None:
    """Changes the password, ends all sessions of the account and revokes its password link.

    `must_change`: somebody else chose the password; the person must choose another one at the next login.
    """
    values = {"password_hash": password_hash, "must_change_password": must_change}
    session.execute(update(Account).where(Account.id == account_id).values(**values))
    session.execute(delete(DeskSession).where(DeskSession.account_id == account_id))
    session.execute(delete(PasswordLink).where(PasswordLink.account_id == account_id))


def rehash_password(session: Session, account_id: int, password_hash: str) -> None:
    """Stores a new hash of the same password; sessions go on."""
    session.execute(update(Account).where(Account.id == account_id).values(password_hash=password_hash))


def edit_account(
    session: Session, account_id: int, *, role: AccountRole, enabled: bool, language: str, time_zone: str
) -> AccountRecord:
    """Replaces the settings of an account; disabling it ends its sessions.

    Raises NotKnown, and LastAdministrator if no administrator would remain.
    """
    if not enabled or role is not AccountRole.ADMINISTRATOR:
        _keep_an_administrator(session, account_id)
    values = {"role": role, "enabled": enabled, "language": language, "time_zone": time_zone}
    _update(session, account_id, values)
    if not enabled:
        session.execute(delete(DeskSession).where(DeskSession.account_id == account_id))
        session.execute(delete(PasswordLink).where(PasswordLink.account_id == account_id))
    return get_account(session, account_id)


def set_preferences(session: Session, account_id: int, *, language: str, time_zone: str) -> None:
    """Raises NotKnown."""
    _update(session, account_id, {"language": language, "time_zone": time_zone})


def remove_account(session: Session, account_id: int) -> None:
    """Removes an account; its actions stay recorded under its name. Raises NotKnown, LastAdministrator."""
    _keep_an_administrator(session, account_id)
    if session.scalar(delete(Account).where(Account.id == account_id).returning(Account.id)) is None:
        raise NotKnown("account", str(account_id))
    session.expire_all()


def _keep_an_administrator(session: Session, without: int) -> None:
    """Locks the administrators, so that two of them cannot remove each other at the same moment."""
    is_left = select(Account.id).where(Account.role == AccountRole.ADMINISTRATOR, Account.enabled)
    administrators = session.scalars(is_left.order_by(Account.id).with_for_update()).all()
    if list(administrators) == [without]:
        raise LastAdministrator


def _update(session: Session, account_id: int, values: dict[str, Any]) -> None:
    changed = update(Account).where(Account.id == account_id).values(**values).returning(Account.id)
    if session.scalar(changed) is None:
        raise NotKnown("account", str(account_id))
    session.expire_all()
