"""Saved lists of cases, private or shared."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from storage.errors import StorageError
from storage.models.desk import SavedView
from storage.models.people import Account
from storage.postgres.rows import columns_of, records_of
from storage.postgres.text import storable
from storage.postgres.writes import upsert

MOST_VIEWS: Final = 50
"""Per account."""
SHOWN_VIEWS: Final = 100
NAME_CHARS: Final = 80
QUERY_CHARS: Final = 2_000


class TooManyViews(StorageError):
    def __init__(self) -> None:
        super().__init__(f"There are {MOST_VIEWS} saved lists already. Remove one first.")


@dataclass(frozen=True, slots=True)
class ViewRecord:
    id: int
    account_id: int
    owner: str
    """The name of the account that saved it."""
    name: str
    query: str
    is_shared: bool


def save_view(session: Session, account_id: int, *, name: str, query: str, is_shared: bool) -> None:
    """Saves a list, replacing one of the same name and account. Raises TooManyViews."""
    name = storable(name)[:NAME_CHARS]
    mine = select(func.count()).where(SavedView.account_id == account_id, SavedView.name != name)
    if (session.scalar(mine) or 0) >= MOST_VIEWS:
        raise TooManyViews
    said = {"query": storable(query)[:QUERY_CHARS], "is_shared": is_shared}
    upsert(session, SavedView, {"account_id": account_id, "name": name}, said)


def views_for(session: Session, account_id: int) -> list[ViewRecord]:
    """The lists of an account, then those shared by others."""
    rows = session.execute(
        select(*columns_of(ViewRecord, SavedView, owner=Account.name))
        .join(Account, Account.id == SavedView.account_id)
        .where(or_(SavedView.account_id == account_id, SavedView.is_shared))
        .order_by(SavedView.account_id != account_id, SavedView.name, SavedView.id)
        .limit(SHOWN_VIEWS)
    )
    return records_of(ViewRecord, rows)


def remove_view(session: Session, account_id: int, view_id: int) -> bool:
    """Removes a list of this account. Returns whether there was one."""
    of_mine = (SavedView.id == view_id, SavedView.account_id == account_id)
    return session.scalar(delete(SavedView).where(*of_mine).returning(SavedView.id)) is not None
