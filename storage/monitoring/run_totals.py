"""Totals of the counters of runs, each run counted once: by site and date, and over all runs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy import func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.crawl.health import ERRORS
from storage.crawl.runs import LOST
from storage.models.sites import CrawlRun, Site
from storage.models.watch import CrawlTotal, SiteDay
from storage.postgres.rows import columns_of, record_of
from storage.records.monitoring import SiteDayFigures
from storage.time_zones import zone_named

AT_ONCE: Final = 500
LOST_FOR_GOOD: Final = timedelta(hours=1)
"""A run marked as lost may come back if only its database was unreachable."""

NO_CRAWL: Final = frozenset({"busy", "outside-window"})
"""Exit reasons of runs without requests."""

SHUT_OUT: Final = ERRORS | {"host-held", "robots"}
NOTHING_FOUND: Final = frozenset(
    {
        "not-an-article",
        "too-short",
        "rule-found-nothing",
        "paywall",
        "broken-markup",
        "undecodable",
        "nested-too-deep",
        "parse-deadline",
        "parser-died",
    }
)
"""Refusals of a page that was read and has no article; lists are not included."""

ARTICLES: Final = ("articles/new", "articles/changed", "articles/unchanged")
_ANSWERED: Final = (
    *ARTICLES,
    *("lists/unchanged", "feeds/read", "sitemaps/read"),
    *("refused/list-page", "refused/duplicate", "refused/following-part", "refused/gone", "refused/not-to-be-kept"),
    *(f"refused/{name}" for name in sorted(NOTHING_FOUND)),
)
_DAY_SUMS: Final = ("runs", "answered", "failed", "read", "empty", "articles", "chars")


def figures_of_run(day: date, counters: Mapping[str, int]) -> SiteDayFigures:
    """Return the contribution of one run to its site's totals. Pure."""

    def total(names: Iterable[str]) -> int:
        return sum(counters.get(name, 0) for name in names)

    return SiteDayFigures(
        day=day,
        runs=1,
        answered=total(_ANSWERED),
        failed=total(f"refused/{name}" for name in SHUT_OUT),
        read=total(ARTICLES),
        empty=total(f"refused/{name}" for name in NOTHING_FOUND),
        articles=counters.get("articles/new", 0),
        chars=counters.get("articles/chars", 0),
    )


def tally(session: Session, *, limit: int = AT_ONCE) -> tuple[int, set[int]]:
    """Count finished runs that were not counted yet, each once, even if several processes do so at the same time.

    Returns how many, and the sites whose daily totals changed.
    """
    is_over = or_(
        CrawlRun.exit_reason.is_distinct_from(LOST) & CrawlRun.ended_at.is_not(None),
        CrawlRun.ended_at < func.now() - LOST_FOR_GOOD,
    )
    rows = session.execute(
        select(
            CrawlRun.id, CrawlRun.site_id, Site.time_zone, CrawlRun.ended_at, CrawlRun.exit_reason, CrawlRun.counters
        )
        .join(Site, Site.id == CrawlRun.site_id)
        .where(~CrawlRun.tallied, is_over)
        .order_by(CrawlRun.id)
        .limit(limit)
        .with_for_update(of=CrawlRun, skip_locked=True)
    ).all()
    days: defaultdict[tuple[int, date], Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    for _, site_id, zone, ended_at, exit_reason, counters in rows:
        totals.update(counters)
        totals[f"runs/{exit_reason}"] += 1
        if exit_reason not in NO_CRAWL and ended_at is not None:
            day = ended_at.astimezone(zone_named(zone)).date()
            figures = asdict(figures_of_run(day, counters))
            days[site_id, day].update({name: figures[name] for name in _DAY_SUMS})
    _add_days(session, days)
    _add_totals(session, totals)
    session.execute(update(CrawlRun).where(CrawlRun.id.in_([row.id for row in rows])).values(tallied=True))
    return len(rows), {site_id for site_id, _ in days}


def site_days(session: Session, site_ids: Collection[int], since: date) -> dict[int, list[SiteDayFigures]]:
    """Return the dates of these sites that had runs, oldest first."""
    columns = columns_of(SiteDayFigures, SiteDay)
    rows = session.execute(
        select(SiteDay.site_id, *columns)
        .where(SiteDay.site_id.in_(list(site_ids)), SiteDay.day >= since)
        .order_by(SiteDay.site_id, SiteDay.day)
    )
    found: dict[int, list[SiteDayFigures]] = {}
    for row in rows:
        found.setdefault(row.site_id, []).append(record_of(SiteDayFigures, row))
    return found


def crawl_totals(session: Session) -> dict[str, int]:
    """Return the counters of all counted runs, by name."""
    return dict(session.execute(select(CrawlTotal.name, CrawlTotal.count)).all())


def _add_days(session: Session, days: Mapping[tuple[int, date], Counter[str]]) -> None:
    rows = [
        {"site_id": site_id, "day": day, **{name: sums[name] for name in _DAY_SUMS}}
        for (site_id, day), sums in sorted(days.items())
    ]
    if rows:
        statement = insert(SiteDay)
        added: dict[str, Any] = {name: getattr(SiteDay, name) + statement.excluded[name] for name in _DAY_SUMS}
        session.execute(
            statement.on_conflict_do_update(index_elements=[SiteDay.site_id, SiteDay.day], set_=added), rows
        )


def _add_totals(session: Session, totals: Mapping[str, int]) -> None:
    rows = [{"name": name, "count": count} for name, count in sorted(totals.items())]
    if rows:
        statement = insert(CrawlTotal)
        added = {"count": CrawlTotal.count + statement.excluded["count"]}
        session.execute(statement.on_conflict_do_update(index_elements=[CrawlTotal.name], set_=added), rows)
