"""Runs whose process is gone."""

from datetime import timedelta

from sqlalchemy import text, update
from sqlalchemy.orm import Session

from storage.crawl import runs
from storage.crawl.site_lock import SiteLock
from storage.engine import make_engine, transaction
from storage.models.sites import CrawlRun
from storage.records.sites import SiteSettings
from storage.sites.sites import add_site


def new_site(session: Session, name: str) -> int:
    return add_site(session, SiteSettings(name, ("http://a.example/",), ("a.example",))).id


def begin(session: Session, site_id: int, *, ago: timedelta = timedelta(hours=1)) -> int:
    run_id = runs.start_run(session, site_id, trigger="test")
    session.execute(update(CrawlRun).where(CrawlRun.id == run_id).values(started_at=CrawlRun.started_at - ago))
    return run_id


def reasons(session: Session) -> dict[int, str | None]:
    return {run.id: run.exit_reason for run in runs.list_runs(session)}


def test_a_run_of_a_site_that_nobody_crawls_is_lost(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        crawled, left = new_site(session, "甲"), new_site(session, "乙")
        alive, dead = begin(session, crawled), begin(session, left)
        young = begin(session, left, ago=timedelta(0))
        done = begin(session, left)
        runs.finish_run(session, done, exit_reason="finished", counters={}, refusal_samples={})
    lock = SiteLock(engine, crawled)
    assert lock.hold()

    with transaction(engine) as session:
        assert runs.close_lost(session) == 1
        assert reasons(session) == {alive: None, dead: "lost", young: None, done: "finished"}

    lock.release()
    engine.dispose()


def test_whoever_has_the_lock_closes_the_runs_before(session: Session) -> None:
    site, other = new_site(session, "甲"), new_site(session, "乙")
    before, elsewhere, own = begin(session, site), begin(session, other), begin(session, site)

    assert runs.close_lost_of_site(session, site, but=own) == 1

    assert reasons(session) == {before: "lost", elsewhere: None, own: None}


def test_a_run_that_writes_again_was_not_lost(session: Session) -> None:
    run = begin(session, new_site(session, "甲"))
    runs.close_lost_of_site(session, -1, but=0)
    session.execute(text("UPDATE crawl_run SET exit_reason = 'lost', ended_at = now()"))

    runs.record_run(session, run, counters={"pages/fetched": 3}, refusal_samples={})

    found = runs.get_run(session, run)
    assert found is not None
    assert (found.exit_reason, found.ended_at, found.counters) == (None, None, {"pages/fetched": 3})


def test_the_last_run_of_each_site(session: Session) -> None:
    twice, once, never, other = (new_site(session, name) for name in "甲乙丙丁")
    begin(session, twice, ago=timedelta(0))
    last = begin(session, twice)
    only = begin(session, once)
    begin(session, other)

    found = runs.last_runs(session, [twice, once, never])

    assert {site_id: (run.id, run.site_name) for site_id, run in found.items()} == {
        twice: (last, "甲"),
        once: (only, "乙"),
    }
