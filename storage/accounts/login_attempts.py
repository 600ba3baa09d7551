"""Failed log-ins, counted by name and by address where no restart and no second process forgets them."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.people import LoginFailure

KEPT: Final = timedelta(days=1)

_LONGEST_ADDRESS: Final = 64


@dataclass(frozen=True, slots=True)
class Failures:
    """Within the window asked about, the attempt just begun among them."""

    by_name: int
    by_address: int


def begin_attempt(session: Session, name: str, address: str, *, at: datetime) -> int:
    """Counts an attempt as failed before its password is looked at: of many at the same moment each sees the others.

    Commit before you ask for the count. Clears away what is older than a day. Returns the number of the attempt.
    """
    session.execute(delete(LoginFailure).where(LoginFailure.at < at - KEPT))
    values = {"name_hash": _hash(name), "address": address[:_LONGEST_ADDRESS], "at": at}
    return session.scalars(insert(LoginFailure).values(**values).returning(LoginFailure.id)).one()


def failures(session: Session, name: str, address: str, *, since: datetime) -> Failures:
    def count(is_same: ColumnElement[bool]) -> int:
        return session.scalar(select(func.count()).where(is_same, LoginFailure.at > since)) or 0

    return Failures(
        by_name=count(LoginFailure.name_hash == _hash(name)),
        by_address=count(LoginFailure.address == address[:_LONGEST_ADDRESS]),
    )


def forget_attempt(session: Session, attempt: int) -> None:
    """It was turned away unheard: to go on trying does not prolong the wait."""
    session.execute(delete(LoginFailure).where(LoginFailure.id == attempt))


def forget_name(session: Session, name: str) -> None:
    """The right password was given: what was mistyped before is forgiven."""
    session.execute(delete(LoginFailure).where(LoginFailure.name_hash == _hash(name)))


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode(errors="replace")).hexdigest()
