"""Runs summed up once, alarms that open and close, runs whose alerts wait, disks that fill."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from storage.crawl import runs
from storage.engine import make_engine, transaction
from storage.jobs import alert_events
from storage.models.alerts import AlertEvent
from storage.models.sites import CrawlRun
from storage.models.watch import SiteAlarm, SiteDay
from storage.monitoring import disk_forecast, run_totals, site_alarms
from storage.records.alerts import AlertKind
from storage.records.monitoring import DiskSample, Measure
from storage.records.sites import SiteRecord
from tests.support.factories import SEEN, a_site, an_article, save, text_of

DAY = date(2026, 5, 4)
NOON = datetime(2026, 5, 4, 4, 0, tzinfo=UTC)
"""Noon in the zone of the sites."""
USUAL = {
    "articles/new": 30,
    "articles/chars": 24_000,
    "articles/unchanged": 60,
    "feeds/read": 200,
    "refused/too-short": 5,
}
REDESIGNED = {"articles/new": 1, "articles/chars": 400, "refused/not-an-article": 90, "feeds/read": 200}


def ended(session: Session, site: SiteRecord, at: datetime, counters: Mapping[str, int], end: str = "finished") -> int:
    run_id = runs.start_run(session, site.id, trigger="test")
    runs.finish_run(session, run_id, exit_reason=end, counters=counters, refusal_samples={})
    session.execute(update(CrawlRun).where(CrawlRun.id == run_id).values(started_at=at, ended_at=at))
    return run_id


def with_history(session: Session, days: int = 40) -> SiteRecord:
    """A site as usual on each of the days before DAY."""
    site = a_site(session, "县报")
    for back in range(1, days + 1):
        ended(session, site, NOON - timedelta(days=back), USUAL)
    run_totals.tally(session)
    return site


def told(session: Session) -> list[tuple[AlertKind, object]]:
    rows = session.execute(select(AlertEvent.kind, AlertEvent.details["measure"].as_string()).order_by(AlertEvent.id))
    return [tuple(row) for row in rows]


def look(session: Session, now: datetime) -> list[Measure]:
    """What a worker does; the measures of the alarms that it opened."""
    _, site_ids = run_totals.tally(session)
    return [alarm.measure for alarm in site_alarms.watch_sites(session, site_ids, now)]


def test_each_run_is_summed_up_once_on_the_day_of_its_site(session: Session) -> None:
    site = a_site(session, "县报", time_zone="Asia/Shanghai")
    late = datetime(2026, 5, 4, 16, 30, tzinfo=UTC)  # half past midnight there
    ended(session, site, NOON, USUAL)
    ended(session, site, late, {"articles/new": 2, "refused/timeout": 4, "refused/list-page": 3})
    ended(session, site, late, {}, end="busy")
    running = runs.start_run(session, site.id, trigger="test")
    assert run_totals.tally(session) == (3, {site.id})
    assert run_totals.tally(session) == (0, set())

    first, second = run_totals.site_days(session, [site.id], DAY)[site.id]

    assert (first.day, first.runs, first.articles, first.chars, first.read, first.empty) == (DAY, 1, 30, 24_000, 90, 5)
    assert (second.day, second.runs, second.failed, second.answered) == (DAY + timedelta(1), 1, 4, 5)
    totals = run_totals.crawl_totals(session)
    assert (totals["articles/new"], totals["runs/finished"], totals["runs/busy"]) == (32, 2, 1)
    runs.finish_run(session, running, exit_reason="finished", counters={"articles/new": 1}, refusal_samples={})
    assert run_totals.tally(session)[0] == 1
    assert run_totals.crawl_totals(session)["articles/new"] == 33


def test_a_run_taken_for_lost_waits_an_hour_before_it_counts(session: Session) -> None:
    site = a_site(session, "县报")
    now = session.execute(text("SELECT now()")).scalar_one()
    ended(session, site, now - timedelta(minutes=30), USUAL, end=runs.LOST)
    assert run_totals.tally(session) == (0, set())

    ended(session, site, now - timedelta(minutes=90), USUAL, end=runs.LOST)
    assert run_totals.tally(session)[0] == 1


def test_two_workers_sum_up_every_run_once(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        site = a_site(session, "县报")
        for number in range(4):
            ended(session, site, NOON - timedelta(minutes=number), USUAL)
    with transaction(engine) as one:
        assert run_totals.tally(one, limit=2)[0] == 2
        one.flush()
        # The rows that the first has are passed over; its sums it waits for, so it ends before the second adds.
        with engine.connect() as other:
            free = "SELECT count(*) FROM (SELECT 1 FROM crawl_run WHERE NOT tallied FOR UPDATE SKIP LOCKED) AS free"
            assert other.execute(text(free)).scalar_one() == 2
    with transaction(engine) as session:
        assert run_totals.tally(session)[0] == 2
        assert run_totals.crawl_totals(session)["articles/new"] == 4 * 30
    engine.dispose()


def test_a_redesigned_site_raises_an_alarm_that_ends_when_it_is_as_usual_again(session: Session) -> None:
    site = with_history(session)
    ended(session, site, NOON, REDESIGNED)

    assert look(session, NOON) == [Measure.EMPTY], "its articles are counted when the day is over"
    assert look(session, NOON + timedelta(minutes=5)) == []
    ended(session, site, NOON + timedelta(days=1), REDESIGNED)
    assert look(session, NOON + timedelta(days=1)) == [Measure.ARTICLES]

    alarms = {alarm.measure: alarm for alarm in site_alarms.open_alarms(session)}
    assert alarms[Measure.EMPTY].day == DAY + timedelta(1)
    assert alarms[Measure.EMPTY].value == pytest.approx(90 / 91)
    assert alarms[Measure.ARTICLES].band.usual == 30
    for later in (2, 3):
        ended(session, site, NOON + timedelta(days=later), USUAL)
        assert look(session, NOON + timedelta(days=later)) == []
    assert site_alarms.open_alarms(session) == []
    assert sorted(told(session)) == sorted(
        (kind, measure.value)
        for kind in (AlertKind.SITE_BLIND, AlertKind.SITE_RECOVERED)
        for measure in (Measure.EMPTY, Measure.ARTICLES)
    )


def test_what_lasts_does_not_become_usual_by_itself(session: Session) -> None:
    site = with_history(session)
    for later in range(60):
        ended(session, site, NOON + timedelta(days=later), REDESIGNED)
        look(session, NOON + timedelta(days=later))

    # The last days with articles are by now too long ago to compare with: what is open stays open.
    assert {alarm.measure for alarm in site_alarms.open_alarms(session)} >= {Measure.EMPTY, Measure.ARTICLES}
    assert len(told(session)) == len(set(told(session)))


def test_a_person_says_that_it_is_usual_now(session: Session) -> None:
    site = with_history(session)
    ended(session, site, NOON, REDESIGNED)
    look(session, NOON)
    (alarm,) = site_alarms.open_alarms(session)

    accepted = site_alarms.accept(session, alarm.id, by="lin", now=NOON)

    assert accepted is not None
    assert (accepted.accepted_by, accepted.closed_at) == ("lin", NOON)
    assert site_alarms.accept(session, alarm.id, by="lin", now=NOON) is None
    for later in range(20):
        ended(session, site, NOON + timedelta(days=later, minutes=1), REDESIGNED)
        assert Measure.EMPTY not in look(session, NOON + timedelta(days=later, minutes=2))


def test_a_paused_site_raises_nothing(session: Session) -> None:
    site = with_history(session)
    session.execute(text("UPDATE site SET enabled = false"))
    ended(session, site, NOON, REDESIGNED)

    assert look(session, NOON) == []


def known_pages(session: Session, count: int) -> SiteRecord:
    site = a_site(session, "县报", host="county.example")
    save(
        session,
        *(an_article(f"https://county.example/{n}", text_of(n, chars=60), site_id=site.id) for n in range(count)),
    )
    return site


@pytest.mark.parametrize(
    ("known", "counters", "is_held"),
    [
        (120, {"articles/changed": 20, "articles/gone": 5}, True),
        (120, {"articles/changed": 20, "articles/gone": 4}, False),
        (120, {"articles/new": 500}, False),
        (90, {"articles/changed": 90}, False),
    ],
)
def test_a_run_that_changes_more_than_a_fifth_of_the_known_pages_holds_its_alerts(
    session: Session, known: int, counters: Mapping[str, int], is_held: bool
) -> None:
    site = known_pages(session, known)
    run_id = runs.start_run(session, site.id, trigger="test")

    site_alarms.judge_run(session, run_id, counters)
    site_alarms.judge_run(session, run_id, counters)

    assert [(hold.site_id, hold.run_id) for hold in alert_events.open_holds(session)] == [(site.id, run_id)] * is_held
    assert [alarm.measure for alarm in site_alarms.open_alarms(session)] == [Measure.REWRITTEN] * is_held


def test_pages_that_the_run_itself_found_are_no_known_ones(session: Session) -> None:
    site = known_pages(session, 120)
    run_id = runs.start_run(session, site.id, trigger="test")
    session.execute(update(CrawlRun).where(CrawlRun.id == run_id).values(started_at=SEEN - timedelta(hours=1)))

    assert site_alarms.judge_run(session, run_id, {"articles/changed": 100}) is None


def test_once_its_alerts_are_released_the_alarm_ends_and_the_run_is_not_judged_again(session: Session) -> None:
    site = known_pages(session, 120)
    run_id = runs.start_run(session, site.id, trigger="test")
    site_alarms.judge_run(session, run_id, {"articles/changed": 60})
    assert site_alarms.close_released(session, NOON) == 0
    (alarm,) = site_alarms.open_alarms(session)
    assert site_alarms.accept(session, alarm.id, by="lin", now=NOON) is None, "its alerts are released instead"
    (hold,) = alert_events.open_holds(session)

    alert_events.release(session, hold.id, send=True, by="lin")

    assert site_alarms.close_released(session, NOON) == 1
    assert site_alarms.judge_run(session, run_id, {"articles/changed": 90}) is None
    assert alert_events.open_holds(session) == []


def test_deleting_a_site_takes_its_days_and_alarms_along(session: Session) -> None:
    site = with_history(session, days=20)
    ended(session, site, NOON, REDESIGNED)
    look(session, NOON)
    session.execute(text("DELETE FROM alert_event"))
    session.execute(text("DELETE FROM site WHERE id = :id"), {"id": site.id})

    assert session.scalars(select(SiteDay.day)).all() == []
    assert session.scalars(select(SiteAlarm.id)).all() == []


GIGABYTE = 10**9


def filling(days: int, daily: int, *, free: int = 100 * GIGABYTE) -> list[DiskSample]:
    """So many days, each using up `daily` bytes more; at the end `free` are left."""
    return [
        DiskSample("m", NOON + timedelta(days=number), 500 * GIGABYTE, free + daily * (days - 1 - number), number * 10)
        for number in range(days)
    ]


def test_a_forecast_says_when_the_disk_is_full() -> None:
    found = disk_forecast.forecast(filling(10, 2 * GIGABYTE))

    assert found.growth == pytest.approx(2 * GIGABYTE)
    assert found.database_growth == pytest.approx(10)
    assert found.full_at == NOON + timedelta(days=9 + 50)
    assert not found.is_low(found.at)
    assert found.is_low(found.at + timedelta(days=44))


def test_a_day_of_cleaning_up_does_not_bend_a_forecast() -> None:
    samples = filling(20, 2 * GIGABYTE)
    cleaned = samples[:15] + [replace(sample, free=sample.free + 50 * GIGABYTE) for sample in samples[15:]]

    assert disk_forecast.forecast(cleaned).growth == pytest.approx(2 * GIGABYTE)


@pytest.mark.parametrize(("days", "daily"), [(2, GIGABYTE), (10, 0), (10, -GIGABYTE), (10, 1_000)])
def test_little_growth_or_little_known_is_no_forecast(days: int, daily: int) -> None:
    assert disk_forecast.forecast(filling(days, daily)).full_at is None


def test_a_disk_with_little_left_is_low_however_slowly_it_fills() -> None:
    assert disk_forecast.forecast(filling(1, 0, free=GIGABYTE)).is_low(NOON)


def test_samples_are_kept_once_an_hour_for_each_machine(session: Session) -> None:
    assert disk_forecast.is_due(session, "m", NOON)
    disk_forecast.add_sample(session, "m", NOON, total=500, free=100)
    assert not disk_forecast.is_due(session, "m", NOON + timedelta(minutes=59))
    assert disk_forecast.is_due(session, "m", NOON + timedelta(minutes=60))
    assert disk_forecast.is_due(session, "n", NOON)
    disk_forecast.add_sample(session, "m", NOON + timedelta(hours=1), total=500, free=90)
    disk_forecast.add_sample(session, "n", NOON, total=50, free=10)

    found = disk_forecast.forecasts(session, NOON + timedelta(hours=1))

    assert [(one.machine, one.free, one.database > 0) for one in found] == [("m", 90, True), ("n", 10, True)]
    disk_forecast.add_sample(session, "m", NOON + timedelta(days=401), total=500, free=80)
    assert session.execute(text("SELECT count(*) FROM disk_sample")).scalar_one() == 1
