"""Detection latency of copies that search services found: from their publication to the case and to its alert.

Nobody saw these copies appear, so only those count that state when they were published, to the minute. Time before the
original was known, or before articles of its site were asked about, does not count.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, extract, func, select, true
from sqlalchemy.orm import Session

from storage.analytics.detection_latency import (
    TO_THE_MINUTE,
    WINDOW,
    Delay,
    alerted_at,
    delay_columns,
    newest_case_pages,
)
from storage.models.cases import Case
from storage.models.pages import Page, PageVersion
from storage.models.web_search import SearchQuery
from storage.postgres.rows import columns_of, record_of
from storage.types import CaseQueue, FoundBy


@dataclass(frozen=True, slots=True)
class DiscoveryLatency:
    """Delays to the case and to its first alert. `undated`: copies without a stated time of publication, which are in
    no delay.
    """

    to_case: Delay
    to_alert: Delay
    undated: int


def discovery_latency(session: Session, now: datetime) -> DiscoveryLatency:
    """Of the newest copies that only search services found."""
    copies = _copies(now).subquery()
    to_case, to_alert = (extract("epoch", until - copies.c.appeared_at) for until in (copies.c.found_at, copies.c.told))
    columns = columns_of(
        DiscoveryLatency,
        to_case=delay_columns(to_case),
        to_alert=delay_columns(to_alert),
        undated=func.count().filter(copies.c.appeared_at.is_(None)),
    )
    return record_of(DiscoveryLatency, session.execute(select(*columns)).one())


def _copies(now: datetime) -> Select[Any]:
    """Copies with the time at which they appeared, NULL where they do not state it. Each is looked up separately, as
    for `detection_latency`.
    """
    newest = newest_case_pages()
    is_copy = (Case.id == newest.c.case_id, Case.queue != CaseQueue.SHARED_PASSAGE)
    opened = select(Case.our_page_id).where(*is_copy).limit(1).lateral("opened")
    page = (
        select(Page.id)
        .where(Page.id == newest.c.their_page_id, Page.found_by == FoundBy.SEARCH)
        .limit(1)
        .lateral("page_of_copy")
    )
    theirs = _version(page.c.id, newest.c.their_text_id).lateral("theirs")
    ours = _version(opened.c.our_page_id, newest.c.our_text_id).lateral("ours")
    is_dated = and_(theirs.c.published_at.is_not(None), theirs.c.published_precision.in_(TO_THE_MINUTE))
    stated = func.greatest(theirs.c.published_at, ours.c.fetched_at)
    return (
        select(case((is_dated, stated)).label("appeared_at"), newest.c.found_at, alerted_at(newest).label("told"))
        .select_from(newest)
        .join(opened, true())
        .join(page, true())
        .join(theirs, true())
        .join(ours, true())
        .where(newest.c.found_at >= now - WINDOW)
        # A copy that states a time after its own discovery states nothing.
        .where(~is_dated | and_(newest.c.found_at >= stated, stated >= _asked_since(opened.c.our_page_id)))
    )


def _version(page_id: ColumnElement[int], text_id: ColumnElement[int]) -> Select[*tuple[Any, ...]]:
    found = select(PageVersion.fetched_at, PageVersion.published_at, PageVersion.published_precision)
    return found.where(PageVersion.page_id == page_id, PageVersion.text_id == text_id).limit(1)


def _asked_since(our_page_id: ColumnElement[int]) -> ColumnElement[datetime]:
    """When a service was first asked about an article of the same site."""
    asked = select(func.min(SearchQuery.booked_at)).join(Page, Page.site_id == SearchQuery.site_id)
    return asked.where(Page.id == our_page_id).scalar_subquery()
