"""Metrics for Prometheus, read from the database at most every fifteen seconds."""

import hmac
import ipaddress
from collections.abc import Callable, Iterator
from typing import Final

from flask import Blueprint, Response, abort, current_app, request
from flask.blueprints import BlueprintSetupState
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from admin.web.cache import Cached, read_from
from admin.web.desk_address import is_own_name
from admin.web.services import current_services
from storage.analytics.detection_latency import Delay
from storage.monitoring.metrics import Figures
from storage.postgres.replica import Replica, ReplicaState

_REGISTRY: Final = "zhiwen_metrics"
_REFUSED: Final = "refused/"
_RUNS: Final = "runs/"
_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Real-Ip")

blueprint = Blueprint("metrics", __name__)


@blueprint.record_once
def _make_registry(state: BlueprintSetupState) -> None:
    registry = CollectorRegistry(auto_describe=False)
    cached = Cached(lambda: read_from(current_services().engine))
    registry.register(StoreCollector(cached, lambda: current_services().replica))
    state.app.extensions[_REGISTRY] = registry


@blueprint.get("/metrics")
def show() -> Response:
    """Metrics for requests from this machine, or with the token where one is set."""
    token = current_services().metrics_token
    if token is not None:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), token.encode()):
            return Response("a token is needed\n", 401, {"WWW-Authenticate": "Bearer"}, mimetype="text/plain")
    elif not is_from_here():
        abort(403)
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return Response(encode(current_app.extensions[_REGISTRY]), content_type=content_type)


def is_from_here() -> bool:
    """Whether the request comes from this machine under its own name: not through a proxy, and not from a browser on it
    whose page rebound its name to it.
    """
    if any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback and is_own_name()
    except ValueError:
        return False


class StoreCollector(Collector):
    """The figures as metrics. Where they cannot be read, `zhiwen_up` is 0 and the others are stale or missing."""

    def __init__(self, cached: Cached, replica: "Callable[[], Replica | None]" = lambda: None) -> None:
        self._cached = cached
        self._replica = replica

    def collect(self) -> Iterator[Metric]:
        figures = self._cached.figures()
        is_up = self._cached.problem is None
        yield _gauge("zhiwen_up", "1 if the figures could be read from the database, else 0.", float(is_up))
        if figures is not None:
            yield _gauge(
                "zhiwen_read_timestamp_seconds", "Time at which these figures were read.", figures.at.timestamp()
            )
            yield from _of_store(figures)
            yield from _of_crawls(figures)
            yield from _of_queue(figures)
            yield from _of_finds(figures)
            yield from _of_disks(figures)
            yield from _of_witnesses(figures)
        if is_up and (replica := self._replica()) is not None:
            yield from _of_replica(replica.state())


def _of_store(figures: Figures) -> Iterator[Metric]:
    size = figures.size
    yield _gauge("zhiwen_pages", "Stored pages; estimated in large stores.", size.pages.number)
    yield _gauge("zhiwen_texts", "Distinct texts; estimated in large stores.", size.texts.number)
    yield _gauge("zhiwen_hits", "Pairs of matching pages; estimated in large stores.", size.hits.number)
    yield _gauge("zhiwen_database_bytes", "Size of the database.", size.bytes)
    yield _gauge("zhiwen_backlog_pages", "Pages waiting to be compared.", figures.to_compare)
    yield _gauge("zhiwen_backlog_failed_pages", "Pages of the backlog whose comparison failed.", figures.cannot_compare)
    oldest = figures.oldest_to_compare_s or 0.0
    yield _gauge("zhiwen_backlog_age_seconds", "Age of the oldest backlog entry.", oldest)
    if figures.backed_up_at is not None:
        at = figures.backed_up_at.timestamp()
        yield _gauge("zhiwen_backup_timestamp_seconds", "Time of the newest backup.", at)


def _of_crawls(figures: Figures) -> Iterator[Metric]:
    counters = CounterMetricFamily("zhiwen_crawl", "Counters of all finished runs.", labels=["counter"])
    refused = CounterMetricFamily("zhiwen_refusals", "Refusals of crawls, by reason.", labels=["reason"])
    runs = CounterMetricFamily("zhiwen_runs", "Finished runs, by exit reason.", labels=["end"])
    for name, count in sorted(figures.crawl_totals.items()):
        if name.startswith(_REFUSED):
            refused.add_metric([name.removeprefix(_REFUSED)], count)
        elif name.startswith(_RUNS):
            runs.add_metric([name.removeprefix(_RUNS)], count)
        else:
            counters.add_metric([name], count)
    yield from (counters, refused, runs)
    yield _gauge("zhiwen_runs_going", "Runs in progress.", figures.running)
    alarms = GaugeMetricFamily(
        "zhiwen_site_alarm", "1 for each measure of a site outside its control limits.", labels=["site", "measure"]
    )
    for alarm in figures.alarms:
        alarms.add_metric([alarm.site, alarm.measure.value], 1)
    yield alarms
    yield _gauge("zhiwen_sites_held", "Sites whose alerts are held for review.", len(figures.holds))


