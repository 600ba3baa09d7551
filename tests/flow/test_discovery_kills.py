"""A search for copies that is killed at many moments: no query is paid twice, none is forgotten, no copy is lost."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import Engine, text

from crawler.web_search.budget import NOT_AGAIN_WITHIN, VISITS
from matcher.worker.backlog import work_off
from storage.engine import transaction
from storage.pages import pages
from storage.types import FoundBy, Rights, SiteRole
from storage.web_search import articles
from tests.support.factories import a_site, an_article, save, text_of
from tests.support.processes.killed_processes import NEVER, Doom, forking
from tests.support.web_search.search_server import SearchServer, search_server
from tests.support.web_search.small_web import SmallSite, small_site

if TYPE_CHECKING:
    import subprocess

SEED = 20260301
KILLS = 6
ARTICLES = 3
KILLED = -9
BEFORE_THE_FIRST_QUERY, MOMENTS = 5, 160
"""A search of one article takes some 150 moments."""


@pytest.fixture(scope="module")
def forker() -> Iterator["subprocess.Popen[str]"]:
    with forking() as found:
        yield found


@pytest.fixture
def doom(forker: "subprocess.Popen[str]", clean_database_url: str, tmp_path: Path) -> Doom:
    return Doom(forker, clean_database_url, tmp_path)


@pytest.fixture
def ours() -> Iterator[SmallSite]:
    with small_site("127.0.0.2") as found:
        yield found


@pytest.fixture
def theirs() -> Iterator[SmallSite]:
    with small_site("127.0.0.3") as found:
        yield found


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        yield found


def publish(engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer) -> set[str]:
    """Articles of ours, with a copy of each on another host that every query returns. Returns the copies' addresses."""
    copies = set()
    with transaction(engine) as session:
        site = a_site(session, "ours", host=ours.host, role=SiteRole.ORIGINAL, rights=Rights.OWN, delay_s=0.0)
        for number in range(ARTICLES):
            body = text_of(number, chars=700)
            url = ours.shows(f"/{number}", body)
            save(session, an_article(url, body, site_id=site.id, fetched_at=datetime.now(UTC)))
            copies.add(theirs.shows(f"/copy/{number}", body))
    server.says({"results": [{"url": url, "title": "", "content": ""} for url in sorted(copies)]})
    return copies


def queries(server: SearchServer) -> list[str]:
    return [parse_qs(urlsplit(one.target).query)["q"][0] for one in server.asked]


def one(engine: Engine, statement: str) -> int:
    with transaction(engine) as session:
        return int(session.execute(text(statement)).scalar_one())


def due(engine: Engine) -> set[int]:
    """Pages of articles whose visit is not done."""
    with transaction(engine) as session:
        (site_id,) = session.execute(text("SELECT id FROM site WHERE role = 'original'")).scalars()
        found = articles.articles_of_site(session, site_id, now=datetime.now(UTC), visits=VISITS, limit=100)
        return {article.page_id for article in found}


def unsettled(engine: Engine) -> set[int]:
    """Pages of articles with a query whose answer was lost."""
    statement = "SELECT page_id FROM search_query WHERE ended_at IS NULL OR fault = 'interrupted'"
    with transaction(engine) as session:
        return set(session.execute(text(statement)).scalars())


def found_by_search(engine: Engine) -> list[str]:
    with transaction(engine) as session:
        return [page.url for page in pages.list_pages(session) if page.found_by is FoundBy.SEARCH]


def test_killed_at_any_moment_no_query_is_paid_twice_and_none_is_forgotten(
    engine: Engine, doom: Doom, ours: SmallSite, theirs: SmallSite, server: SearchServer
) -> None:
    copies = publish(engine, ours, theirs, server)
    chance = random.Random(SEED)  # noqa: S311  # repeatable, nothing secret
    killed = 0
    for _ in range(KILLS):
        code, said = doom.run("discover", chance.randrange(BEFORE_THE_FIRST_QUERY, MOMENTS), service=server.base)
        assert code in (KILLED, 0), said
        killed += code == KILLED
        assert len(queries(server)) == len(set(queries(server)))
        assert one(engine, "SELECT count(*) FROM search_query") >= len(server.asked)
    assert killed > KILLS // 2

    code, said = doom.run("discover", NEVER, service=server.base)

    assert code == 0, said
    assert len(queries(server)) == len(set(queries(server)))
    # What was lost with a killed program keeps its article due, and nothing else does.
    assert due(engine) == unsettled(engine)
    assert sorted(found_by_search(engine)) == sorted(copies)
    assert one(engine, "SELECT count(*) FROM search_find WHERE state = 'waiting'") == 0

    asked_before = set(queries(server))
    with transaction(engine) as session:
        later = {"by": NOT_AGAIN_WITHIN + timedelta(hours=1)}
        session.execute(text("UPDATE search_query SET booked_at = booked_at - :by"), later)
    code, said = doom.run("discover", NEVER, service=server.base)

    assert code == 0, said
    assert due(engine) == set()
    assert set(queries(server)) >= asked_before
    # A program that is killed leaves the copy in the backlog, where the worker takes it.
    work_off(engine, should_stop=lambda: False)
    assert one(engine, "SELECT count(DISTINCT their_page_id) FROM case_page") == ARTICLES
    assert one(engine, "SELECT count(*) FROM case_page") == ARTICLES
    assert sorted(found_by_search(engine)) == sorted(copies)
