"""Failed logins, counted by name and by address in the database, for all processes."""

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
    """Failures within the window, including the attempt just begun."""

    by_name: int
    by_address: int


def begin_attempt(session: Session, name: str, address: str, *, at: datetime) -> int:
    """Records an attempt as failed before its password is checked, so that concurrent attempts see each other.

    Commit before counting. Removes attempts older than a day. Returns the id of the attempt.
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
    """Forgets an attempt that was rejected without checking: retrying must not prolong the wait."""
    session.execute(delete(LoginFailure).where(LoginFailure.id == attempt))


def forget_name(session: Session, name: str) -> None:
    """Forgets the failures of a name after a successful login."""
    session.execute(delete(LoginFailure).where(LoginFailure.name_hash == _hash(name)))


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode(errors="replace")).hexdigest()
