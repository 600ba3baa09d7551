"""The morning sheet: what is new, what waits for the viewer, what is due, what came back, what fails; worst first."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, url_for

from admin.cases.list_views import strips_of
from admin.cases.query import Asker, parse_case_query
from admin.cases.tabs import TABS, Tab
from admin.identity.permissions import actor
from admin.identity.time_zone import viewer_zone
from admin.overview.new_cases import SPARK_DAYS, NewCases, new_cases
from admin.overview.sheet import BOUND, SHOWN_CASES, SHOWN_HITS, Entry, entries_of, since_when, start_of_today
from admin.overview.site_failures import failures
from admin.web.db_session import database
from storage.cases import licences, listing
from storage.cases.lists.filters import EVERY_CASE, CaseOrder
from storage.desk import comments, dashboard, morning
from storage.desk import onboarding as progress
from storage.letters import listing as letters
from storage.matches import hits
from storage.records.correspondence.letters import LetterTab

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def index() -> str:
    now, zone = datetime.now(UTC), ZoneInfo(viewer_zone())
    last_visit = dashboard.note_visit(database(), actor().id, now)
    steps = progress.onboarding_steps(database())
    has_pages = steps.own_pages or steps.watched_pages
    failing = failures(database()) if has_pages else None
    has_cases = _has_cases()
    if not steps.hits and not has_cases:
        return render_template("overview/home.html", has_hits=False, failing=failing)
    since = since_when(last_visit, now, zone)
    cases = listing.list_cases(database(), TABS[Tab.WAITING], order=CaseOrder.GRAVEST, limit=SHOWN_CASES)
    return render_template(
        "overview/home.html",
        has_hits=True,
        now=now,
        since=since,
        bound=BOUND,
        entries=_entries(since, now),
        has_cases=has_cases,
        hits=[] if has_cases else hits.list_hits(database(), limit=SHOWN_HITS),
        new=_new_cases(now, zone),
        cases=cases,
        strips=strips_of(cases),
        mentions=comments.mentions_of(database(), actor().id, since),
        failing=failing,
    )


def _entries(since: datetime, now: datetime) -> dict[str, Entry]:
    """Every number with the list that it leads to. Cases are counted by the very query of that list."""
    asker = Asker(actor().id, now, ZoneInfo(viewer_zone()))
    fields = entries_of(since)
    wanted = {name: parse_case_query(query, asker).where for name, query in fields.items()}
    counts = listing.count_each(database(), wanted, bound=BOUND)
    found = {name: Entry(counts[name], _list_url(query)) for name, query in fields.items()}
    return found | _letters(now) | _licences(now)


def _list_url(query: Mapping[str, Any]) -> str:
    return url_for("cases.index", **query)


def _letters(now: datetime) -> dict[str, Entry]:
    tabs = (LetterTab.NO_ANSWER, LetterTab.DUE, LetterTab.OUTBOX)
    counts = letters.count_some(database(), now, tabs, bound=BOUND)
    return {f"letters-{tab}": Entry(counts[tab], url_for("sent_letters.index", tab=tab)) for tab in tabs}


def _licences(now: datetime) -> dict[str, Entry]:
    count = licences.count_ending(database(), now, now + licences.ENDS_SOON)
    return {"licences": Entry(count, url_for("licences.index", ending=1))}


def _new_cases(now: datetime, zone: ZoneInfo) -> NewCases:
    first = start_of_today(now, zone) - timedelta(days=SPARK_DAYS - 1)
    found = morning.opened_by_day(database(), first, zone.key)
    return new_cases(found, now.astimezone(zone).date())


def _has_cases() -> bool:
    """Whether there is a case of any list."""
    return bool(listing.ids_of_cases(database(), EVERY_CASE, order=CaseOrder.NEWEST, bound=1))
