"""The pages of a case as its page shows them: each with its hit, its direction and what is kept of it as evidence."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import and_, func, lateral, select, true
from sqlalchemy.orm import Session, aliased

from storage.cases import page_evidence
from storage.cases.copy_columns import removed_at
from storage.models.cases import Case, CasePage
from storage.models.evidence import Evidence
from storage.models.matches import Match, PageMatch
from storage.models.operation import CaseCapture
from storage.models.pages import Page, PageVersion
from storage.models.sites import Site
from storage.records.cases import CasePageRecord
from storage.records.evidence import PageEvidence
from storage.types import LicenceTerm


def count_pages_of_case(session: Session, case_id: int) -> int:
    return session.scalar(select(func.count()).where(CasePage.case_id == case_id)) or 0


def pages_of_case(session: Session, case_id: int, *, limit: int | None = None, offset: int = 0) -> list[CasePageRecord]:
    """Their pages: those that hold a copy first, of these the one with most first."""
    pair = aliased(PageMatch)
    hit = lateral(
        select(pair.id, pair.confidence, pair.source_page_id, Match.score)
        .join(Match, Match.id == pair.match_id)
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
    kept = lateral(
        select(func.count().label("captures"), func.max(Evidence.at).label("captured_at"))
        .where(Evidence.url == Page.url, Evidence.record.is_not(None), Evidence.removed_by.is_(None))
        .correlate(Page)
    )
    own, evidence = page_evidence.of_case_pages(CasePage.__table__.join(Page, Page.id == CasePage.their_page_id))
    rows = session.execute(
        select(CasePage, Page.url, func.coalesce(PageVersion.title, ""), Site.name, PageVersion.published_at,
               removed_at(), hit.c.id, hit.c.score, hit.c.confidence, hit.c.source_page_id, kept.c.captures,
               kept.c.captured_at, *evidence, CaseCapture.state, CaseCapture.since, CaseCapture.refusal)
        .select_from(own)
        .join(Case, Case.id == CasePage.case_id)
        .outerjoin(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.text_id == CasePage.their_text_id))
        .outerjoin(Site, Site.id == Page.site_id)
        .outerjoin(hit, true())
        .outerjoin(kept, true())
        .where(CasePage.case_id == case_id)
        .order_by(CasePage.gone_at.is_not(None), CasePage.chars.desc(), CasePage.id)
        .limit(limit)
        .offset(offset)
    )  # fmt: skip
    return [_record(row[0], row[1], row[2:]) for row in rows]


_EVIDENCE: Final = slice(-7, -3)
"""Columns of a row that make its `PageEvidence`; the three behind them are what looks at the page made known."""


def _record(page: CasePage, url: str, rest: Sequence[Any]) -> CasePageRecord:
    values = (*rest[: _EVIDENCE.start], PageEvidence(*rest[_EVIDENCE]), *rest[_EVIDENCE.stop :])
    return CasePageRecord(
        page.their_page_id,
        url,
        page.our_text_id,
        page.their_text_id,
        page.kind,
        page.chars,
        page.our_share,
        page.their_share,
        page.credit,
        page.standing,
        tuple(map(LicenceTerm, page.broken_terms)),
        page.licence_id,
        page.found_at,
        page.gone_at,
        *values,
    )
