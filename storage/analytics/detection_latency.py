"""Detection latency: from the appearance of a copy to its case and to its alert, by site, for the newest copies.

A copy appears when a feed or sitemap says so to the minute, else when it was first seen. Time before the original was
known or before the site was watched does not count, nor do copies that the first crawl of a site found.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import CTE, ColumnElement, Label, Select, Subquery, case, extract, func, select, true
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.alerts import Alert, AlertEvent
from storage.models.cases import Case, CasePage
from storage.models.pages import Page, PageVersion
from storage.models.sites import CrawlRun, Site
from storage.models.watch import PageAppearance
from storage.postgres.rows import columns_of, records_of
from storage.records.alerts import AlertKind
from storage.records.pages import Declared
from storage.types import FOUND_BY_CRAWLS, Precision

LOOKED_AT: Final = 2_000
"""Newest pages of cases that are read."""
WINDOW: Final = timedelta(days=30)
LONGEST_AGO: Final = timedelta(days=30)
"""Older dates in a feed are ignored: a feed that is read for the first time lists old articles."""
MOST_SITES: Final = 500
TO_THE_MINUTE: Final = frozenset({Precision.SECOND, Precision.MINUTE})
_NEARLY_ALL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Delay:
    """Median and 95th percentile in seconds; None if nothing was counted."""

    count: int
    median_s: float | None
    p95_s: float | None


@dataclass(frozen=True, slots=True)
class SiteLatency:
    """Delays to the case and to its first alert. `site` None: all sites."""

    site: str | None
    to_case: Delay
    to_alert: Delay


@dataclass(frozen=True, slots=True)
class DetectedCopy:
    """A copy on a page: when it appeared, was found, and was notified. `appeared_at` is not before the original was
    known.
    """

    case_id: int
    page_id: int
    site: str
    url: str
    title: str
    appeared_at: datetime
    found_at: datetime
    alerted_at: datetime | None

    @property
    def to_case_s(self) -> float:
        return (self.found_at - self.appeared_at).total_seconds()

    @property
    def to_alert_s(self) -> float | None:
        return None if self.alerted_at is None else (self.alerted_at - self.appeared_at).total_seconds()


def note_appearance(session: Session, page_id: int, declared: Declared, seen_at: datetime) -> None:
    """Records when a feed or sitemap says that a new page was published, if stated to the minute and recent."""
    at = declared.at
    if at is None or declared.precision not in TO_THE_MINUTE or not seen_at - LONGEST_AGO < at <= seen_at:
        return
    session.execute(insert(PageAppearance).values(page_id=page_id, at=at).on_conflict_do_nothing())


def site_latencies(session: Session, now: datetime) -> list[SiteLatency]:
    """All sites together first, then each with recent copies, by name."""
    copies = _finds(now - WINDOW).subquery()
    to_case, to_alert = (
        _seconds(copies.c.found_at, copies),
        _seconds(copies.c.alerted_at, copies),
    )
    delays = columns_of(SiteLatency, copies, to_case=delay_columns(to_case), to_alert=delay_columns(to_alert))
    rows = session.execute(
        select(*delays).group_by(func.rollup(copies.c.site)).order_by(copies.c.site.nulls_first()).limit(MOST_SITES)
    )
    return records_of(SiteLatency, rows)


def detected_copies(
    session: Session, now: datetime, *, site: str | None = None, limit: int, offset: int = 0
) -> list[DetectedCopy]:
    """The copies behind these figures, slowest first."""
    found = _finds(now - WINDOW).subquery()
    statement = select(found).order_by((found.c.found_at - found.c.appeared_at).desc(), found.c.page_id)
    if site is not None:
        statement = statement.where(found.c.site == site)
    return records_of(DetectedCopy, session.execute(statement.limit(limit).offset(offset)))


def _finds(since: datetime) -> Select[Any]:
    """A select of the newest pages of cases found by crawls since `since`.

    Each is looked up separately (LATERAL with LIMIT, which the planner cannot reorder): with statistics from before the
    first crawl, the planner would start from a wrong table and join millions of rows.
    """
    newest = newest_case_pages()
    opened = select(Case.our_page_id).where(Case.id == newest.c.case_id).limit(1).lateral("opened")
    page = (
        select(Page.id, Page.url, Page.site_id, Page.first_seen_at)
        .where(Page.id == newest.c.their_page_id, Page.found_by.in_(FOUND_BY_CRAWLS))
        .limit(1)
        .lateral("page_of_copy")
    )
    site = select(Site.id, Site.name).where(Site.id == page.c.site_id).limit(1).lateral("site_of_copy")
    theirs = _version(page.c.id, newest.c.their_text_id).lateral("theirs")
    ours = _version(opened.c.our_page_id, newest.c.our_text_id).lateral("ours")
    is_first_text = theirs.c.fetched_at <= page.c.first_seen_at
    stated = func.coalesce(_stated_at(page.c.id), page.c.first_seen_at)
    appeared_at = func.greatest(case((is_first_text, stated), else_=theirs.c.fetched_at), ours.c.fetched_at)
    return (
        select(
            newest.c.case_id,
            page.c.id.label("page_id"),
            site.c.name.label("site"),
            page.c.url,
            theirs.c.title,
            appeared_at.label("appeared_at"),
            newest.c.found_at,
            alerted_at(newest).label("alerted_at"),
        )
        .select_from(newest)
        .join(opened, true())
        .join(page, true())
        .join(site, true())
        .join(theirs, true())
        .join(ours, true())
        # A page judged again with a later text keeps its first `found_at`, which is not about that text.
        .where(newest.c.found_at >= since, newest.c.found_at >= appeared_at)
        .where(appeared_at >= _watched_since(site.c.id))
    )


def newest_case_pages() -> CTE:
    """The pages of cases that were found last, LOOKED_AT of them."""
    columns = CasePage.case_id, CasePage.their_page_id, CasePage.our_text_id, CasePage.their_text_id, CasePage.found_at
    newest = select(*columns).order_by(CasePage.id.desc()).limit(LOOKED_AT)
    return newest.cte("newest").prefix_with("MATERIALIZED")


def _version(page_id: ColumnElement[int], text_id: ColumnElement[int]) -> Select[datetime, str]:
    found = select(PageVersion.fetched_at, PageVersion.title)
    return found.where(PageVersion.page_id == page_id, PageVersion.text_id == text_id).limit(1)


def _stated_at(page_id: ColumnElement[int]) -> ColumnElement[datetime]:
    return select(PageAppearance.at).where(PageAppearance.page_id == page_id).scalar_subquery()


def _watched_since(site_id: ColumnElement[int]) -> ColumnElement[datetime | None]:
    """When the first finished run of the site ended."""
    ended = select(CrawlRun.ended_at).where(CrawlRun.site_id == site_id, CrawlRun.ended_at.is_not(None))
    return ended.order_by(CrawlRun.id).limit(1).scalar_subquery()


def alerted_at(newest: CTE) -> ColumnElement[datetime | None]:
    """When the first alert about the opening of the case was sent, for a page with which it was opened."""
    return (
        select(func.min(Alert.sent_at))
        .join(AlertEvent, AlertEvent.id == Alert.event_id)
        .where(
            AlertEvent.case_id == newest.c.case_id,
            AlertEvent.kind == AlertKind.CASE_OPENED,
            Alert.sent_at >= newest.c.found_at,
        )
        .correlate(newest)
        .scalar_subquery()
    )


def _seconds(until: ColumnElement[Any], copies: Subquery) -> ColumnElement[Any]:
    return extract("epoch", until - copies.c.appeared_at)


def delay_columns(seconds: ColumnElement[Any]) -> list[Label[Any]]:
    """The columns of a `Delay` over so many seconds each."""
    return columns_of(
        Delay,
        count=func.count(seconds),
        median_s=func.percentile_cont(0.5).within_group(seconds),
        p95_s=func.percentile_cont(_NEARLY_ALL).within_group(seconds),
    )
