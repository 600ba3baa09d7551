"""SQL conditions: whether a case refers to a page."""

from sqlalchemy import ColumnElement, SQLColumnExpression, exists, or_

from storage.models.cases import Case, CasePage
from storage.models.pages import Page
from storage.records.case_states import OPEN_STATES
from storage.types import CaseQueue


def is_in_open_case(low_page: SQLColumnExpression[int], high_page: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """For a query over pairs of pages: whether an open case contains the pair, whichever page is ours. What shares a
    passage only is in a list of its own, and no case until a person says so.
    """
    held = or_(
        (Case.our_page_id == low_page) & (CasePage.their_page_id == high_page),
        (Case.our_page_id == high_page) & (CasePage.their_page_id == low_page),
    )
    is_open = (Case.state.in_(OPEN_STATES), Case.queue != CaseQueue.SHARED_PASSAGE)
    return exists().where(Case.id == CasePage.case_id, CasePage.gone_at.is_(None), *is_open, held)


def page_is_in_case() -> ColumnElement[bool]:
    """For a query over pages: whether a case in any state refers to the page."""
    return or_(exists().where(Case.our_page_id == Page.id), exists().where(CasePage.their_page_id == Page.id))
