"""Finds pages by pieces of their address, their title or, where there is an index of them, their text."""

from dataclasses import dataclass
from datetime import datetime
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
"""Characters: the indexes hold pairs of neighbours."""
LONGEST_PIECE: Final = 400
MOST_LOOKED_AT: Final = 2_000
"""Pages or texts with the piece that are taken from an index; where there are more, the search says so."""


NEWEST_READ: Final = 400
MANY_OF_THEM: Final = 16
"""Of those: what stands on every twenty-fifth page. Of a million pages that are far more than an index names in the
time of a list, and of fewer the list is soon read.
"""


@dataclass(frozen=True, slots=True)
class PageFilter:
    """Empty fields filter nothing. `piece` stands in title or address, `body` in the text, letters small or large."""

    piece: str = ""
    body: str = ""
    site: str | None = None


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page as a list shows it."""

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
    """Newest first. `has_more`: older ones follow. `is_cut`: more have the piece than are looked at."""

    pages: tuple[FoundPage, ...]
    has_more: bool
    is_cut: bool


def search_pages(session: Session, where: PageFilter, *, limit: int, below: int | None = None) -> FoundPages:
    """Pages with numbers below `below`. Ask `is_askable` of the pieces first: for one character all are read."""
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
    """Whether an index can be asked for `piece`."""
    return SHORTEST_PIECE <= len(piece) <= LONGEST_PIECE


def pages_with_piece(session: Session, piece: str, *, most: int) -> list[int]:
    """Pages whose address or title holds `piece`; with more than `most` of them these are not all."""
    return _with_piece(session, storable(piece), most=most)


def is_everywhere(session: Session, piece: str) -> bool:
    """Whether the address or title of many of the newest pages holds `piece`. A list that is read in its order then
    meets it sooner than an index has named all pages with it.
    """
    newest = select(Page.id, Page.url).order_by(Page.id.desc()).limit(NEWEST_READ).subquery()
    in_title = select(func.bool_or(_has(PageVersion.title, piece))).where(PageVersion.page_id == newest.c.id)
    have = select(func.count()).where(or_(_has(newest.c.url, piece), in_title.scalar_subquery()))
    return (session.scalar(have.select_from(newest)) or 0) >= MANY_OF_THEM


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
    """By the index all pairs of characters of the piece; then by eye, since they may stand apart."""
    pairs = func.text_grams(column, type_=ARRAY(INTEGER))
    return pairs.contains(func.text_grams(piece, type_=ARRAY(INTEGER))), _has(column, piece)


def _has(column: ColumnElement[str] | InstrumentedAttribute[str], piece: str) -> ColumnElement[bool]:
    return func.strpos(func.lower(column), func.lower(piece)) > 0
