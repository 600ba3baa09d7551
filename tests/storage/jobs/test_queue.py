"""The queue and the schedules, without a worker: what is put in, once or not, and what a dead worker left."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from storage.engine import make_engine, transaction
from storage.errors import BadSchedule
from storage.jobs import queue, schedules
from storage.records.sites import SiteRecord, SiteSettings
from storage.sites import sites
from tests.support.store.store_reads import queue_counts

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def add_site(session: Session, name: str = "江城日报", **fields: object) -> SiteRecord:
    chosen = SiteSettings(name, ("https://a.example/",), ("a.example",), **fields)  # type: ignore[arg-type]
    return sites.add_site(session, chosen)


START = text("UPDATE procrastinate_jobs SET status = 'doing', worker_id = :worker WHERE id = :id")


def start(session: Session, job_id: int, worker: int | None) -> None:
    """As the queue's own worker does it."""
    session.execute(text(f"SET LOCAL search_path TO {queue.SCHEMA}, public"))
    session.execute(START, {"id": job_id, "worker": worker})
    session.execute(text("SET LOCAL search_path TO DEFAULT"))


def test_a_job_is_in_the_queue_when_its_transaction_is_committed(session: Session) -> None:
    number = queue.defer(session, "capture", case=7)

    (job,) = queue.list_jobs(session)
    assert (job.id, job.task, job.arguments, job.state, job.error) == (number, "capture", {"case": 7}, "waiting", None)
    assert queue_counts(session) == {"waiting": 1, "running": 0, "set aside": 0}


