"""`status`: the state of the store, the queue and the disks."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final

import click

from matcher.meaning.layer import LayerState
from storage.analytics import row_counts
from storage.analytics.detection_latency import Delay
from storage.crawl import runs
from storage.engine import transaction
from storage.meaning.background import ENOUGH
from storage.monitoring.disk_forecast import Forecast
from storage.monitoring.metrics import Figures, read_figures
from storage.postgres.replica import ReplicaState
from storage.records.matches import StoreSummary
from storage.records.monitoring import Alarm, Measure
from storage.records.web_search import SearchFigures
from zhiwen.output.terminal import json_option, print_json, print_table, say, store
from zhiwen.wiring import opened_replica
from zhiwen.worker.discovery import figures_of
from zhiwen.worker.encoding import state_of_layer

GIGABYTE: Final = 1_000_000_000
MINUTE_S: Final = 60.0
HOUR_S: Final = 3_600.0
DAY_S: Final = 86_400.0

SHARES: Final = frozenset({Measure.EMPTY, Measure.FAILED, Measure.REWRITTEN})

_STORED: Final = {
    "texts": "texts",
    "pages": "pages",
    "sites": "sites",
    "newest": "newest page fetched",
    "backlog": "texts in the backlog",
    "matches": "matching texts (pairs)",
    "hits": "copies found (pairs of pages)",
}


@click.command()
@json_option
def status(*, as_json: bool) -> None:
    """Show the store's size, queue, workers, detection latency and disk forecast."""
    with store() as (settings, engine), opened_replica(settings, engine) as on_replica:
        with transaction(engine) as session:
            runs.close_lost(session)
            summary, figures = row_counts.summary(session), read_figures(session)
            meaning = state_of_layer(settings, session)
            search = figures_of(settings, session)
        replica = None if on_replica is None else on_replica.state()
    if as_json:
        more = {"meaning": meaning_object(meaning), "search": asdict(search)}
        print_json(as_object(summary, figures, replica) | more)
        return
    stored = asdict(summary)
    rows = [(label, stored[name]) for name, label in _STORED.items()]
    print_table(
        ("figure", "value"), [*rows, *_meaning(meaning), *_search(search), *_summary(figures), *_replica(replica)]
    )
    if figures.queue:
        print_table(
            ("job", "state", "count", "oldest waits"),
            [(one.task, one.state, one.jobs, span(one.oldest_s)) for one in figures.queue],
            title="Queue",
        )
    _print_latency(figures)
    for line in warnings(figures, replica):
        say(line)
    if meaning is not None and (problem := meaning.problem()) is not None and meaning.texts >= ENOUGH:
        say(problem)


def as_object(summary: StoreSummary, figures: Figures, replica: ReplicaState | None = None) -> dict[str, Any]:
    """The output of `--json`. Programs rely on its keys: add some, remove none."""
    return asdict(summary) | {
        "oldest_to_compare_s": figures.oldest_to_compare_s,
        "match_delay": asdict(figures.match_delay),
        "queue": [asdict(one) for one in figures.queue],
        "workers": figures.workers,
        "worker_seen_at": figures.worker_seen_at,
        "runs_going": figures.running,
        "job_failures": figures.job_failures,
        "latency": [asdict(one) for one in figures.latencies],
        "discovery_latency": asdict(figures.discovered),
        "alarms": [_alarm(one) for one in figures.alarms],
        "held": [{"site": one.site, "run": one.run_id, "reason": one.reason} for one in figures.holds],
        "disks": [asdict(one) for one in figures.forecasts],
        "backed_up_at": figures.backed_up_at,
        "replica": replica and {"used": replica.is_usable, "lag_s": replica.lag_s, "problem": replica.problem},
    }


def meaning_object(state: LayerState | None) -> dict[str, Any] | None:
    """What `--json` says of the texts encoded by meaning; None without an encoder."""
    return (
        None
        if state is None
        else {
            "encoder": state.encoder,
            "encoded": state.encoded,
            "compared": state.compared,
            "failed": state.failed,
            "waiting": state.waiting,
            "rebuilding": state.is_rebuilding,
            "problem": state.problem(),
        }
    )


