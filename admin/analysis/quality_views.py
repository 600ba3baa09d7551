"""Analysis of the detection: skew of fingerprints, precision by threshold, preview of another case rule."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, request

from admin.analysis.confidence_interval import Share, share_of
from admin.identity.time_zone import viewer_zone
from admin.web.db_session import database
from admin.web.query_fields import QueryFields
from admin.web.replica_reads import reads_replica
from admin.web.services import current_services
from matcher.cases.case_rule import CaseRule
from matcher.judgement.overlap import chars_shared
from storage.analytics import fingerprint_health, threshold_preview
from storage.analytics import precision as analytics_precision
from storage.analytics.fingerprint_health import ComparisonsOfDate
from storage.analytics.precision import AtThreshold, SitePrecision
from storage.analytics.threshold_preview import Rule
from storage.cases import listing
from storage.matches import hits

SHOWN_RUNS: Final = 60
DAYS: Final = 60
SHOWN_CASES: Final = 30
LARGEST_CHARS: Final = 100_000
_STEP: Final = 10.0
_HALF: Final = 50.0

blueprint = Blueprint("analysis_quality", __name__, url_prefix="/analysis")


@dataclass(frozen=True, slots=True)
class Column:
    """One day of a chart: a bar above the line and one below it."""

    day: date
    up: int
    down: int
    x: float
    up_y: float
    up_height: float
    down_height: float


@dataclass(frozen=True, slots=True)
class Step:
    """Precision of hits with at least this score, and the share of all right hits that have it."""

    threshold: float
    precision: Share
    kept: float


@dataclass(frozen=True, slots=True)
class SiteSteps:
    site: str | None
    decided: int
    steps: tuple[Step, ...]


@blueprint.get("/fingerprints")
@reads_replica
def fingerprints() -> str:
    since = datetime.now(UTC).date() - timedelta(days=DAYS - 1)
    days = fingerprint_health.comparisons_by_date(database(), since)
    return render_template(
        "analysis/analysis_fingerprints.html",
        bands=fingerprint_health.band_skew(database()),
        slices=fingerprint_health.slice_skew(database()),
        seeds=fingerprint_health.seed_skew(database()),
        runs=fingerprint_health.learned_runs(database(), limit=SHOWN_RUNS),
        columns=columns(((one.day, one.compared, one.cut) for one in days), since),
        totals=_totals(days),
        days=DAYS,
    )


@blueprint.get("/precision")
@reads_replica
def precision() -> str:
    zone = viewer_zone()
    today = datetime.now(ZoneInfo(zone)).date()
    first = today - timedelta(days=DAYS - 1)
    since = datetime(first.year, first.month, first.day, tzinfo=ZoneInfo(zone))
    found = analytics_precision.precision_by_threshold(database())
    days = analytics_precision.cases_by_day(database(), since, zone)
    return render_template(
        "analysis/analysis_precision.html",
        sites=[steps_of(one) for one in found],
        thresholds=analytics_precision.THRESHOLDS,
        columns=columns(((one.day, one.opened - one.wrong, one.wrong) for one in days), first),
        wrong=sum(one.wrong for one in days),
        opened=sum(one.opened for one in days),
        busiest=max(days, key=lambda one: one.wrong, default=None),
        days=DAYS,
    )


@blueprint.get("/thresholds")
@reads_replica
def thresholds() -> str:
    """Preview the cases that another case rule would open and close. Nothing is changed."""
    present = current_services().case_rule
    rule = requested_rule(request.args, present)
    closing = threshold_preview.closing(database(), rule)
    opening = threshold_preview.opening(database(), rule, chars_shared)
    return render_template(
        "analysis/analysis_thresholds.html",
        rule=rule,
        present=present,
        verdicts=threshold_preview.verdicts_under(database(), rule),
        closing=closing,
        closing_cases=listing.cases_by_id(database(), closing.numbers[:SHOWN_CASES])[::-1],
        opening=opening,
        opening_hits=hits.hits_by_id(database(), opening[:SHOWN_CASES]),
        most=threshold_preview.MOST_NAMED,
        shown=SHOWN_CASES,
        share_of=share_of,
        largest=LARGEST_CHARS,
    )


def requested_rule(arguments: dict[str, str], present: CaseRule) -> Rule:
    """The case rule that a query string describes; missing and invalid values are those of `present` (pure)."""
    fields = QueryFields(arguments, ("chars", "share", "score"))
    chars, share, score = (
        fields.number("chars", LARGEST_CHARS),
        fields.number("share", 100),
        fields.number("score", 100),
    )
    return Rule(
        min_chars=present.min_chars if chars is None else chars,
        min_share=present.min_share if share is None else share / 100,
        min_score=0.0 if score is None else score / 100,
    )


def steps_of(found: SitePrecision) -> SiteSteps:
    """Precision and recall for each threshold (pure)."""
    right = found.steps[0].right
    return SiteSteps(found.site, found.decided, tuple(_step(one, right) for one in found.steps))


def _step(found: AtThreshold, all_right: int) -> Step:
    precision = share_of(found.right, found.right + found.wrong)
    return Step(found.threshold, precision, found.right / all_right if all_right else 0.0)


def columns(found: Iterable[tuple[date, int, int]], first: date) -> list[Column]:
    """One column for each of DAYS days from `first` on; the largest count fills its half of the chart (pure)."""
    by_day = {day: (up, down) for day, up, down in found}
    days = [first + timedelta(days=number) for number in range(DAYS)]
    counts = [by_day.get(day, (0, 0)) for day in days]
    most_up, most_down = (max(side) or 1 for side in zip(*counts, strict=True))
    return [
        Column(day, up, down, number * _STEP + 1, round(_HALF * (1 - up / most_up), 2), round(_HALF * up / most_up, 2),
               round(_HALF * down / most_down, 2))
        for number, (day, (up, down)) in enumerate(zip(days, counts, strict=True))
    ]  # fmt: skip


def _totals(days: Sequence[ComparisonsOfDate]) -> dict[str, int]:
    return {name: sum(getattr(one, name) for one in days) for name in ("compared", "matched", "failed", "cut")}
