"""Who was first, for each page that a letter may name."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session, aliased

from storage.matches.direction_reasons import decoded
from storage.models.cases import Case, CasePage
from storage.models.matches import Match, PageMatch
from storage.models.pages import Page
from storage.postgres.rows import columns_of, record_of


@dataclass(frozen=True, slots=True)
class PageDirection:
    """The judgement of a pair of a case: the page at `source_url` was first with this confidence, 0.5…1."""

    case_id: int
    url: str
    """Of their page."""
    is_ours_first: bool
    source_url: str
    confidence: float
    reasons: tuple[str, ...]


def directions_of(session: Session, case_ids: Collection[int]) -> dict[tuple[int, str], PageDirection]:
    """By case and address of their page; pairs that wording does not prove are not among them."""
    theirs, source = aliased(Page), aliased(Page)
    of_pair = and_(
        PageMatch.low_page_id == func.least(Case.our_page_id, CasePage.their_page_id),
        PageMatch.high_page_id == func.greatest(Case.our_page_id, CasePage.their_page_id),
    )
    of_texts = and_(
        Match.id == PageMatch.match_id,
        Match.low_text_id == func.least(CasePage.our_text_id, CasePage.their_text_id),
        Match.high_text_id == func.greatest(CasePage.our_text_id, CasePage.their_text_id),
    )
    columns = columns_of(
        PageDirection,
        CasePage,
        PageMatch,
        url=theirs.url,
        source_url=source.url,
        is_ours_first=PageMatch.source_page_id == Case.our_page_id,
    )
    rows = session.execute(
        select(*columns)
        .select_from(CasePage)
        .join(Case, Case.id == CasePage.case_id)
        .join(theirs, theirs.id == CasePage.their_page_id)
        .join(PageMatch, of_pair)
        .join(Match, of_texts)
        .join(source, source.id == PageMatch.source_page_id)
        .where(CasePage.case_id.in_(list(case_ids)))
        .order_by(PageMatch.id)
    )
    found = (record_of(PageDirection, row, reasons=tuple(map(decoded, row.reasons))) for row in rows)
    return {(one.case_id, one.url): one for one in found}
