"""The one-time code of the first account: what it is derived from, shared by all processes of the desk.

The table holds a random nonce and its end. The code is a keyed hash of the nonce, so that every process with the same
key knows the same code, and nobody who only reads the table.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, exists, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.people import Account, FirstAccountCode
from storage.postgres.rows import record_of

NONCE_BYTES: Final = 16
_KEY: Final = 1


@dataclass(frozen=True, slots=True)
class OpenCode:
    """A code in force. `is_new`: this call began it, so that it is in no log yet."""

    nonce: bytes
    expires_at: datetime
    is_new: bool = False


def has_accounts(session: Session) -> bool:
    """Whether there is an account, enabled or not."""
    return bool(session.scalar(select(exists().where(Account.id.is_not(None)))))


def open_code(session: Session, *, now: datetime, lifetime: timedelta) -> OpenCode | None:
    """The code in force; a new one if there is none or it expired. None, and no code, once there is an account.

    Of several callers at the same time one begins the code, and the others get the same.
    """
    if has_accounts(session):
        session.execute(delete(FirstAccountCode))
        return None
    values = {"nonce": secrets.token_bytes(NONCE_BYTES), "expires_at": now + lifetime}
    begun = session.execute(
        insert(FirstAccountCode)
        .values(id=_KEY, **values)
        .on_conflict_do_update(index_elements=["id"], set_=values, where=FirstAccountCode.expires_at <= now)
        .returning(FirstAccountCode.id)
    ).one_or_none()
    row = session.scalars(select(FirstAccountCode).execution_options(populate_existing=True)).one()
    return record_of(OpenCode, row, is_new=begun is not None)


def take_code(session: Session, nonce: bytes, *, now: datetime) -> bool:
    """Uses up the code of `nonce`. Whether it was in force and there is no account; of two callers one gets True."""
    if has_accounts(session):
        return False
    in_force = (FirstAccountCode.nonce == nonce) & (FirstAccountCode.expires_at > now)
    return session.scalar(delete(FirstAccountCode).where(in_force).returning(FirstAccountCode.id)) is not None
