"""Delays of copies that search services found: what counts, from when, and what states no time."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import update
from sqlalchemy.orm import Session

from storage.analytics import detection_latency
from storage.analytics.detection_latency import Delay
from storage.analytics.discovery_latency import DiscoveryLatency, discovery_latency
from storage.cases import findings
from storage.models.cases import Case, CasePage
from storage.models.web_search import SearchQuery
from storage.records.pages import Declared, SavedPage
from storage.records.web_search import NewQuery
from storage.types import CaseQueue, DateOrigin, FoundBy, Precision, SiteRole
from storage.web_search import queries
from tests.support.case_actions import a_finding
from tests.support.factories import SEEN, a_site, an_article, save, text_of

HOUR = timedelta(hours=1)
NOTHING = Delay(0, None, None)


def original(session: Session, *, asked_at: datetime | None = SEEN - 20 * HOUR) -> SavedPage:
    """An article of ours, about whose site services are asked since then."""
    site = a_site(session, "ours", role=SiteRole.ORIGINAL)
    ours = save(session, an_article("https://ours.example/1", text_of(1_001), hours=-48, site_id=site.id))[0]
    if asked_at is not None:
        query_id = queries.book(session, NewQuery("own", "x", site.id, ours.page_id))
        session.execute(update(SearchQuery).where(SearchQuery.id == query_id).values(booked_at=asked_at))
    return ours


def discovered(
    session: Session,
    ours: SavedPage,
    number: int,
    *,
    published: datetime | None,
    precision: Precision = Precision.MINUTE,
    found_by: FoundBy = FoundBy.SEARCH,
) -> None:
    """A copy on a host of its own, found at SEEN."""
    declared = Declared() if published is None else Declared(published, precision, DateOrigin.META)
    url = f"https://copier{number}.example/1"
    theirs = save(session, an_article(url, text_of(number), found_by=found_by, declared=declared))[0]
    (case_id,) = findings.keep_findings(session, [a_finding(ours, theirs, f"copier{number}.example")])
    session.execute(update(CasePage).where(CasePage.case_id == case_id).values(found_at=SEEN))


def test_the_delay_runs_from_the_stated_publication(session: Session) -> None:
    ours = original(session)
    discovered(session, ours, 1, published=SEEN - 2 * HOUR)
    discovered(session, ours, 2, published=SEEN - 4 * HOUR)

    found = discovery_latency(session, SEEN + HOUR)

    assert found == DiscoveryLatency(Delay(2, 10_800.0, 14_040.0), NOTHING, 0)
    assert discovery_latency(session, SEEN + timedelta(days=31)).to_case == NOTHING


def test_what_states_no_time_to_the_minute_is_counted_apart(session: Session) -> None:
    ours = original(session)
    discovered(session, ours, 1, published=None)
    discovered(session, ours, 2, published=SEEN - 4 * HOUR, precision=Precision.DAY)

    assert discovery_latency(session, SEEN + HOUR) == DiscoveryLatency(NOTHING, NOTHING, 2)


def test_what_is_older_than_the_search_or_newer_than_its_discovery_counts_nowhere(session: Session) -> None:
    ours = original(session)
    discovered(session, ours, 1, published=SEEN - 30 * HOUR)
    discovered(session, ours, 2, published=SEEN + HOUR)

    assert discovery_latency(session, SEEN + 2 * HOUR) == DiscoveryLatency(NOTHING, NOTHING, 0)


def test_without_a_query_no_delay_is_known(session: Session) -> None:
    ours = original(session, asked_at=None)
    discovered(session, ours, 1, published=SEEN - HOUR)

    assert discovery_latency(session, SEEN + HOUR) == DiscoveryLatency(NOTHING, NOTHING, 0)
    assert discovery_latency(session, datetime.now(UTC)) == DiscoveryLatency(NOTHING, NOTHING, 0)


def test_what_shares_a_passage_only_is_no_copy_that_was_found(session: Session) -> None:
    ours = original(session)
    discovered(session, ours, 1, published=SEEN - 2 * HOUR)
    session.execute(update(Case).values(queue=CaseQueue.SHARED_PASSAGE))

    assert discovery_latency(session, SEEN + HOUR) == DiscoveryLatency(NOTHING, NOTHING, 0)


def test_copies_of_crawls_and_of_search_are_in_one_figure_each(session: Session) -> None:
    ours = original(session)
    discovered(session, ours, 1, published=SEEN - HOUR)
    discovered(session, ours, 2, published=SEEN - HOUR, found_by=FoundBy.SPIDER)

    assert discovery_latency(session, SEEN + HOUR).to_case.count == 1
    assert detection_latency.site_latencies(session, SEEN + HOUR)[0].to_case.count == 0
