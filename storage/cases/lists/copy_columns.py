"""SQL for the state of the copy on a page of a case: for queries over CasePage, Page and (outer join) CaseCapture."""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, case, or_

from storage.models.cases import CasePage
from storage.models.operation import CaseCapture
from storage.models.pages import Page
from storage.records.copy_states import STANDING_STATES
from storage.types import CopyState


def look_at_copy() -> ColumnElement[bool]:
    """The join condition of CaseCapture."""
    return and_(CaseCapture.case_id == CasePage.case_id, CaseCapture.page_id == CasePage.their_page_id)


def removed_at() -> ColumnElement[datetime | None]:
    """Since when the copy is removed; for a page never captured, since when crawls find it gone."""
    return case(
        (CaseCapture.state.is_(None), Page.gone_at), (CaseCapture.state == CopyState.REMOVED, CaseCapture.since)
    )


def stands() -> ColumnElement[bool]:
    """Whether the page holds a copy, as far as known. The same rule as `CasePageRecord.stands`."""
    is_there = or_(
        and_(CaseCapture.state.is_(None), Page.gone_at.is_(None)), CaseCapture.state.in_(list(STANDING_STATES))
    )
    return and_(CasePage.gone_at.is_(None), is_there)
