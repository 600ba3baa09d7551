"""Filters of hits, on narrow rows: fifty of a hundred thousand hits cost fifty."""

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import BigInteger, ColumnElement, Select, and_, any_, case, func, literal, or_, select, union
from sqlalchemy.dialects.postgresql import ARRAY, INTEGER
from sqlalchemy.orm import Session

from storage.models.matches import Match, PageMatch
from storage.models.pages import Page, PageVersion
from storage.models.sites import Owner, Site
from storage.pages.case_references import is_in_open_case
from storage.pages.search import is_askable, is_everywhere
from storage.postgres.planner import indexes_forced
from storage.postgres.text import storable
from storage.records.matches import HitFilter

MOST_NAMED: Final = 10_000
"""Pages with a piece of a title or URL that are taken from the index. A more frequent piece is soon met by reading the
hits in order: of a million pages, one in a hundred has it.
"""

copy_page_id: ColumnElement[int] = case(
    (PageMatch.source_page_id == PageMatch.low_page_id, PageMatch.high_page_id), else_=PageMatch.low_page_id
)


def hit_ids(session: Session, where: HitFilter, *, most_named: int = MOST_NAMED) -> Select[*tuple[Any, ...]]:
    """A select of the ids of matching hits, highest score first.

    If a filter matches more than `most_named` pages, each hit is tested in order; else the hits of these pages are
    looked up. The result is the same.
    """
    return (
        select(PageMatch.id)
        .join(Match, Match.id == PageMatch.match_id)
        .where(*_conditions(session, where, most_named))
        .order_by(Match.score.desc(), Match.id, PageMatch.id)
    )


def _conditions(session: Session, where: HitFilter, most_named: int) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if where.site:
        conditions.append(_on_sites(session, Site.name == storable(where.site), most_named))
    if where.owner:
        conditions.append(_on_sites(session, Owner.name == storable(where.owner), most_named))
    if where.kind:
        conditions.append(Match.kind == where.kind)
    if where.credit:
        conditions.append(PageMatch.credit == where.credit)
    if where.role:
        # A scalar subquery: EXISTS would become a join with all pages.
        of_source = select(Site.role).where(Page.id == PageMatch.source_page_id, Site.id == Page.site_id)
        conditions.append(of_source.scalar_subquery() == where.role)
    if where.min_share > 0:
        conditions.append(case((_copy_has_low(), Match.low_share), else_=Match.high_share) >= where.min_share)
    if where.min_score > 0:
        conditions.append(Match.score >= where.min_score)
    if where.open_case:
        conditions.append(is_in_open_case(PageMatch.low_page_id, PageMatch.high_page_id))
    if where.text:
        conditions.append(_names(session, storable(where.text), most_named))
    return conditions


def _on_sites(session: Session, condition: ColumnElement[bool], most_named: int) -> ColumnElement[bool]:
    """Whether either page is on a site that meets the condition. Small sites are looked up by their pages; for large
    ones each hit is tested in order.
    """
    site_ids = session.scalars(select(Site.id).join(Owner, Owner.id == Site.owner_id).where(condition)).all()
    on_sites = is_any(Page.site_id, site_ids)
    if len(session.scalars(select(Page.id).where(on_sites).limit(most_named + 1)).all()) > most_named:
        sides = PageMatch.low_page_id, PageMatch.high_page_id
        return or_(*(select(on_sites).where(Page.id == side).scalar_subquery() for side in sides))
    pages = select(Page.id).where(on_sites)
    low, high = (
        select(PageMatch.id).where(side.in_(pages)) for side in (PageMatch.low_page_id, PageMatch.high_page_id)
    )
    found = union(low, high).subquery()
    return PageMatch.id.in_(select(found.c.id))


def is_any(column: Any, values: Collection[int]) -> ColumnElement[bool]:
    """Whether the column has one of the values, passed as one array parameter."""
    held: ColumnElement[bool] = column == any_(literal(list(values), ARRAY(BigInteger)))
    return held


def _copy_has_low() -> ColumnElement[bool]:
    """Whether the copy holds the text with the lower id, as lists show it."""
    return and_(_holds(copy_page_id, Match.low_text_id), _holds(PageMatch.source_page_id, Match.high_text_id))


def _holds(page_id: Any, text_id: Any) -> ColumnElement[bool]:
    """A scalar subquery: for EXISTS Postgres reads all versions before the first hit."""
    held = select(literal(True)).where(PageVersion.page_id == page_id, PageVersion.text_id == text_id)
    return func.coalesce(held.scalar_subquery(), False)


def _names(session: Session, piece: str, most_named: int) -> ColumnElement[bool]:
    """Whether either page has the piece in its URL or in a title of any version, ignoring case."""
    named = _pages_named(session, piece) if is_askable(piece) and not is_everywhere(session, piece) else None
    sides = PageMatch.low_page_id, PageMatch.high_page_id
    if named is not None and len(named) <= most_named:
        return or_(*(is_any(side, named) for side in sides))
    return or_(*(_is_named(side, piece) for side in sides))


def _pages_named(session: Session, piece: str) -> set[int]:
    """Looked up by the index; incomplete beyond MOST_NAMED of either kind."""
    pairs = func.text_grams(piece, type_=ARRAY(INTEGER))
    by_url, by_title = (
        select(page_id)
        .where(func.text_grams(column, type_=ARRAY(INTEGER)).contains(pairs), _has(column, piece))
        .limit(MOST_NAMED + 1)
        for page_id, column in ((Page.id, Page.url), (PageVersion.page_id, PageVersion.title))
    )
    with indexes_forced(session):
        return set(session.scalars(by_url.union_all(by_title)))


def _is_named(page_id: Any, piece: str) -> ColumnElement[bool]:
    """Scalar subqueries: for EXISTS Postgres reads all pages before the first hit."""
    by_url = select(_has(Page.url, piece)).where(Page.id == page_id)
    by_title = select(func.bool_or(_has(PageVersion.title, piece))).where(PageVersion.page_id == page_id)
    return or_(by_url.scalar_subquery(), by_title.scalar_subquery())


def _has(column: Any, piece: str) -> ColumnElement[bool]:
    return func.strpos(func.lower(column), func.lower(piece)) > 0
