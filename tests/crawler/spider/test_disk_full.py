"""Crawls whose disk is full: that of the database, and that on which evidence is kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from storage.engine import make_engine, transaction
from storage.evidence import chain_store
from storage.records.crawl import RunRecord
from tests.fake_web import served
from tests.flow.test_crawl import LOOPBACK, PATIENCE_S, add_site, stored

SITE = "江城日报"
ARTICLES = {f"/news/{number}" for number in range(100, 120)}
ROOM = 8
"""Pages that the disk of the database has room for."""

FILLED = """
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock(20261122);  -- pages are stored side by side
      IF (SELECT count(*) FROM page) >= 8 THEN
        RAISE SQLSTATE '53100' USING MESSAGE = 'could not extend file: No space left on device';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON page FOR EACH ROW EXECUTE FUNCTION no_room()
"""
"""What Postgres says then, it says here without filling the disk of whoever runs the tests."""


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def url(clean_database_url: str, web: str) -> str:
    add_site(clean_database_url, web, start_urls=(f"{web}/many",), allow=("/many$", r"/news/1[01]\d$"))
    return clean_database_url


def crawl(url: str, home: Path | None = None) -> RunRecord:
    return crawl_site(
        CrawlOrder(url, SITE, allowed_networks=LOOPBACK, home=home, answer_within_s=PATIENCE_S, trigger="test")
    )


def execute(url: str, statement: str) -> None:
    engine = make_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def count_of_entries(url: str) -> int:
    engine = make_engine(url)
    with transaction(engine) as session:
        found = len(list(chain_store.entries(session)))
    engine.dispose()
    return found


def test_a_full_disk_of_the_database_stops_a_crawl_cleanly_and_the_next_one_goes_on(url: str) -> None:
    execute(url, FILLED)

    run = crawl(url)

    assert (run.exit_reason, run.counters["articles/new"]) == ("storage-failed", ROOM)
    before = stored(url)
    assert len(before) == ROOM
    execute(url, "DROP TRIGGER no_room ON page")
    assert crawl(url).exit_reason == "finished"
    after = stored(url)
    assert set(after) == ARTICLES
    assert {path: after[path].version_id for path in before} == {path: page.version_id for path, page in before.items()}


def test_without_room_for_evidence_nothing_is_stored_that_would_be_without(url: str, tmp_path: Path) -> None:
    in_the_way = tmp_path / "evidence"
    in_the_way.write_text("nothing can be written where this file is")

    run = crawl(url, tmp_path)

    assert (run.exit_reason, stored(url), count_of_entries(url)) == ("storage-failed", {}, 0)
    in_the_way.unlink()
    assert crawl(url, tmp_path).exit_reason == "finished"
    assert (set(stored(url)), count_of_entries(url)) == (ARTICLES, len(ARTICLES))
