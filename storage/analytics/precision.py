"""Precision, from the decisions of people: by score threshold, by site, and by date."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import CTE, ColumnElement, Select, func, select, true
from sqlalchemy.orm import Session

from storage.analytics.reviewer_agreement import DECISIONS_COUNTED
from storage.cases.verdicts import verdict_of_case
from storage.models.cases import Case, CasePage
from storage.models.pages import Page
from storage.models.sites import Site
from storage.postgres.rows import records_of
from storage.types import CaseQueue, Verdict

THRESHOLDS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95)
SHOWN_SITES: Final = 12

_Bands: TypeAlias = dict[int, list[int]]
"""By score band: counts of right and wrong."""


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """Counts of decided cases with at least this score."""

    threshold: float
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class SitePrecision:
    """Precision of cases with copies on a site; None: all sites."""

    site: str | None
    steps: tuple[AtThreshold, ...]

    @property
    def decided(self) -> int:
        return self.steps[0].right + self.steps[0].wrong


@dataclass(frozen=True, slots=True)
class DayOfCases:
    """Cases opened on a date, and how many of them were found wrong since."""

    day: date
    opened: int
    wrong: int


def precision_by_threshold(session: Session) -> list[SitePrecision]:
    """All sites together, then those with most decisions; of the newest decisions up to a bound."""
    decided = _decided()
    counts: dict[str | None, _Bands] = defaultdict(_no_cases)
    by_site: dict[int, _Bands] = defaultdict(_no_cases)
    band = func.width_bucket(func.coalesce(decided.c.score, 0.0), list(THRESHOLDS))
    everywhere = select(band, decided.c.verdict, func.count()).group_by(band, decided.c.verdict)
    for number, verdict, found in session.execute(everywhere):
        counts[None][number][verdict == Verdict.WRONG.value] += found
    for site_id, number, verdict, found in session.execute(_by_site(decided, band)):
        by_site[site_id][number][verdict == Verdict.WRONG.value] += found
    names = dict(session.execute(select(Site.id, Site.name).where(Site.id.in_(list(by_site)))).all())
    counts |= {names[site_id]: bands for site_id, bands in by_site.items()}
    found = [SitePrecision(name, _steps(bands)) for name, bands in counts.items()]
    ordered = sorted(found, key=lambda one: (one.site is not None, -one.decided, one.site or ""))
    return ordered[: SHOWN_SITES + 1]


def _by_site(decided: CTE, band: ColumnElement[int]) -> Select[Any]:
    """The sites of each case are looked up separately: a planner that expects one decision would scan the pages of all
    cases for each.
    """
    sites = (
        select(Page.site_id)
        .join(CasePage, CasePage.their_page_id == Page.id)
        .where(Page.site_id.is_not(None), CasePage.case_id == decided.c.id)
        .distinct()
        .lateral("sites")
    )
    columns = sites.c.site_id, band, decided.c.verdict
    return select(*columns, func.count()).select_from(decided).join(sites, true()).group_by(*columns)


def _no_cases() -> _Bands:
    return defaultdict(lambda: [0, 0])


def _steps(bands: _Bands) -> tuple[AtThreshold, ...]:
    """Cumulative from the highest threshold down."""
    steps, right, wrong = [], 0, 0
    for number in range(len(THRESHOLDS), 0, -1):
        right, wrong = right + bands[number][0], wrong + bands[number][1]
        steps.append(AtThreshold(THRESHOLDS[number - 1], right, wrong))
    return tuple(reversed(steps))


def cases_by_day(session: Session, since: datetime, time_zone: str) -> list[DayOfCases]:
    """Cases by date, in order; dates without cases are left out."""
    day = func.date(func.timezone(time_zone, Case.opened_at)).label("day")
    wrong = func.count().filter(verdict_of_case() == Verdict.WRONG.value)
    columns = day, func.count().label("opened"), wrong.label("wrong")
    opened = select(*columns).where(Case.opened_at >= since, Case.queue == CaseQueue.COPIED)
    return records_of(DayOfCases, session.execute(opened.group_by(day).order_by(day)))


def _decided() -> CTE:
    verdict = verdict_of_case()
    found = (
        select(Case.id, Case.score, verdict.label("verdict"))
        .where(Case.queue == CaseQueue.COPIED, verdict.is_not(None))
        .order_by(Case.id.desc())
        .limit(DECISIONS_COUNTED)
    )
    return found.cte("decided").prefix_with("MATERIALIZED")
