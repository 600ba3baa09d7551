"""Hits: matches of texts as shown between two pages."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Label, Row, Select, and_, case, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from storage.matches.direction_reasons import decoded
from storage.matches.filters import copy_page_id, hit_ids
from storage.models.matches import Match, PageMatch
from storage.models.pages import Page, PageVersion, Text
from storage.models.sites import Owner, Site
from storage.postgres.planner import in_index_order
from storage.postgres.rows import columns_of, record_of
from storage.records.differences import Differences
from storage.records.matches import (
    Evidence,
    HitFilter,
    HitRecord,
    HitSide,
    Passage,
)

EVERYTHING = HitFilter()
HIT_CHUNK = 500


def _of_text(text_id: int) -> ColumnElement[bool]:
    return or_(Match.low_text_id == text_id, Match.high_text_id == text_id)


def _other_text(text_id: int) -> ColumnElement[int]:
    return case((Match.low_text_id == text_id, Match.high_text_id), else_=Match.low_text_id)


_copy, _source = aliased(Page, name="copy"), aliased(Page, name="source")
_copy_version, _source_version = aliased(PageVersion, name="copy_version"), aliased(PageVersion, name="source_version")
_copy_text, _source_text = aliased(Text, name="copy_text"), aliased(Text, name="source_text")
_third = aliased(Page, name="third")
_copy_site, _source_site = aliased(Site, name="copy_site"), aliased(Site, name="source_site")
_copy_owner, _source_owner = aliased(Owner, name="copy_owner"), aliased(Owner, name="source_owner")
# A text matched with itself has both shares 1, so which side is low does not matter there.
_copy_is_low = _copy_version.text_id == Match.low_text_id
_copy_share = case((_copy_is_low, Match.low_share), else_=Match.high_share)
_source_share = case((_copy_is_low, Match.high_share), else_=Match.low_share)


@cache
def _hits() -> Select[*tuple[Any, ...]]:
    of_match = [Match.low_text_id, Match.high_text_id]
    copy = _side(_copy, _copy_version, _copy_text, _copy_site, _copy_owner, _copy_share)
    source = _side(_source, _source_version, _source_text, _source_site, _source_owner, _source_share)
    return (
        select(
            *columns_of(HitRecord, PageMatch, Match, copy=copy, source=source, third_url=_third.url),
            _copy_is_low.label("copy_is_low"),
        )
        .join(Match, Match.id == PageMatch.match_id)
        .join(_copy, _copy.id == copy_page_id)
        .join(_source, _source.id == PageMatch.source_page_id)
        .join(_copy_version, and_(_copy_version.page_id == _copy.id, _copy_version.text_id.in_(of_match)))
        .join(_source_version, and_(_source_version.page_id == _source.id, _source_version.text_id.in_(of_match)))
        .where(or_(Match.low_text_id == Match.high_text_id, _copy_version.text_id != _source_version.text_id))
        .where(or_(_copy_is_low, ~_other_way_round()))
        .join(_copy_text, _copy_text.id == _copy_version.text_id)
        .join(_source_text, _source_text.id == _source_version.text_id)
        .outerjoin(_third, _third.id == PageMatch.third_page_id)
        .outerjoin(_copy_site, _copy_site.id == _copy.site_id)
        .outerjoin(_source_site, _source_site.id == _source.site_id)
        .outerjoin(_copy_owner, _copy_owner.id == _copy_site.owner_id)
        .outerjoin(_source_owner, _source_owner.id == _source_site.owner_id)
    )


def _other_way_round() -> ColumnElement[bool]:
    """Whether the pages, by other versions, hold the two texts the other way round as well.

    This happens if a source was corrected and its copy followed. The copy is then shown with the older text, so that a
    hit is one row.
    """
    copy_has_low = exists().where(PageVersion.page_id == _copy.id, PageVersion.text_id == Match.low_text_id)
    source_has_high = exists().where(PageVersion.page_id == _source.id, PageVersion.text_id == Match.high_text_id)
    return and_(copy_has_low, source_has_high)


def _side(page: Any, version: Any, text: Any, site: Any, owner: Any, share: ColumnElement[float]) -> list[Label[Any]]:
    named = {"page_id": page.id, "site_name": site.name, "owner_name": owner.name}
    return columns_of(HitSide, page, version, text, site, **named, share=share)


def list_hits(
    session: Session, where: HitFilter = EVERYTHING, *, limit: int | None = None, offset: int = 0
) -> list[HitRecord]:
    """Hits that match, highest score first."""
    return list(_shown(session, hit_ids(session, where).limit(limit).offset(offset)))


def ids_of_hits(session: Session, where: HitFilter, *, bound: int) -> list[int]:
    """Ids of matching hits, highest score first, at most `bound`: a list's length and each of its pages at once."""
    wanted = hit_ids(session, where).limit(bound)
    if where.role or where.min_share > 0:
        # Tested for each hit, and soon met.
        with in_index_order(session):
            return list(session.scalars(wanted))
    return list(session.scalars(wanted))


