"""The worker searches the web for copies by itself, as long as a service is set up."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from storage.engine import transaction
from storage.jobs import queue
from storage.types import Rights, SiteRole
from tests.support.factories import a_site, an_article, save, story
from tests.support.processes.worker_process import nothing_waits, queued, stop, until, worker
from tests.support.web_search.search_server import SearchServer, search_server
from tests.support.web_search.small_web import SmallSite, small_site
from zhiwen.config.loading import load_settings
from zhiwen.web_search.plan_file import FILE_NAME
from zhiwen.worker.discovery import is_due

TEXT = story()


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        yield found


@pytest.fixture
def site() -> Iterator[SmallSite]:
    with small_site("127.0.0.2") as found:
        yield found


@pytest.fixture
def theirs() -> Iterator[SmallSite]:
    with small_site("127.0.0.3") as found:
        yield found


def publish(engine: Engine, site: SmallSite) -> None:
    url = site.shows("/1", TEXT)
    with transaction(engine) as session:
        ours = a_site(session, "ours", host=site.host, role=SiteRole.ORIGINAL, rights=Rights.OWN, delay_s=0.0)
        save(session, an_article(url, TEXT, site_id=ours.id, fetched_at=datetime.now(UTC)))


def services(home: Path, server: SearchServer) -> None:
    home.mkdir(exist_ok=True)
    (home / FILE_NAME).write_text(f'[services.one]\nkind = "searxng"\nurl = "{server.base}/"\n')


def cases(engine: Engine) -> int:
    with transaction(engine) as session:
        return int(session.execute(text('SELECT count(*) FROM "case"')).scalar_one())


def is_due_now(engine: Engine, home: Path) -> bool:
    settings = load_settings({"ZHIWEN_HOME": str(home)})
    with transaction(engine) as session:
        return is_due(settings, session, queue.database_time(session))


def test_a_copy_is_found_and_becomes_a_case_without_anybody_doing_anything(
    engine: Engine, clean_database_url: str, tmp_path: Path, server: SearchServer, site: SmallSite, theirs: SmallSite
) -> None:
    publish(engine, site)
    services(tmp_path, server)
    server.says({"results": [{"url": theirs.shows("/copy", TEXT), "title": "T", "content": ""}]})

    with worker(clean_database_url, tmp_path, settings={"ZHIWEN_ENCODER": "off"}) as child:
        until(engine, lambda: cases(engine) == 1 and nothing_waits(engine))
        code = stop(child)

    assert (code, queued(engine)) == (0, [])
    assert len(server.asked) == len({one.target for one in server.asked}) >= 3


def test_without_services_no_search_is_queued(engine: Engine, tmp_path: Path) -> None:
    assert not is_due_now(engine, tmp_path)
    (tmp_path / FILE_NAME).write_text("asks_all = true\n")
    assert not is_due_now(engine, tmp_path)


def test_a_search_is_queued_once_in_ten_minutes_and_a_file_with_a_mistake_is_not_hidden(
    engine: Engine, tmp_path: Path, server: SearchServer
) -> None:
    services(tmp_path, server)
    assert is_due_now(engine, tmp_path)
    (tmp_path / FILE_NAME).write_text("[services.one]\n")
    assert is_due_now(engine, tmp_path)

    with transaction(engine) as session:
        queue.defer_once(session, queue.DISCOVER)
    assert not is_due_now(engine, tmp_path)


def test_a_search_with_a_mistake_in_its_file_is_set_aside_with_the_place(
    engine: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    (tmp_path / FILE_NAME).write_text("[services.one]\n")

    with worker(clean_database_url, tmp_path, settings={"ZHIWEN_ENCODER": "off"}) as child:
        until(engine, lambda: any(job.state == "set aside" for job in queued(engine)))
        stop(child)

    (job,) = (job for job in queued(engine) if job.task == "discover")
    assert "“kind” is missing" in (job.error or "")
