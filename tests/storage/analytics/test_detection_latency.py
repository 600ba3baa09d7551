"""From an article's appearance to its case and its alert: what counts as an appearance, and what is no delay."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.alerts import channels
from storage.analytics import detection_latency
from storage.cases import findings
from storage.crawl import runs
from storage.jobs import alert_events
from storage.models.alerts import Alert, AlertEvent
from storage.models.cases import CasePage
from storage.models.sites import CrawlRun
from storage.records.alerts import AlertKind, AlertState, NewAddress
from storage.records.pages import Declared, SavedPage
from storage.records.sites import SiteRecord
from storage.types import DateOrigin, FoundBy, Precision
from tests.support.case_actions import a_finding
from tests.support.factories import SEEN, a_site, an_article, save, text_of

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def watched(session: Session, name: str = "copier", *, since: datetime = SEEN - 30 * HOUR) -> SiteRecord:
    """A site whose first run has ended."""
    site = a_site(session, name)
    run_id = runs.start_run(session, site.id, trigger="test")
    session.execute(
        update(CrawlRun)
        .where(CrawlRun.id == run_id)
        .values(started_at=since - HOUR, ended_at=since, exit_reason="finished")
    )
    return site


def copy_of(session: Session, site: SiteRecord, number: int, *, hours: float = 0, **fields: Any) -> SavedPage:
    article = an_article(
        f"https://{site.settings.hosts[0]}/{number}", text_of(number), hours=hours, site_id=site.id, **fields
    )
    return save(session, article)[0]


def original(session: Session, number: int, *, hours: float = -48) -> SavedPage:
    return save(session, an_article(f"https://ours.example/{number}", text_of(1_000 + number), hours=hours))[0]


def found(session: Session, ours: SavedPage, theirs: SavedPage, at: datetime) -> int:
    (case_id,) = findings.keep_findings(session, [a_finding(ours, theirs, f"copier{theirs.page_id}.example")])
    session.execute(update(CasePage).where(CasePage.case_id == case_id).values(found_at=at))
    return case_id


def feed_says(session: Session, page: SavedPage, at: datetime, precision: Precision = Precision.MINUTE) -> None:
    detection_latency.note_appearance(session, page.page_id, Declared(at, precision, DateOrigin.FEED), SEEN)


def only(session: Session) -> detection_latency.DetectedCopy:
    (find,) = detection_latency.detected_copies(session, SEEN + HOUR, limit=10)
    return find


def test_a_copy_appears_when_its_feed_says_so(session: Session) -> None:
    ours, theirs = original(session, 1), copy_of(session, watched(session), 1)
    feed_says(session, theirs, SEEN - 4 * MINUTE)
    case_id = found(session, ours, theirs, SEEN + MINUTE)

    find = only(session)

    assert (find.case_id, find.site, find.appeared_at, find.to_case_s) == (case_id, "copier", SEEN - 4 * MINUTE, 300)
    assert find.to_alert_s is None


@pytest.mark.parametrize(
    ("at", "precision"),
    [
        (SEEN - 4 * HOUR, Precision.DAY),
        (SEEN + HOUR, Precision.SECOND),
        (SEEN - timedelta(days=31), Precision.SECOND),
    ],
)
def test_a_date_that_cannot_be_the_appearance_is_none(session: Session, at: datetime, precision: Precision) -> None:
    ours, theirs = original(session, 1), copy_of(session, watched(session), 1)
    feed_says(session, theirs, at, precision)
    found(session, ours, theirs, SEEN + MINUTE)

    assert only(session).appeared_at == SEEN


def test_a_page_that_became_a_copy_appeared_when_its_new_text_was_seen(session: Session) -> None:
    site = watched(session)
    ours, before = original(session, 1), copy_of(session, site, 1, hours=-20)
    changed = save(session, an_article("https://copier.example/1", text_of(7), hours=2, site_id=site.id))[0]
    assert changed.page_id == before.page_id
    found(session, ours, changed, SEEN + 3 * HOUR)

    assert only(session).appeared_at == SEEN + 2 * HOUR


def test_before_the_original_was_known_nobody_could_find_the_copy(session: Session) -> None:
    theirs, ours = copy_of(session, watched(session), 1), original(session, 1, hours=5)
    found(session, ours, theirs, SEEN + 5 * HOUR + MINUTE)

    assert only(session).to_case_s == 60


def test_what_stood_there_when_a_site_was_first_crawled_is_no_delay(session: Session) -> None:
    ours = original(session, 1)
    first = copy_of(session, watched(session, since=SEEN + MINUTE), 1)
    found(session, ours, first, SEEN + HOUR)

    assert detection_latency.detected_copies(session, SEEN + HOUR, limit=10) == []
    assert detection_latency.site_latencies(session, SEEN + HOUR) == [
        detection_latency.SiteLatency(
            None, detection_latency.Delay(0, None, None), detection_latency.Delay(0, None, None)
        )
    ]


def test_what_a_person_brought_in_has_no_appearance(session: Session) -> None:
    ours, theirs = original(session, 1), copy_of(session, watched(session), 1, found_by=FoundBy.HAND)
    found(session, ours, theirs, SEEN + MINUTE)

    assert detection_latency.detected_copies(session, SEEN + HOUR, limit=10) == []


def test_the_first_channel_that_takes_the_news_ends_the_delay(session: Session) -> None:
    ours, theirs = original(session, 1), copy_of(session, watched(session), 1)
    case_id = found(session, ours, theirs, SEEN + MINUTE)
    sent(session, case_id, "post", SEEN + 9 * MINUTE)
    sent(session, case_id, "chat", SEEN + 3 * MINUTE)

    assert only(session).to_alert_s == 180


def sent(session: Session, case_id: int, channel: str, at: datetime) -> None:
    address = "https://a.example/"
    made = channels.add_channel(session, channel, NewAddress("webhook", address, address), language="zh")
    alert_events.raise_event(session, AlertKind.CASE_OPENED, key=str(case_id), case_id=case_id)
    event_id = session.scalars(select(AlertEvent.id).where(AlertEvent.case_id == case_id)).one()
    session.execute(
        insert(Alert).values(
            event_id=event_id, channel_id=made.id, state=AlertState.SENT, due_at=at, is_digest=False, sent_at=at
        )
    )


def test_sites_have_their_own_median_and_what_nearly_all_stay_below(session: Session) -> None:
    quick, slow = watched(session, "quick"), watched(session, "slow")
    for number in range(21):
        found(session, original(session, number), copy_of(session, quick, number), SEEN + number * MINUTE)
    found(session, original(session, 50), copy_of(session, slow, 50), SEEN + 40 * MINUTE)

    everywhere, of_quick, of_slow = detection_latency.site_latencies(session, SEEN + HOUR)

    assert (everywhere.site, everywhere.to_case.count) == (None, 22)
    assert (of_quick.site, of_quick.to_case) == ("quick", detection_latency.Delay(21, 600.0, 1_140.0))
    assert (of_slow.site, of_slow.to_case.median_s) == ("slow", 2_400.0)
    assert of_slow.to_alert == detection_latency.Delay(0, None, None)
    assert [find.site for find in detection_latency.detected_copies(session, SEEN + HOUR, limit=2)] == ["slow", "quick"]
    assert [find.site for find in detection_latency.detected_copies(session, SEEN + HOUR, site="slow", limit=9)] == [
        "slow"
    ]
    assert detection_latency.site_latencies(session, SEEN + timedelta(days=31))[0].to_case.count == 0
