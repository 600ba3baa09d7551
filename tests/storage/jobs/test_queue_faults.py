"""The queue and the schedules where the clock jumps, two look at it at once, or a hundred thousand jobs wait."""

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from storage.engine import transaction
from storage.jobs import queue, schedules
from tests.support.factories import a_site
from zhiwen.config.settings import Settings
from zhiwen.worker.scheduler import tick

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
YEAR = timedelta(days=365)
MANY = 100_000
LIMIT_S = 300


def starts(session: Session, *moments: datetime) -> list[int]:
    """How many crawls begin at each of these readings of the clock; each that waits is taken out of the queue."""
    found = []
    for moment in moments:
        found.append(len(schedules.start_due(session, moment)))
        for job in queue.list_jobs(session):
            queue.drop(session, job.id)
    return found


@pytest.mark.parametrize("rule", ["every 6 h", "0 */6 * * *", "adaptive 6 h to 7 h"])
def test_a_clock_that_jumps_ahead_and_back_makes_no_site_wait_for_it(session: Session, rule: str) -> None:
    schedules.set_schedule(session, a_site(session, "甲").id, rule, now=NOW)
    first = NOW + timedelta(hours=6, minutes=1)
    assert starts(session, first) == [1]

    ahead = starts(session, first + YEAR, first + YEAR + timedelta(minutes=1))
    back = starts(session, first, first + timedelta(minutes=1), first + timedelta(hours=8))

    assert ahead == [1, 0]
    assert back == [1, 0, 1]


def test_a_step_of_a_minute_starts_nothing_twice(session: Session) -> None:
    schedules.set_schedule(session, a_site(session, "甲").id, "every 6 h", now=NOW)

    assert starts(session, NOW, NOW - timedelta(minutes=1), NOW + timedelta(minutes=1)) == [1, 0, 0]


def test_daily_work_is_done_although_the_clock_was_a_year_ahead_when_it_was_last_asked_for(session: Session) -> None:
    queue.defer_once(session, queue.PRUNE)
    day_ago = queue.database_time(session) - timedelta(days=1)
    assert queue.was_deferred_since(session, queue.PRUNE, day_ago)

    session.execute(text("UPDATE zhiwen_queue.procrastinate_events SET at = at + interval '1 year'"))

    assert not queue.was_deferred_since(session, queue.PRUNE, day_ago)


def test_two_schedulers_that_look_again_and_again_queue_each_site_once(engine: Engine, tmp_path: Path) -> None:
    names = [f"site {number}" for number in range(8)]
    with transaction(engine) as session:
        now = queue.database_time(session)
        for name in names:
            schedules.set_schedule(session, a_site(session, name).id, "every 6 h", now=now)
    start, problems = threading.Barrier(2), []

    def look() -> None:
        start.wait(LIMIT_S)
        try:
            for _ in range(5):
                tick(engine, Settings(tmp_path))
        except Exception as error:  # reported to the test
            problems.append(error)

    both = [threading.Thread(target=look) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join(LIMIT_S)

    assert problems == []
    with transaction(engine) as session:
        queued = [(job.task, job.arguments.get("site")) for job in queue.list_jobs(session)]
    assert sorted(site for task, site in queued if task == "crawl" and site) == names
    assert len(queued) == len(set(queued))


FILL = text(
    """INSERT INTO zhiwen_queue.procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args)
    SELECT 'crawls', 'crawl', 0, 'crawl site ' || n, 'crawl site ' || n, jsonb_build_object('site', 'site ' || n)
    FROM generate_series(1, :many) n"""
)
READ = text(
    """SELECT coalesce(sum(seq_tup_read), 0) + coalesce(sum(idx_tup_fetch), 0) FROM pg_stat_xact_user_tables
    WHERE schemaname = 'zhiwen_queue'"""
)
CLAIM = text("SELECT id FROM zhiwen_queue.procrastinate_fetch_job_v2(ARRAY['crawls'], :worker)")
WORKER = text("INSERT INTO zhiwen_queue.procrastinate_workers DEFAULT VALUES RETURNING id")


def rows_read(session: Session) -> int:
    return int(session.execute(READ).scalar_one())


@pytest.mark.usefixtures("clean_database_url")
def test_of_a_hundred_thousand_jobs_one_is_claimed_or_added_without_reading_the_others(engine: Engine) -> None:
    # Without the triggers that note each event and wake workers: what is looked at is a queue that is long already.
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE zhiwen_queue.procrastinate_jobs DISABLE TRIGGER USER"))
        connection.execute(FILL, {"many": MANY})
        connection.execute(text("ALTER TABLE zhiwen_queue.procrastinate_jobs ENABLE TRIGGER USER"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE zhiwen_queue.procrastinate_jobs"))

    with transaction(engine) as session:
        session.execute(text(f"SET LOCAL search_path TO {queue.SCHEMA}, public"))
        worker = session.execute(WORKER).scalar_one()
        claimed = [session.execute(CLAIM, {"worker": worker}).scalar_one() for _ in range(20)]
        assert claimed == sorted(claimed)
        claims = rows_read(session)
        session.execute(text("SET LOCAL search_path TO DEFAULT"))
        assert queue.defer_crawl(session, "site 99999", trigger="test") is None
        assert queue.defer_crawl(session, "another", trigger="test") is not None
        assert queue.take_over(session) == []
        others = rows_read(session) - claims

    assert claims < 20 * 20
    assert others < 200
