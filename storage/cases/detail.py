"""The pages of a case with their hits, their direction and their evidence."""

from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, and_, func, lateral, select, true
from sqlalchemy.orm import Session, aliased

from storage.cases import page_evidence
from storage.cases.lists.copy_columns import removed_at
from storage.models.cases import Case, CasePage
from storage.models.evidence import Evidence
from storage.models.matches import Match, PageMatch
from storage.models.meaning import Retelling
from storage.models.operation import CaseCapture
from storage.models.pages import Page, PageVersion
from storage.models.sites import Site
from storage.postgres.rows import columns_of, records_of
from storage.records.cases import CasePageRecord


def count_pages_of_case(session: Session, case_id: int) -> int:
    return session.scalar(select(func.count()).where(CasePage.case_id == case_id)) or 0


def page_of_case(session: Session, case_id: int, their_page_id: int) -> CasePageRecord | None:
    """One page of the copier; None if the case does not hold it."""
    return next(iter(_pages(session, CasePage.case_id == case_id, CasePage.their_page_id == their_page_id)), None)


def pages_of_case(session: Session, case_id: int, *, limit: int | None = None, offset: int = 0) -> list[CasePageRecord]:
    """The pages of the copier: those that hold a copy first, ordered by copied characters."""
    return _pages(session, CasePage.case_id == case_id, limit=limit, offset=offset)


def _pages(
    session: Session, *where: ColumnElement[bool], limit: int | None = None, offset: int = 0
) -> list[CasePageRecord]:
    wanted = _in_order().where(*where).limit(limit).offset(offset)
    return records_of(CasePageRecord, session.execute(wanted))


@cache
def _in_order() -> Select[*tuple[Any, ...]]:
    hit, kept = _newest_hit(), _captures()
    meaning = aliased(Retelling)
    of_both = and_(
        meaning.low_page_id == func.least(Case.our_page_id, CasePage.their_page_id),
        meaning.high_page_id == func.greatest(Case.our_page_id, CasePage.their_page_id),
    )
    own, evidence = page_evidence.of_case_pages(CasePage.__table__.join(Page, Page.id == CasePage.their_page_id))
    columns = columns_of(
        CasePageRecord, CasePage, PageVersion, kept,
        their_url=Page.url, their_title=func.coalesce(PageVersion.title, ""), their_site=Site.name,
        page_gone_at=removed_at(), hit_id=hit.c.id, score=hit.c.score, confidence=hit.c.confidence,
        source_page_id=hit.c.source_page_id, relation=hit.c.relation, third_url=hit.c.third_url,
        evidence=evidence, copy_state=CaseCapture.state, copy_since=CaseCapture.since,
        provisional=func.coalesce(hit.c.provisional, False), in_our_articles=func.coalesce(hit.c.in_our_articles, 0),
        copy_refusal=CaseCapture.refusal, retelling_id=meaning.id, found_by=Page.found_by,
    )  # fmt: skip
    return (
        select(*columns)
        .select_from(own)
        .join(Case, Case.id == CasePage.case_id)
        .outerjoin(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.text_id == CasePage.their_text_id))
        .outerjoin(Site, Site.id == Page.site_id)
        .outerjoin(hit, true())
        .outerjoin(kept, true())
        .outerjoin(meaning, of_both)
        .order_by(CasePage.gone_at.is_not(None), CasePage.chars.desc(), CasePage.id)
    )


def _newest_hit() -> FromClause:
    """The hit of both pages of a row, as their texts were judged: by the newest version of the algorithm."""
    pair, third = aliased(PageMatch), aliased(Page)
    return lateral(
        select(
            pair.id,
            pair.confidence,
            pair.source_page_id,
            pair.relation,
            third.url.label("third_url"),
            Match.score,
            Match.evidence["provisional"].as_boolean().label("provisional"),
            Match.evidence["in_our_articles"].as_integer().label("in_our_articles"),
        )
        .join(Match, Match.id == pair.match_id)
        .outerjoin(third, third.id == pair.third_page_id)
        .where(
            pair.low_page_id == func.least(Case.our_page_id, CasePage.their_page_id),
            pair.high_page_id == func.greatest(Case.our_page_id, CasePage.their_page_id),
            Match.low_text_id == func.least(CasePage.our_text_id, CasePage.their_text_id),
            Match.high_text_id == func.greatest(CasePage.our_text_id, CasePage.their_text_id),
        )
        .order_by(Match.algorithm_version.desc())
        .limit(1)
        .correlate(Case, CasePage)
    )


def _captures() -> FromClause:
    """How many entries of evidence with a file there are about a page, and the newest."""
    return lateral(
        select(func.count().label("captures"), func.max(Evidence.at).label("captured_at"))
        .where(Evidence.url == Page.url, Evidence.record.is_not(None), Evidence.removed_by.is_(None))
        .correlate(Page)
    )
