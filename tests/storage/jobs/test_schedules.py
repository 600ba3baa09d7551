"""Schedules that adapt: often where much changes, seldom where nothing does, always between their bounds."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update
from sqlalchemy.orm import Session

from storage.crawl import runs
from storage.jobs import schedules
from storage.jobs.schedule_rules import ADAPTIVE_BOUNDS, ADAPTIVE_FIRST, BadRule, Rule
from storage.models.operation import Schedule
from storage.models.sites import CrawlRun
from storage.records.crawl import History
from tests.support.factories import a_site

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
UTC_ZONE = ZoneInfo("UTC")
HOUR = timedelta(hours=1)

RULES = [
    ("adaptive", ADAPTIVE_BOUNDS),
    ("Adaptive  5 min to 2 h", (timedelta(minutes=5), timedelta(hours=2))),
    ("adaptive 1h to 7d", (timedelta(hours=1), timedelta(days=7))),
]


@pytest.mark.parametrize(("words", "bounds"), RULES)
def test_a_rule_that_adapts_is_read(words: str, bounds: tuple[timedelta, timedelta]) -> None:
    assert Rule.parse(words).adaptive == bounds


@pytest.mark.parametrize(
    "words", ["adaptive 2 h to 1 h", "adaptive 0 min to 1 h", "adaptive 1 h", "adaptive 1 h to 999 d"]
)
def test_bounds_that_are_none_are_refused(words: str) -> None:
    with pytest.raises(BadRule, match=r"1 min|no schedule"):
        Rule.parse(words)


@given(st.integers(0, 9), st.integers(0, 9), st.floats(0, 1e9))
def test_every_wait_keeps_to_the_bounds(visits: int, changes: int, observed_s: float) -> None:
    history = History(visits, min(changes, visits), observed_s)

    wait = Rule.parse("adaptive").next_after(NOW, UTC_ZONE, history) - NOW

    assert ADAPTIVE_BOUNDS[0] <= wait <= ADAPTIVE_BOUNDS[1]


def test_the_more_runs_bring_news_the_sooner_is_the_next() -> None:
    waits = [Rule.parse("adaptive").next_after(NOW, UTC_ZONE, History(8, changes, 8 * 3_600.0)) for changes in range(9)]

    assert waits == sorted(waits, reverse=True)
    assert waits[-1] - NOW < HOUR < waits[0] - NOW


def add_runs(session: Session, site_id: int, *, news: list[bool], every: timedelta, reason: str = "finished") -> None:
    for number, brought in enumerate(news):
        run_id = runs.start_run(session, site_id, trigger="schedule")
        counters = {"articles/new": 3} if brought else {"articles/unchanged": 9}
        runs.finish_run(session, run_id, exit_reason=reason, counters=counters, refusal_samples={})
        began = NOW - every * (len(news) - number)
        session.execute(update(CrawlRun).where(CrawlRun.id == run_id).values(started_at=began))


def next_wait(session: Session, site_id: int) -> timedelta:
    schedules.set_schedule(session, site_id, "adaptive 1 min to 7 d", now=NOW)
    assert schedules.start_due(session, NOW) == ["甲"]
    found = schedules.get_schedule(session, site_id)
    assert found is not None
    assert found.next_at is not None
    assert found.wait_s == (found.next_at - NOW).total_seconds()
    return found.next_at - NOW


def test_a_site_of_which_nothing_is_known_is_crawled_hourly_at_first(session: Session) -> None:
    assert next_wait(session, a_site(session, "甲").id) == ADAPTIVE_FIRST


def test_a_busy_site_is_crawled_more_often_than_it_was_and_a_quiet_one_less(session: Session) -> None:
    site = a_site(session, "甲")
    add_runs(session, site.id, news=[True] * 6, every=HOUR)
    busy = next_wait(session, site.id)
    add_runs(session, site.id, news=[False] * runs.REMEMBERED_RUNS, every=HOUR)

    assert busy < HOUR < next_wait(session, site.id)


def test_runs_that_did_not_come_to_their_end_tell_nothing(session: Session) -> None:
    site = a_site(session, "甲")
    add_runs(session, site.id, news=[False] * 6, every=HOUR, reason="died")

    assert runs.news_of_site(session, site.id) == History()


def test_what_is_coming_is_told_without_a_change(session: Session) -> None:
    daily = schedules.coming("30 6 * * *", now=NOW, time_zone="Asia/Shanghai", count=2)
    hourly = schedules.coming("every 1 h", now=NOW, time_zone="UTC", count=3)

    assert daily == [datetime(2026, 11, 21, 22, 30, tzinfo=UTC), datetime(2026, 11, 22, 22, 30, tzinfo=UTC)]
    assert hourly == [NOW, NOW + HOUR, NOW + 2 * HOUR]
    assert schedules.list_schedules(session) == []


def test_a_rule_that_cannot_be_read_pauses_its_site_and_no_other(
    session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = (a_site(session, name).id for name in ("甲", "乙"))
    for site_id in (broken, sound):
        schedules.set_schedule(session, site_id, "every 1 h", now=NOW)
    session.execute(update(Schedule).where(Schedule.site_id == broken).values(rule="whenever"))

    assert schedules.start_due(session, NOW) == ["乙"]
    assert {one.site: one.paused for one in schedules.list_schedules(session)} == {"甲": True, "乙": False}
    assert "甲" in caplog.text
