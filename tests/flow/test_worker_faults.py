"""A worker that is stopped, killed, or loses its database: nothing is lost, and nothing done twice."""

import tempfile
from pathlib import Path

from sqlalchemy import Engine, delete, text

from storage.cases import findings
from storage.crawl import runs
from storage.engine import transaction
from storage.jobs import queue
from storage.models.pages import Backlog
from storage.records.crawl import RunRecord
from tests.fake_web import requests_so_far, served
from tests.support.case_actions import a_finding, a_page
from tests.support.processes.broken_connection import line_to
from tests.support.processes.worker_process import (
    add_site,
    crawls,
    defer_crawl,
    has_workers,
    nothing_waits,
    queued,
    stop,
    stored,
    until,
    worker,
)


def test_a_stopped_worker_gives_back_what_it_was_at(
    engine: Engine, clean_database_url: str, web: str, tmp_path: Path
) -> None:
    add_site(engine, web, path="/list", delay_s=30.0)
    defer_crawl(engine)

    with worker(clean_database_url, tmp_path) as child:
        until(engine, lambda: any(job.task == "crawl" and job.state == "running" for job in queued(engine)))
        until(engine, lambda: bool(crawls(engine)))
        code = stop(child)

    assert code == 0
    assert [(job.state, job.error) for job in queued(engine) if job.task == "crawl"] == [("waiting", None)]
    until(engine, lambda: as_the_desk_shows_them(engine)[0].exit_reason is not None)


def as_the_desk_shows_them(engine: Engine) -> list[RunRecord]:
    """A worker that must leave before the crawl's process has begun leaves its run open: who looks at it closes it."""
    with transaction(engine) as session:
        runs.close_lost(session)
        return runs.list_runs(session)


def test_a_stopped_worker_gives_back_what_does_not_end_in_time(
    engine: Engine, clean_database_url: str, web: str, tmp_path: Path
) -> None:
    """A capture waits for a server that never answers: longer than a worker has for its end."""
    with transaction(engine) as session:
        ours = a_page(session, f"{web}/slow", 1)
        findings.keep_findings(session, [a_finding(ours, a_page(session, "https://copier.example/a", 2))])
        session.execute(delete(Backlog))  # a comparison of the two would withdraw the case
        queue.defer_once(session, queue.CAPTURE)

    with worker(clean_database_url, tmp_path) as child:
        until(engine, lambda: requests_so_far(web).get("/slow", 0) > 0)
        code = stop(child)

    assert code == 0
    found = [(job.state, job.attempts, job.error) for job in queued(engine) if job.task == "capture"]
    assert found == [("waiting", 0, None)]


def test_what_a_killed_worker_was_at_is_done_by_the_next_and_nothing_twice(
    engine: Engine, clean_database_url: str, web: str, tmp_path: Path
) -> None:
    add_site(engine, web, path="/list", delay_s=0.5)
    defer_crawl(engine)
    with worker(clean_database_url, tmp_path) as child:
        until(engine, lambda: bool(stored(engine)))
        child.kill()
        child.wait()
    # The crawl's own process notices, and ends as on a request to stop.
    until(engine, lambda: crawls(engine)[0].exit_reason is not None)
    before = {page.url: page.id for page in stored(engine)}
    with engine.begin() as connection:  # its last sign of life was an hour ago
        connection.execute(
            text("UPDATE zhiwen_queue.procrastinate_workers SET last_heartbeat = now() - interval '1 hour'")
        )

    with worker(clean_database_url, tmp_path) as child:
        until(engine, lambda: nothing_waits(engine) and crawls(engine)[0].exit_reason == "finished")
        assert stop(child) == 0

    after = {page.url: page.id for page in stored(engine)}
    assert before.items() <= after.items()
    assert len(after) == len(stored(engine))
    assert queued(engine) == []


def test_it_waits_for_a_database_that_went_away(
    engine: Engine, clean_database_url: str, web: str, tmp_path: Path
) -> None:
    add_site(engine, web)
    with worker(clean_database_url, tmp_path) as child:
        until(engine, lambda: has_workers(engine))
        with engine.begin() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
        defer_crawl(engine)
        until(engine, lambda: bool(stored(engine)))
        assert child.poll() is None
        assert stop(child) == 0


def test_an_outage_during_a_long_crawl_holds_up_nothing_afterwards(
    engine: Engine, clean_database_url: str, web: str, tmp_path: Path
) -> None:
    add_site(engine, web, "short", path="/news/2")
    log = tmp_path / "log"

    with (
        served() as slow,  # another host, since all crawls of one share its pace
        tempfile.TemporaryDirectory(dir="/tmp") as folder,
        line_to(clean_database_url, Path(folder)) as (url, line),
        worker(url, tmp_path, log=log) as child,
    ):
        add_site(engine, slow, "long", path="/list", delay_s=60.0)
        defer_crawl(engine, "long")
        until(engine, lambda: bool(crawls(engine)))
        line.cut()
        until(engine, lambda: b"the database is not reachable" in log.read_bytes())
        line.mend()
        defer_crawl(engine, "short")
        until(engine, lambda: any(run.site_name == "short" and run.exit_reason for run in crawls(engine)))
        assert stop(child) == 0

    assert [run.exit_reason for run in crawls(engine) if run.site_name == "short"] == ["finished"]
