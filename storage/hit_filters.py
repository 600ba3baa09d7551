"""Which hits a filter names, without all that a list shows of them: so that fifty of a hundred thousand cost fifty."""

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, or_, select, union
from sqlalchemy.dialects.postgresql import ARRAY, INTEGER

from storage.case_pairs import is_in_open_case
from storage.models.matches import Match, PageMatch
from storage.models.pages import Page, PageVersion
from storage.models.sites import Owner, Site
from storage.pages import storable
from storage.records import HitFilter

copy_page_id: ColumnElement[int] = case(
    (PageMatch.source_page_id == PageMatch.low_page_id, PageMatch.high_page_id), else_=PageMatch.low_page_id
)


def hit_ids(where: HitFilter) -> Select[*tuple[Any, ...]]:
    """Ids of the hits that fit, surest first."""
    return (
        select(PageMatch.id)
        .join(Match, Match.id == PageMatch.match_id)
        .where(*_conditions(where))
        .order_by(Match.score.desc(), PageMatch.id)
    )


def _conditions(where: HitFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if where.site:
        conditions.append(_either_page(Site.name == storable(where.site)))
    if where.owner:
        conditions.append(_either_page(Owner.name == storable(where.owner)))
    if where.kind:
        conditions.append(Match.kind == where.kind)
    if where.credit:
        conditions.append(PageMatch.credit == where.credit)
    if where.role:
        # As a value, not as EXISTS: that would be made a join with all pages, and ours are found soon enough in order.
        of_source = select(Site.role).where(Page.id == PageMatch.source_page_id, Site.id == Page.site_id)
        conditions.append(of_source.scalar_subquery() == where.role)
    if where.min_share > 0:
        conditions.append(case((_copy_has_low(), Match.low_share), else_=Match.high_share) >= where.min_share)
    if where.min_score > 0:
        conditions.append(Match.score >= where.min_score)
    if where.open_case:
        conditions.append(is_in_open_case(PageMatch.low_page_id, PageMatch.high_page_id))
    if where.text:
        named = _pages_named(storable(where.text))
        conditions.append(or_(PageMatch.low_page_id.in_(named), PageMatch.high_page_id.in_(named)))
    return conditions


def _either_page(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return or_(_page(PageMatch.low_page_id, condition), _page(PageMatch.high_page_id, condition))


def _page(page_id: Any, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether the site or the owner of a page is as told."""
    return exists().where(Page.id == page_id, Site.id == Page.site_id, Owner.id == Site.owner_id, condition)


def _copy_has_low() -> ColumnElement[bool]:
    """Whether the copy holds the text with the lower number, as the list shows it (see `matches`)."""
    copy_has_low = exists().where(PageVersion.page_id == copy_page_id, PageVersion.text_id == Match.low_text_id)
    source_has_high = exists().where(
        PageVersion.page_id == PageMatch.source_page_id, PageVersion.text_id == Match.high_text_id
    )
    return and_(copy_has_low, source_has_high)


def _pages_named(piece: str) -> Select[*tuple[Any, ...]]:
    """Pages with the piece in their address or, at any time, in their title; letters small or large."""
    pairs = func.text_grams(piece, type_=ARRAY(INTEGER))
    by_url, by_title = (
        select(page_id).where(
            func.text_grams(column, type_=ARRAY(INTEGER)).contains(pairs),
            func.strpos(func.lower(column), func.lower(piece)) > 0,
        )
        for page_id, column in ((Page.id.label("page_id"), Page.url), (PageVersion.page_id, PageVersion.title))
    )
    found = union(by_url, by_title).subquery()
    return select(found.c.page_id)