def _of_queue(figures: Figures) -> Iterator[Metric]:
    jobs = GaugeMetricFamily("zhiwen_jobs", "Jobs in the queue.", labels=["task", "state"])
    ages = GaugeMetricFamily(
        "zhiwen_jobs_age_seconds",
        "Age of the oldest job that may start.",
        labels=["task", "state"],
    )
    for one in figures.queue:
        jobs.add_metric([one.task, one.state], one.jobs)
        if one.oldest_s is not None:
            ages.add_metric([one.task, one.state], one.oldest_s)
    yield from (jobs, ages)
    failed = GaugeMetricFamily("zhiwen_job_failures_1d", "Jobs that failed within the last day.", labels=["task"])
    for task, count in sorted(figures.job_failures.items()):
        failed.add_metric([task], count)
    yield failed
    yield _gauge("zhiwen_workers", "Queues with a worker: three for each worker.", figures.workers)
    if figures.worker_seen_at is not None:
        seen = figures.worker_seen_at.timestamp()
        yield _gauge("zhiwen_worker_seen_timestamp_seconds", "Time of the last heartbeat of a worker.", seen)


def _of_finds(figures: Figures) -> Iterator[Metric]:
    match = GaugeMetricFamily(
        "zhiwen_match_delay_seconds", "Time from storing to match, newest hits of a day.", labels=["quantile"]
    )
    _add_delay(match, (), figures.match_delay)
    yield match
    labels = ["site", "until", "quantile"]
    words = "Time from the appearance of a copy to its case and to its alert, hits of 30 days; empty site: all sites."
    found = GaugeMetricFamily("zhiwen_detection_delay_seconds", words, labels=labels)
    counted = GaugeMetricFamily("zhiwen_detections", "Number of hits behind these delays.", labels=labels[:2])
    for one in figures.latencies:
        for until, delay in (("case", one.to_case), ("alert", one.to_alert)):
            _add_delay(found, (one.site or "", until), delay)
            counted.add_metric([one.site or "", until], delay.count)
    yield from (found, counted)
    words = (
        "Time from the stated publication of a copy found by a search service to its case and to its alert, 30 days."
    )
    searched = GaugeMetricFamily("zhiwen_discovery_delay_seconds", words, labels=labels[1:])
    of_search = GaugeMetricFamily("zhiwen_discoveries", "Number of hits behind these delays.", labels=labels[1:2])
    for until, delay in (("case", figures.discovered.to_case), ("alert", figures.discovered.to_alert)):
        _add_delay(searched, (until,), delay)
        of_search.add_metric([until], delay.count)
    yield from (searched, of_search)
    undated = figures.discovered.undated
    yield _gauge("zhiwen_discoveries_undated", "Copies found so that do not state when they were published.", undated)


def _of_disks(figures: Figures) -> Iterator[Metric]:
    free = GaugeMetricFamily("zhiwen_disk_free_bytes", "Free bytes on the disk of the home folder.", labels=["machine"])
    words = "Forecast time at which the disk is full; missing if it does not fill up."
    full = GaugeMetricFamily("zhiwen_disk_full_timestamp_seconds", words, labels=["machine"])
    for one in figures.forecasts:
        free.add_metric([one.machine], one.free)
        if one.full_at is not None:
            full.add_metric([one.machine], one.full_at.timestamp())
    yield from (free, full)


def _of_witnesses(figures: Figures) -> Iterator[Metric]:
    words = "Confirmations of evidence by witnesses, and captures of case pages that failed."
    counted = GaugeMetricFamily("zhiwen_evidence_witnesses", words, labels=["kind", "state"])
    for one in figures.witnesses:
        counted.add_metric([one.kind, one.state], one.count)
    yield counted


def _of_replica(state: ReplicaState) -> Iterator[Metric]:
    yield _gauge(
        "zhiwen_replica_used", "1 if the replica answers checks and lists, 0 if the primary does.", state.is_usable
    )
    if state.lag_s is not None:
        yield _gauge("zhiwen_replica_lag_seconds", "Most seconds that the replica is behind.", state.lag_s)


def _gauge(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, words, value=value)


def _add_delay(metric: GaugeMetricFamily, labels: tuple[str, ...], delay: Delay) -> None:
    for quantile, seconds in (("0.5", delay.median_s), ("0.95", delay.p95_s)):
        if seconds is not None:
            metric.add_metric([*labels, quantile], seconds)