def test_a_job_that_is_rolled_back_never_was(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    with Session(engine) as session:
        queue.defer_once(session, queue.MATCH)
        session.rollback()
    with transaction(engine) as session:
        assert queue.list_jobs(session) == []
    engine.dispose()


def test_of_what_is_asked_for_twice_one_waits(session: Session) -> None:
    first = queue.defer_crawl(session, "江城日报", trigger="test")

    assert first is not None
    assert queue.defer_crawl(session, "江城日报", trigger="test") is None
    assert queue.defer_crawl(session, "other", trigger="test") is not None
    assert queue.defer_once(session, queue.MATCH) is not None
    assert queue.defer_once(session, queue.MATCH) is None
    start(session, first, None)
    assert queue.defer_crawl(session, "江城日报", trigger="test") is not None


DEAD = "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '10 minutes') RETURNING id"
ALIVE = "INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id"


def a_worker(session: Session, statement: str) -> int:
    session.execute(text(f"SET LOCAL search_path TO {queue.SCHEMA}, public"))
    number = session.execute(text(statement)).scalar_one()
    session.execute(text("SET LOCAL search_path TO DEFAULT"))
    return int(number)


def test_the_jobs_of_dead_workers_are_taken_over_and_no_others(session: Session) -> None:
    numbers = [queue.defer(session, "capture", case=case) for case in range(3)]
    for number, worker in zip(numbers, (a_worker(session, DEAD), a_worker(session, ALIVE), None), strict=True):
        assert number is not None
        start(session, number, worker)

    taken = queue.take_over(session)

    assert [(job.id, job.state) for job in taken] == [(numbers[0], "waiting"), (numbers[2], "waiting")]
    assert queue_counts(session) == {"waiting": 2, "running": 1, "set aside": 0}
    assert queue.has_workers(session)


def test_a_job_that_kills_its_workers_is_set_aside_and_can_be_tried_again(session: Session) -> None:
    number = queue.defer(session, "capture", case=1)
    assert number is not None
    for _ in range(queue.MOST_DEATHS):
        start(session, number, None)
        queue.take_over(session)

    (job,) = queue.list_jobs(session)
    assert (job.state, job.error) == ("set aside", f"Its worker died {queue.MOST_DEATHS} times while it was at work.")
    assert queue.try_again(session, number)
    assert queue_counts(session)["waiting"] == 1
    assert not queue.try_again(session, number)
    assert queue.drop(session, number)
    assert queue.list_jobs(session) == []


def test_an_abandoned_job_gives_way_to_one_like_it_that_waits(session: Session) -> None:
    first = queue.defer_once(session, queue.MATCH)
    assert first is not None
    start(session, first, None)
    second = queue.defer_once(session, queue.MATCH)

    queue.take_over(session)

    assert [(job.id, job.state) for job in queue.list_jobs(session)] == [(second, "waiting")]


def test_what_a_worker_gives_back_waits_a_moment_and_is_no_attempt(session: Session) -> None:
    number = queue.defer(session, "capture", case=1)
    other = queue.defer_once(session, queue.MATCH)
    assert number is not None
    assert other is not None
    for _ in range(2 * queue.MOST_DEATHS):
        start(session, number, None)
        assert queue.give_back(session, [number, other, 99_999]) == 1

    found = {job.id: job for job in queue.list_jobs(session)}
    assert (found[number].state, found[number].attempts, found[number].error) == ("waiting", 0, None)
    begins_at = found[number].begins_at
    assert begins_at is not None
    assert begins_at > queue.database_time(session)


def test_what_is_given_back_gives_way_to_one_like_it_that_waits(session: Session) -> None:
    first = queue.defer_once(session, queue.MATCH)
    assert first is not None
    start(session, first, None)
    second = queue.defer_once(session, queue.MATCH)

    queue.give_back(session, [first])

    assert [(job.id, job.state) for job in queue.list_jobs(session)] == [(second, "waiting")]


def test_whether_a_daily_job_was_asked_for_is_known(session: Session) -> None:
    assert not queue.was_deferred_since(session, queue.PRUNE, NOW - timedelta(days=3650))
    queue.defer_once(session, queue.PRUNE)
    assert queue.was_deferred_since(session, queue.PRUNE, NOW - timedelta(days=3650))
    assert not queue.was_deferred_since(session, queue.STAMP, NOW - timedelta(days=3650))


def test_a_due_site_is_put_into_the_queue_once_however_much_was_missed(session: Session) -> None:
    site = add_site(session)
    schedules.set_schedule(session, site.id, "every 6 h", now=NOW - timedelta(days=30))

    assert schedules.start_due(session, NOW) == ["江城日报"]
    assert schedules.start_due(session, NOW) == []

    (job,) = queue.list_jobs(session)
    assert (job.task, job.arguments["site"], job.arguments["trigger"]) == ("crawl", "江城日报", "schedule")
    found = schedules.get_schedule(session, site.id)
    assert found is not None
    assert (found.last_at, found.next_at) == (NOW, NOW + timedelta(hours=6))


def test_cron_holds_in_the_time_zone_of_the_site_or_its_own(session: Session) -> None:
    near, far = add_site(session), add_site(session, "far")
    schedules.set_schedule(session, near.id, "30 6 * * *", now=NOW)
    schedules.set_schedule(session, far.id, "30 6 * * *", now=NOW, time_zone="America/New_York")

    found = {one.site: one.next_at for one in schedules.list_schedules(session)}

    assert found == {
        "江城日报": datetime(2026, 11, 21, 22, 30, tzinfo=UTC),
        "far": datetime(2026, 11, 22, 11, 30, tzinfo=UTC),
    }


def test_jitter_delays_by_no_more_than_it_says(session: Session) -> None:
    site = add_site(session)
    schedules.set_schedule(session, site.id, "0 * * * *", now=NOW, jitter_s=600)

    found = schedules.get_schedule(session, site.id)

    assert found is not None
    assert found.next_at is not None
    assert timedelta(hours=1) <= found.next_at - NOW <= timedelta(hours=1, minutes=10)


def test_what_is_paused_waits_and_is_caught_up_once(session: Session) -> None:
    site = add_site(session)
    schedules.set_schedule(session, site.id, "every 1 h", now=NOW)
    assert schedules.pause(session, site.id, paused=True)
    assert schedules.start_due(session, NOW + timedelta(days=2)) == []

    schedules.pause(session, site.id, paused=False)

    assert schedules.start_due(session, NOW + timedelta(days=2)) == ["江城日报"]
    assert schedules.start_due(session, NOW + timedelta(days=2, minutes=59)) == []
    assert schedules.remove(session, site.id)
    assert not schedules.pause(session, site.id, paused=True)


def test_a_site_that_is_not_crawled_has_no_turn(session: Session) -> None:
    site = add_site(session, enabled=False)
    schedules.set_schedule(session, site.id, "every 1 h", now=NOW)

    assert schedules.start_due(session, NOW + timedelta(days=1)) == []
    assert [one.paused for one in schedules.list_schedules(session)] == [True]


def test_two_schedulers_at_once_start_a_site_once(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        schedules.set_schedule(session, add_site(session).id, "every 1 h", now=NOW)

    assert _both_start(engine) == [["江城日报"], []]
    with transaction(engine) as session:
        assert len(queue.list_jobs(session)) == 1
    engine.dispose()


def _both_start(engine: Engine) -> list[list[str]]:
    with transaction(engine) as one, transaction(engine) as other:
        return [schedules.start_due(one, NOW), schedules.start_due(other, NOW)]


BAD_RULES = ["", "now", "every 0 h", "every 999 d", "every 6 weeks", "* * * *", "61 * * * *", "0 0 30 2 *", "@daily x",
             "* * * * * *", "every -1 h", "\x00", "30 6 * * 夜"]  # fmt: skip


@pytest.mark.parametrize("rule", BAD_RULES)
def test_a_rule_that_says_no_time_is_refused(session: Session, rule: str) -> None:
    with pytest.raises(BadSchedule, match="every"):
        schedules.set_schedule(session, add_site(session).id, rule, now=NOW)
