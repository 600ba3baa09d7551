"""Searches for copies on the web by the worker: when they are due, and one of them."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from storage.jobs import queue
from storage.records.web_search import SearchFigures
from storage.web_search import progress
from zhiwen.config.settings import SettingsError
from zhiwen.web_search.plan_file import plan_of

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from zhiwen.config.settings import Settings
    from zhiwen.web_search.counts import DiscoveryCounts

EVERY: Final = timedelta(minutes=10)
"""How soon after its publication an article is asked about."""
SLICE_S: Final = 300.0
"""How long a job searches; the rest is another job, so that a change of the plan is seen."""
ARTICLES: Final = 200
PAUSE_S: Final = 2.0
"""Between two articles: nobody waits, and services and hosts have other clients."""

log = logging.getLogger(__name__)


def is_due(settings: "Settings", session: "Session", now: datetime) -> bool:
    """Whether a search is to be queued: services are set up, and none was queued lately.

    Also with a file that cannot be read: the job fails with its mistake, where people see it.
    """
    try:
        is_on = bool(plan_of(settings).services)
    except SettingsError:
        is_on = True
    return is_on and not queue.was_deferred_since(session, queue.DISCOVER, now - EVERY)


def discover_as_set(settings: "Settings", engine: "Engine", *, should_stop: Callable[[], bool]) -> bool:
    """Search with the present plan until its time is over. Returns whether there is more to do at once.

    Raises SettingsError.
    """
    from zhiwen.web_search.discovery import discover  # noqa: PLC0415  # loads the dictionaries
    from zhiwen.web_search.opening import opened_fetcher  # noqa: PLC0415

    plan = plan_of(settings)
    if not plan.services:
        return False
    until = monotonic() + SLICE_S
    with opened_fetcher(settings, engine) as fetcher:
        done = discover(
            engine,
            plan,
            fetcher,
            articles=ARTICLES,
            should_stop=lambda: should_stop() or monotonic() > until,
            pause_s=PAUSE_S,
        )
    _report(done)
    return not should_stop() and not done.is_dry and (done.articles >= ARTICLES or monotonic() > until)


def figures_of(settings: "Settings", session: "Session") -> SearchFigures:
    """The figures of the search since the day began in the installation's time zone."""
    now = queue.database_time(session).astimezone(ZoneInfo(settings.time_zone))
    return progress.figures(session, day=now.replace(hour=0, minute=0, second=0, microsecond=0))


def _report(done: "DiscoveryCounts") -> None:
    fetches = done.fetches
    if done.articles or fetches.fetched:
        log.info(
            "asked about %s articles: %s queries, %s pages fetched, %s copies, %s cases",
            *(done.articles, done.queries, fetches.fetched, fetches.copies, done.cases),
        )
    for problem in done.problems.values():
        log.warning("%s", problem)
    if done.is_dry:
        log.info("no search service can be asked any more for now: %s", dict(done.unasked))
