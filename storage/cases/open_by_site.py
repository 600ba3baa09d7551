"""How many open cases each site is in: on the side of the copied article, or on the copier's."""

from collections import Counter
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.models.cases import Case, CasePage
from storage.models.pages import Page
from storage.records.case_states import OPEN_STATES
from storage.types import CaseQueue

MOST_CASES: Final = 5_000
"""The newest that are counted."""


def open_cases_by_site(session: Session) -> dict[int, int]:
    """Number of open cases by id of a site, among the newest; sites without one are left out.

    A case counts once for the site of our article, and once for each site of the copier with a page in it. What shares
    a passage only counts nowhere.
    """
    newest = (
        select(Case.id, Case.our_page_id)
        .where(Case.state.in_(OPEN_STATES), Case.queue != CaseQueue.SHARED_PASSAGE)
        .order_by(Case.id.desc())
        .limit(MOST_CASES)
        .subquery("newest")
    )
    ours = (
        select(Page.site_id, func.count())
        .join(newest, newest.c.our_page_id == Page.id)
        .where(Page.site_id.is_not(None))
        .group_by(Page.site_id)
    )
    theirs = (
        select(Page.site_id, func.count(func.distinct(newest.c.id)))
        .join(CasePage, CasePage.their_page_id == Page.id)
        .join(newest, newest.c.id == CasePage.case_id)
        .where(Page.site_id.is_not(None), CasePage.gone_at.is_(None))
        .group_by(Page.site_id)
    )
    counted: Counter[int] = Counter()
    for statement in (ours, theirs):
        for site_id, count in session.execute(statement):
            if site_id is not None:
                counted[site_id] += count
    return dict(counted)
