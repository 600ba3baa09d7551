"""Feed addresses: each gives read access to one saved list of cases to whoever knows the address."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, SQLColumnExpression, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.errors import NotKnown, StorageError
from storage.models.alerts import FeedToken
from storage.models.desk import SavedView
from storage.models.people import Account
from storage.postgres.rows import columns_of, record_or_none, records_of

MOST_FEEDS: Final = 50
"""Per account."""
NOTED_AGAIN: Final = timedelta(hours=1)
"""Shortest time between two updates of `read_at`: feed readers poll every few minutes."""


class TooManyFeeds(StorageError):
    def __init__(self) -> None:
        super().__init__(f"There are {MOST_FEEDS} feed addresses already. Revoke one first.")


@dataclass(frozen=True, slots=True)
class FeedRecord:
    """A feed without its address, of which only the hash is stored."""

    id: int
    account_id: int
    view: str
    query: str
    language: str
    created_at: datetime
    read_at: datetime | None


def make_feed(session: Session, account_id: int, view_id: int, *, language: str) -> str:
    """Makes a feed address for a list that this account may see. Returns its secret, which is not stored.

    Raises NotKnown, TooManyFeeds.
    """
    if session.scalar(select(SavedView.id).where(SavedView.id == view_id, _may_see(account_id))) is None:
        raise NotKnown("saved list", str(view_id))
    mine = select(func.count()).where(FeedToken.account_id == account_id)
    if (session.scalar(mine) or 0) >= MOST_FEEDS:
        raise TooManyFeeds
    token = secrets.token_urlsafe(32)
    values = {"token_hash": _hash(token), "account_id": account_id, "view_id": view_id, "language": language}
    session.execute(insert(FeedToken).values(values))
    return token


def feed_of_token(session: Session, token: str, *, at: datetime) -> FeedRecord | None:
    """The feed of this address. None if it was revoked, its account is disabled, or its list is gone or no longer
    shared.
    """
    statement = (
        _feeds()
        .join(Account, Account.id == FeedToken.account_id)
        .where(FeedToken.token_hash == _hash(token), Account.enabled, _may_see(FeedToken.account_id))
    )
    feed = record_or_none(FeedRecord, session.execute(statement))
    if feed is not None and (feed.read_at is None or feed.read_at < at - NOTED_AGAIN):
        session.execute(update(FeedToken).where(FeedToken.id == feed.id).values(read_at=at))
    return feed


def list_feeds(session: Session, account_id: int) -> list[FeedRecord]:
    """The feeds of an account, newest first."""
    statement = _feeds().where(FeedToken.account_id == account_id).order_by(FeedToken.id.desc())
    return records_of(FeedRecord, session.execute(statement))


def remove_feed(session: Session, account_id: int, feed_id: int) -> bool:
    """Revokes a feed of this account. Returns whether there was one."""
    gone = delete(FeedToken).where(FeedToken.id == feed_id, FeedToken.account_id == account_id)
    return session.scalar(gone.returning(FeedToken.id)) is not None


def _may_see(account_id: int | SQLColumnExpression[int]) -> ColumnElement[bool]:
    return or_(SavedView.account_id == account_id, SavedView.is_shared)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


@cache
def _feeds() -> Select[*tuple[Any, ...]]:
    columns = columns_of(FeedRecord, FeedToken, SavedView, view=SavedView.name)
    return select(*columns).join(SavedView, SavedView.id == FeedToken.view_id)
