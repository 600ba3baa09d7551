"""The sites and their runs."""

from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, update

from admin.sites.run_views import refusals, results
from storage.crawl import health as crawl_health
from storage.crawl import runs
from storage.engine import transaction
from storage.models.sites import CrawlRun
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import SiteRole
from tests.support.desk_client import client_of_person


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def store_run(engine: Engine, site: str, *, counters: dict[str, int], samples: dict[str, list[str]]) -> int:
    with transaction(engine) as session:
        run_id = runs.start_run(session, sites.get_site(session, site).id, trigger="hand")
        runs.finish_run(session, run_id, exit_reason="finished", counters=counters, refusal_samples=samples)
    return run_id


@pytest.fixture
def site(engine: Engine) -> str:
    settings = SiteSettings(
        name="县报", start_urls=("https://county.example/",), hosts=("county.example",), role=SiteRole.ORIGINAL
    )
    with transaction(engine) as session:
        return sites.add_site(session, settings, owner="县报社").name


def test_no_sites_and_no_runs_say_what_to_do_next(client: FlaskClient) -> None:
    assert "zhiwen site add" in client.get("/sites").text
    assert "zhiwen crawl" in client.get("/runs").text


def test_a_site_without_a_run_says_never(client: FlaskClient, site: str) -> None:
    page = client.get("/sites").text

    assert site in page
    assert "县报社" in page
    assert "原创（我方）" in page
    assert "从未" in page


def test_a_site_shows_its_newest_run(client: FlaskClient, engine: Engine, site: str) -> None:
    store_run(engine, site, counters={"page/stored": 1}, samples={})
    newest = store_run(
        engine, site, counters={"page/stored": 25, "refused/robots": 4}, samples={"robots": ["https://x.example/"]}
    )

    page = client.get("/sites").text

    assert f'href="/runs/{newest}"' in page
    assert "<b>25</b>" in page
    assert "robots.txt 禁止 <b>4</b>" in page


def test_a_run_lists_what_it_turned_away_with_addresses(client: FlaskClient, engine: Engine, site: str) -> None:
    run_id = store_run(
        engine,
        site,
        counters={"page/stored": 25, "refused/list-page": 2, "refused/robots": 41},
        samples={"robots": ["https://county.example/private", "javascript:alert(1)"]},
    )

    page = client.get(f"/runs/{run_id}").text

    assert page.index("robots.txt 禁止") < page.index("文章列表页"), "the most frequent first"
    assert 'href="https://county.example/private"' in page
    assert "javascript:alert(1)" in page
    assert 'href="javascript:' not in page
    assert "共 41 个，保留前 2 个为例" in page
    assert "未保留网址" in page


def test_a_run_that_has_not_ended_says_so(client: FlaskClient, engine: Engine, site: str) -> None:
    with transaction(engine) as session:
        run_id = runs.start_run(session, sites.get_site(session, site).id, trigger="<b>schedule</b>")

    page = client.get(f"/runs/{run_id}").text

    assert "进行中</span>" in page
    assert "没有拒收的页面" in page
    assert "<b>schedule" not in page


def test_a_run_whose_process_is_gone_shows_as_lost_wherever_runs_are_shown(
    client: FlaskClient, engine: Engine, site: str
) -> None:
    with transaction(engine) as session:
        site_id = sites.get_site(session, site).id

    for path in ("/runs", "/runs/{run}", "/runs/{run}/progress", "/sites", f"/sites/{site_id}", "/exports/runs.csv"):
        with transaction(engine) as session:
            run_id = runs.start_run(session, site_id, trigger="hand")
            long_ago = CrawlRun.started_at - timedelta(hours=1)
            session.execute(update(CrawlRun).where(CrawlRun.id == run_id).values(started_at=long_ago))

        answer = client.get(path.format(run=run_id))

        assert path == "/sites" or "进程已不存在" in answer.text, path  # the list of sites tells only when they ran
        with transaction(engine) as session:
            run = runs.get_run(session, run_id)
        assert run is not None
        assert run.exit_reason == "lost", path
    client.get("/")
    with transaction(engine) as session:
        (health,) = crawl_health.sites_health(session)
    assert health.is_failing


def test_runs_can_be_listed_by_site(client: FlaskClient, engine: Engine, site: str) -> None:
    run_id = store_run(engine, site, counters={}, samples={})

    assert f'href="/runs/{run_id}"' in client.get("/runs").text
    assert f'href="/runs/{run_id}"' in client.get(f"/runs?site={site}").text
    assert "还没有抓取记录" in client.get("/runs?site=别的").text
    assert client.get("/runs?site=%00").status_code == 200


def test_reasons_known_only_from_samples_are_listed_too(engine: Engine, site: str) -> None:
    run_id = store_run(
        engine, site, counters={"page/stored": 3, "refused/gone": 0}, samples={"timeout": ["https://x.example/"]}
    )
    with transaction(engine) as session:
        run = runs.get_run(session, run_id)
    assert run is not None

    assert refusals(run) == [("timeout", 1, ("https://x.example/",))]
    assert results(run) == [("page/stored", 3)]
