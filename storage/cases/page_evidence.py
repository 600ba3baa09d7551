"""Evidence of a page for a case: a kept response of its own with the article, or why there is none."""

from typing import Any

from sqlalchemy import FromClause, Label, and_, lateral, or_, select, true

from storage.cases.lists.copy_columns import look_at_copy
from storage.models.cases import CasePage
from storage.models.evidence import Evidence
from storage.models.operation import CaseCapture
from storage.models.pages import Page, Text
from storage.postgres.rows import columns_of
from storage.records.evidence import EvidenceKind, PageEvidence

_OF_SERVERS = (EvidenceKind.STORED, EvidenceKind.CAPTURED)
"""Responses of servers. Screenshots and files from people are no captures."""


def of_case_pages(source: FromClause) -> tuple[FromClause, list[Label[Any]]]:
    """Joins `source`, a select over `CasePage` and `Page`, with the evidence of each page. Returns it with the columns
    of a `PageEvidence`.

    A response is a page's own if it came from the page's URL and either its text is the one that was judged, or it is
    the case's last capture and that did not fail. Its file must not have been removed.
    """
    is_last = and_(CaseCapture.entry == Evidence.number, CaseCapture.refusal.is_(None))
    own = lateral(
        select(Evidence.number, Evidence.at)
        .where(
            Evidence.url == Page.url,
            Evidence.kind.in_(_OF_SERVERS),
            Evidence.text.is_not(None),
            Evidence.record.is_not(None),
            Evidence.removed_by.is_(None),
            or_(Evidence.text == Text.sha256, is_last),
            or_(CaseCapture.refusal.is_(None), CaseCapture.entry != Evidence.number),
        )
        .order_by(Evidence.number.desc())
        .limit(1)
        .correlate(Page, Text, CaseCapture)
    )
    joined = (
        source.join(Text, Text.id == CasePage.their_text_id)
        .outerjoin(CaseCapture, look_at_copy())
        .outerjoin(own, true())
    )
    is_tried = CaseCapture.entry.is_not(None)
    return joined, columns_of(PageEvidence, own, CaseCapture, entry=own.c.number, is_tried=is_tried)