def hits_below(session: Session, where: HitFilter, *, below: int | None, limit: int) -> list[HitRecord]:
    """Matching hits, newest first; with `below`, those with lower ids."""
    wanted = hit_ids(session, where).order_by(None).order_by(PageMatch.id.desc()).limit(limit)
    if below is not None:
        wanted = wanted.where(PageMatch.id < below)
    return hits_by_id(session, session.scalars(wanted).all())


def hits_by_id(session: Session, ids: Sequence[int]) -> list[HitRecord]:
    """Those of these hits that exist, in this order."""
    return list(_chunks(session, ids))


def stream_hits(session: Session, where: HitFilter = EVERYTHING, *, limit: int) -> Iterator[HitRecord]:
    """The same as `list_hits`, fetched in chunks."""
    return _shown(session, hit_ids(session, where).limit(limit))


def _shown(session: Session, wanted: Select[*tuple[Any, ...]]) -> Iterator[HitRecord]:
    """The hits of these ids, in order.

    Ids come first, from narrow rows: in one statement the planner would join a dozen tables for every hit and only then
    take fifty.
    """
    return _chunks(session, session.scalars(wanted).all())


def _chunks(session: Session, ids: Sequence[int]) -> Iterator[HitRecord]:
    for start in range(0, len(ids), HIT_CHUNK):
        chunk = ids[start : start + HIT_CHUNK]
        rows = session.execute(_hits().where(PageMatch.id.in_(chunk)))
        found = {hit.id: hit for hit in map(_hit_record, rows)}
        yield from (found[hit_id] for hit_id in chunk if hit_id in found)


def hits_between(session: Session, page_id: int, others: Collection[int]) -> list[HitRecord]:
    """All hits between a page and any of the others, for all versions, highest score first."""
    other = list(others)
    pair = or_(
        and_(PageMatch.low_page_id == page_id, PageMatch.high_page_id.in_(other)),
        and_(PageMatch.high_page_id == page_id, PageMatch.low_page_id.in_(other)),
    )
    return [_hit_record(row) for row in session.execute(_hits().where(pair).order_by(Match.score.desc(), PageMatch.id))]


def count_hits(session: Session, where: HitFilter = EVERYTHING, *, bound: int | None = None) -> int:
    """The number of matching hits, counted up to `bound`."""
    counted = hit_ids(session, where).order_by(None).limit(bound).subquery()
    return session.scalar(select(func.count()).select_from(counted)) or 0


def get_hit(session: Session, hit_id: int) -> HitRecord | None:
    row = session.execute(_hits().where(PageMatch.id == hit_id)).first()
    return None if row is None else _hit_record(row)


def hits_of_copy(session: Session, page_id: int, *, text_id: int, limit: int) -> list[HitRecord]:
    """The hits in which a page with this text is the copy, largest share of the copy first."""
    # Two steps: in one, a planner that expects few pages joins all of them with all sites first.
    of_page = session.scalars(select(PageMatch.id).where(_of_page(page_id), PageMatch.source_page_id != page_id))
    statement = (
        _hits()
        .where(PageMatch.id.in_(of_page.all()), _copy_version.text_id == text_id)
        .order_by(_copy_share.desc(), PageMatch.id)
    )
    return [_hit_record(row) for row in session.execute(statement.limit(limit))]


def hits_of_page(session: Session, page_id: int, *, limit: int) -> list[HitRecord]:
    """The hits of a page on either side, highest score first."""
    statement = _hits().where(_of_page(page_id)).order_by(Match.score.desc(), PageMatch.id)
    return [_hit_record(row) for row in session.execute(statement.limit(limit))]


def hit_of_pages(session: Session, one: int, other: int) -> int | None:
    """The id of the newest hit of two pages."""
    low, high = sorted((one, other))
    of_both = PageMatch.low_page_id == low, PageMatch.high_page_id == high
    return session.scalar(select(PageMatch.id).where(*of_both).order_by(PageMatch.id.desc()).limit(1))


def _of_page(page_id: int) -> ColumnElement[bool]:
    return or_(PageMatch.low_page_id == page_id, PageMatch.high_page_id == page_id)


def _hit_record(row: Row[Any]) -> HitRecord:
    passages = [passage_from_json(value) for value in row.passages]
    return record_of(
        HitRecord,
        row,
        reasons=tuple(map(decoded, row.reasons)),
        passages=tuple(passage if row.copy_is_low else passage.swapped() for passage in passages),
        evidence=Evidence(**row.evidence),
    )


def passage_from_json(value: dict[str, Any]) -> Passage:
    return Passage(**(value | {"differences": Differences(**value["differences"])}))
