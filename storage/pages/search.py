"""Search of pages by pieces of their URL, title or, if the text index exists, their text."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, func, or_, select, union
from sqlalchemy.dialects.postgresql import ARRAY, INTEGER
from sqlalchemy.orm import InstrumentedAttribute, Session

from storage.models.pages import Page, PageVersion, Text
from storage.models.sites import Owner, Site
from storage.postgres.planner import indexes_forced
from storage.postgres.rows import columns_of, records_of
from storage.postgres.text import storable
from storage.types import FoundBy, SiteRole

SHORTEST_PIECE: Final = 2
"""In characters: the indexes hold pairs of adjacent characters."""
LONGEST_PIECE: Final = 400
MOST_LOOKED_AT: Final = 2_000
"""Pages or texts with the piece that are taken from an index; the result says if there are more."""


NEWEST_READ: Final = 400
MANY_OF_THEM: Final = 16
"""Of these: a piece on every twenty-fifth page. In a large store the index would take too long for it, and in a small
one reading the list is fast.
"""


@dataclass(frozen=True, slots=True)
class PageFilter:
    """Empty fields filter nothing. `piece` is part of the title or URL, `body` of the text; case is ignored."""

    piece: str = ""
    body: str = ""
    site: str | None = None


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page as lists show it."""

    id: int
    url: str
    host: str
    site_name: str | None
    owner_name: str | None
    role: SiteRole | None
    found_by: FoundBy
    first_seen_at: datetime
    last_seen_at: datetime
    gone_at: datetime | None
    title: str
    author: str
    published_at: datetime | None
    chars: int
    text_id: int


@dataclass(frozen=True, slots=True)
class FoundPages:
    """Pages, newest first. `has_more`: older ones follow. `is_cut`: more pages have the piece than were read."""

    pages: tuple[FoundPage, ...]
    has_more: bool
    is_cut: bool


def search_pages(session: Session, where: PageFilter, *, limit: int, below: int | None = None) -> FoundPages:
    """Pages that match, with ids below `below`. Check the pieces with `is_askable` first: one character reads all."""
    conditions: list[ColumnElement[bool]] = []
    is_cut = False
    if where.piece:
        found = _with_piece(session, storable(where.piece))
        is_cut |= len(found) > MOST_LOOKED_AT
        conditions.append(Page.id.in_(found))
    if where.body:
        held = _with_body(session, storable(where.body))
        is_cut |= len(held) > MOST_LOOKED_AT
        conditions.append(PageVersion.text_id.in_(held))
    if where.site is not None:
        conditions.append(Site.name == storable(where.site))
    if below is not None:
        conditions.append(Page.id < below)
    rows = session.execute(_pages().where(*conditions).order_by(Page.id.desc()).limit(limit + 1)).all()
    return FoundPages(tuple(records_of(FoundPage, rows[:limit])), len(rows) > limit, is_cut)


def is_askable(piece: str) -> bool:
    """Whether an index can look up `piece`."""
    return SHORTEST_PIECE <= len(piece) <= LONGEST_PIECE


def pages_with_piece(session: Session, piece: str, *, most: int) -> list[int]:
    """Ids of pages whose URL or title contains `piece`; incomplete if there are more than `most`."""
    return _with_piece(session, storable(piece), most=most)


def is_everywhere(session: Session, piece: str) -> bool:
    """Whether many of the newest pages have `piece` in their URL or title. Reading a list in order is then faster than
    the index.
    """
    newest = select(Page.id, Page.url).order_by(Page.id.desc()).limit(NEWEST_READ).subquery()
    in_title = select(func.bool_or(_has(PageVersion.title, piece))).where(PageVersion.page_id == newest.c.id)
    have = select(func.count()).where(or_(_has(newest.c.url, piece), in_title.scalar_subquery()))
    return (session.scalar(have.select_from(newest)) or 0) >= MANY_OF_THEM


@cache
def _pages() -> Select[*tuple[Any, ...]]:
    return (
        select(*columns_of(FoundPage, Page, PageVersion, Text, Site, site_name=Site.name, owner_name=Owner.name))
        .join(PageVersion, (PageVersion.page_id == Page.id) & PageVersion.is_current)
        .join(Text, Text.id == PageVersion.text_id)
        .outerjoin(Site, Site.id == Page.site_id)
        .outerjoin(Owner, Owner.id == Site.owner_id)
    )


def _with_piece(session: Session, piece: str, *, most: int = MOST_LOOKED_AT) -> list[int]:
    by_url = select(Page.id).where(*_holds(Page.url, piece)).limit(most + 1)
    by_title = (
        select(PageVersion.page_id).where(*_holds(PageVersion.title, piece), PageVersion.is_current).limit(most + 1)
    )
    with indexes_forced(session):
        return list(session.scalars(union(by_url, by_title)))


def _with_body(session: Session, piece: str) -> list[int]:
    with indexes_forced(session):
        return list(session.scalars(select(Text.id).where(*_holds(Text.body, piece)).limit(MOST_LOOKED_AT + 1)))


def _holds(column: InstrumentedAttribute[str], piece: str) -> tuple[ColumnElement[bool], ...]:
    """All character pairs of the piece, by the index; then the piece itself, since the pairs may be apart."""
    pairs = func.text_grams(column, type_=ARRAY(INTEGER))
    return pairs.contains(func.text_grams(piece, type_=ARRAY(INTEGER))), _has(column, piece)


def _has(column: ColumnElement[str] | InstrumentedAttribute[str], piece: str) -> ColumnElement[bool]:
    return func.strpos(func.lower(column), func.lower(piece)) > 0