def warnings(figures: Figures, replica: ReplicaState | None = None) -> Iterator[str]:
    """Conditions that need attention, each with the place to look at."""
    if not figures.workers:
        yield "No worker is running. Start one: zhiwen worker"
    set_aside = sum(one.jobs for one in figures.queue if one.state == "set aside")
    if set_aside:
        yield f"{set_aside} jobs were set aside. See: zhiwen jobs"
    for alarm in figures.alarms:
        yield f"{alarm.site} has an alarm: {described(alarm)}"
    for hold in figures.holds:
        yield f"The alerts of {hold.site} are held for review at the desk: {hold.reason}"
    for disk in figures.forecasts:
        if disk.is_low(figures.at):
            yield f"The disk of {disk.machine} is nearly full: {_disk(disk, figures.at)}"
    if replica is not None and replica.problem is not None:
        yield f"The replica is not used; the primary answers its queries: {replica.problem}"


def described(alarm: Alarm) -> str:
    """The measure, its value, and its usual value with limits."""
    value, usual = (_amount(alarm.measure, number) for number in (alarm.value, alarm.band.usual))
    bounds = [_amount(alarm.measure, bound) for bound in (alarm.band.low, alarm.band.high) if bound is not None]
    return f"{alarm.measure.value} {value} on {alarm.day}; usual is {usual}, with limits at {' and '.join(bounds)}"


def span(seconds: float | None) -> str:
    """A duration in the largest unit in which it is at least 1; empty for None."""
    if seconds is None:
        return ""
    for unit, length in (("d", DAY_S), ("h", HOUR_S), ("min", MINUTE_S)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s"


def _summary(figures: Figures) -> Iterator[tuple[str, str]]:
    yield "size of the database", f"{figures.size.bytes / GIGABYTE:.2f} GB"
    yield "workers", str(figures.worker_processes)
    yield "running crawls", f"{figures.running}"
    if figures.oldest_to_compare_s is not None:
        yield "oldest text of the backlog waits", span(figures.oldest_to_compare_s)
    if figures.match_delay.count:
        yield "time from stored to compared, median", span(figures.match_delay.median_s)
    age = None if figures.backed_up_at is None else (figures.at - figures.backed_up_at).total_seconds()
    yield "newest backup", "never made" if age is None else f"{span(age)} ago"
    for disk in figures.forecasts:
        yield f"disk of {disk.machine}", _disk(disk, figures.at)


def _meaning(state: LayerState | None) -> Iterator[tuple[str, str]]:
    if state is not None and state.has_background:
        again = ", and all are encoded again" if state.is_rebuilding else ""
        yield "texts encoded by meaning", f"{state.encoded}, {state.waiting} wait{again}"
        failed = f", {state.failed} failed and are tried again" if state.failed else ""
        yield "of these compared by meaning", f"{state.compared}{failed}"


def _search(found: SearchFigures) -> Iterator[tuple[str, str]]:
    if any(asdict(found).values()):
        words = f"{found.queries_today} today, {found.waiting} pages wait, {found.copies} copies found"
        yield "queries to search services", words


def _replica(state: ReplicaState | None) -> Iterator[tuple[str, str]]:
    if state is not None:
        yield "replica", "not used" if state.problem is not None else f"up to {state.lag_s or 0.0:.1f} s behind"


def _disk(disk: Forecast, now: datetime) -> str:
    words = f"{disk.free / GIGABYTE:.1f} of {disk.total / GIGABYTE:.1f} GB free"
    if disk.growth is None:
        return f"{words}; too few samples for a forecast"
    growth = f"{words}, {disk.growth / GIGABYTE:+.2f} GB a day"
    if disk.full_at is None:
        return f"{growth}; it does not fill up"
    left = max(timedelta(0), disk.full_at - now)
    return f"{growth}; full in {span(left.total_seconds())}, on {disk.full_at:%Y-%m-%d}"


def _print_latency(figures: Figures) -> None:
    rows = [
        (one.site or "all sites", one.to_case.count, *_delays(one.to_case), *_delays(one.to_alert))
        for one in figures.latencies
        if figures.latencies[0].to_case.count
    ]
    found = figures.discovered
    if found.to_case.count:
        rows.append(("search services", found.to_case.count, *_delays(found.to_case), *_delays(found.to_alert)))
    if rows:
        columns = ("site", "copies", "case: median", "95 %", "alert: median", "95 %")
        print_table(columns, rows, title="Detection latency, from the appearance of a copy")


def _delays(delay: Delay) -> Iterable[str]:
    return span(delay.median_s), span(delay.p95_s)


def _alarm(alarm: Alarm) -> dict[str, Any]:
    return {
        "site": alarm.site,
        "measure": alarm.measure.value,
        "day": alarm.day,
        "value": alarm.value,
        **asdict(alarm.band),
        "opened_at": alarm.opened_at,
        "run": alarm.run_id,
    }


def _amount(measure: Measure, value: float) -> str:
    return f"{value:.0%}" if measure in SHARES else f"{value:.0f}"
