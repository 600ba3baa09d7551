"""Sites that show their articles by script alone: opened in a browser, which reaches nothing that the crawler may not.

Needs Chromium and the extra `browser`, as the tests of the desk do.
"""

import ipaddress
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import Engine

from crawler import browser
from crawler.browser import BROWSER_SETTING, BROWSERS
from crawler.errors import BrowserMissing
from crawler.run import crawl_site
from storage import evidence, pages, runs, sites
from storage.engine import make_engine, transaction
from storage.records import RunRecord, SiteSettings
from tests.fake_web.scripted import ARTICLES, SITE_ADDRESS, ScriptedServer, served

ONLY_THE_SITE = (ipaddress.ip_network(f"{SITE_ADDRESS}/32"),)
needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, BROWSERS)) and not os.environ.get("CI"),
    reason="Chromium is not installed; continuous integration must have it",
)


@pytest.fixture
def engine(clean_database_url: str) -> Iterator[Engine]:
    engine = make_engine(clean_database_url)
    yield engine
    engine.dispose()


def add_site(engine: Engine, site: ScriptedServer, *, start: str = "/", with_browser: bool = True) -> None:
    host = urlsplit(site.url).netloc
    chosen = SiteSettings("江城日报", (f"{site.url}{start}",), (host,), delay_s=0.0, browser=with_browser)
    with transaction(engine) as session:
        sites.add_site(session, chosen)


def texts(engine: Engine) -> dict[str, str]:
    with transaction(engine) as session:
        return {
            urlsplit(page.url).path: pages.text_body(session, page.text_id) or "" for page in pages.list_pages(session)
        }


def crawl(url: str, home: Path | None = None) -> RunRecord:
    return crawl_site(url, "江城日报", allowed_networks=ONLY_THE_SITE, home=home, trigger="test")


def crawl_with(url: str, *bounds: str) -> RunRecord:
    """With tighter bounds than `crawl_site` sets."""
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "ZHIWEN_ALLOWED_NETWORKS": str(ONLY_THE_SITE[0]),
        BROWSER_SETTING: "1",
    }
    options = [part for bound in bounds for part in ("-s", bound)]
    command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", "site=江城日报", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stderr
    engine = make_engine(url)
    with transaction(engine) as session:
        (run,) = runs.list_runs(session)
    engine.dispose()
    return run


def reasons(run: RunRecord) -> dict[str, str]:
    """Why each address was refused; that lists are no articles goes without saying."""
    samples = run.refusal_samples.items()
    return {urlsplit(url).path: reason for reason, urls in samples for url in urls if reason != "list-page"}


@needs_browser
def test_articles_shown_by_script_are_stored(engine: Engine, clean_database_url: str, tmp_path: Path) -> None:
    with served() as (site, _):
        add_site(engine, site)

        run = crawl(clean_database_url, tmp_path)

    assert run.exit_reason == "finished"
    assert set(texts(engine)) == set(ARTICLES)
    assert all("篇报道里的记录" in text for text in texts(engine).values())
    assert run.counters["browser/pages"] == 4
    with transaction(engine) as session:
        entries = {urlsplit(entry.url).path: entry for entry in evidence.entries(session)}
    assert set(entries) == set(ARTICLES)
    # Who really answered, not the proxy between.
    assert all(f'"peer":"{SITE_ADDRESS}"' in entry.body for entry in entries.values())


def test_without_the_switch_there_is_nothing_to_read(engine: Engine, clean_database_url: str) -> None:
    with served() as (site, _):
        add_site(engine, site, with_browser=False)

        run = crawl(clean_database_url)

    assert (run.exit_reason, texts(engine)) == ("finished", {})
    assert site.asked["/app.js"] == 0


@needs_browser
def test_a_hostile_site_reaches_nothing_private_and_its_other_pages_are_stored(
    engine: Engine, clean_database_url: str
) -> None:
    with served(traps=True) as (site, secret):
        add_site(engine, site)
        run = crawl_with(clean_database_url, "ZHIWEN_BROWSER_MAX_REQUESTS=60")

    assert dict(secret.asked) == {}
    refused = reasons(run)
    assert set(texts(engine)) == {*ARTICLES, "/reach"}, refused
    assert run.exit_reason == "finished"
    expected = {
        "/endless": "too-large",
        "/fat": "too-large",
        "/download": "wrong-type",
        "/hop": "blocked-address",
        "/jumped": "out-of-scope",  # where /jump led
        "/file": "too-short",  # the browser did not go there
        "/data": "too-short",
    }
    assert {path: refused.get(path) for path in expected} == expected


@needs_browser
def test_a_page_that_never_ends_is_given_up(engine: Engine, clean_database_url: str) -> None:
    with served() as (site, _):
        add_site(engine, site, start="/busy")

        run = crawl_with(clean_database_url, "ZHIWEN_BROWSER_LOAD_S=3")

    assert (run.exit_reason, reasons(run)) == ("finished", {"/busy": "timeout"})


def test_where_no_browser_is_the_way_out_is_told(
    engine: Engine, clean_database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with served() as (site, _):
        add_site(engine, site)

        with pytest.raises(BrowserMissing, match=r"no Chromium is installed.*--no-browser"):
            crawl(clean_database_url)

    with transaction(engine) as session:
        assert runs.list_runs(session) == []


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    # An installation without the extra: nothing but the standard library, and our own sources.
    root = Path(browser.__file__).parents[1]
    found = subprocess.run(
        [sys.executable, "-I", "-S", "-c",
         f"import sys; sys.path.insert(0, {str(root)!r}); from crawler.browser import what_is_missing;"
         " print(what_is_missing())"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert "pip install 'zhiwen[browser]'" in found.stdout
