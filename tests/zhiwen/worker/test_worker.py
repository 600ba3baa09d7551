"""The worker as a process on a real Postgres: scheduled jobs, and jobs that fail."""

from pathlib import Path

from sqlalchemy import Engine, text

from storage.engine import transaction
from storage.jobs import queue, schedules
from storage.takedowns import recaptures
from tests.support.processes.worker_process import (
    add_site,
    crawls,
    defer_crawl,
    nothing_waits,
    queued,
    stop,
    stored,
    until,
    worker,
)
from zhiwen.worker.worker import LONGEST_WAIT_S, MOST_TRIES, wait_before_retry


def test_a_site_that_is_due_is_crawled_and_compared_by_itself(
    engine: Engine, clean_database_url: str, web: str, tmp_path: Path
) -> None:
    site_id = add_site(engine, web)
    with transaction(engine) as session:
        schedules.set_schedule(session, site_id, "every 6 h", now=queue.database_time(session))

    with worker(clean_database_url, tmp_path) as child:
        until(engine, lambda: bool(stored(engine)) and nothing_waits(engine))
        code = stop(child)

    assert code == 0
    assert [(run.trigger, run.exit_reason) for run in crawls(engine)] == [("schedule", "finished")]
    with transaction(engine) as session:
        found = schedules.get_schedule(session, site_id)
        assert session.execute(text("SELECT count(*) FROM backlog")).scalar_one() == 0
    assert found is not None
    assert found.next_at is not None
    assert found.last_at is not None
    assert queued(engine) == []


def test_a_job_that_cannot_be_done_is_set_aside_with_its_error(
    engine: Engine, clean_database_url: str, web: str, tmp_path: Path
) -> None:
    add_site(engine, web, browser=True)
    defer_crawl(engine)

    with worker(clean_database_url, tmp_path, settings={"PATH": str(tmp_path)}) as child:
        until(engine, lambda: any(job.state == "set aside" for job in queued(engine)))
        stop(child)

    (job,) = (job for job in queued(engine) if job.task == "crawl")
    assert "no Chromium is installed" in (job.error or "")
    assert crawls(engine) == []


def test_a_job_that_fails_is_tried_again_later(engine: Engine, clean_database_url: str, tmp_path: Path) -> None:
    authority = {
        "ZHIWEN_TIME_STAMP_CERTIFICATES": str(tmp_path / "none.pem"),
        "ZHIWEN_TIME_STAMP_URL": "http://a.example/",
    }

    with worker(clean_database_url, tmp_path, settings=authority) as child:
        until(engine, lambda: any(job.task == "stamp" and job.error for job in queued(engine)))
        until(engine, lambda: all(job.state == "waiting" for job in queued(engine)))
        stop(child)

    (job,) = (job for job in queued(engine) if job.task == "stamp")
    assert (job.state, job.attempts >= 1) == ("waiting", True)
    assert "cannot be read" in (job.error or "")
    assert job.begins_at is not None


def test_two_workers_divide_the_work(engine: Engine, clean_database_url: str, web: str, tmp_path: Path) -> None:
    names = [f"site {number}" for number in range(4)]
    for number, name in enumerate(names):
        add_site(engine, web, name, f"/news/{number + 1}")
    for name in names:
        defer_crawl(engine, name)

    with worker(clean_database_url, tmp_path) as one, worker(clean_database_url, tmp_path) as other:
        until(engine, lambda: len(crawls(engine)) == len(names) and nothing_waits(engine))
        assert (stop(one), stop(other)) == (0, 0)

    assert sorted((run.site_name, run.exit_reason) for run in crawls(engine)) == [(name, "finished") for name in names]
    with transaction(engine) as session:
        assert recaptures.pending(session, limit=1) == []


def test_waits_grow_and_end() -> None:
    waits = [wait_before_retry(tries) for tries in range(1, MOST_TRIES + 1)]

    assert waits == [30.0, 120.0, 480.0, 1_920.0, LONGEST_WAIT_S, None]
