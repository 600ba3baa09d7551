"""Sites that show their articles by script alone: opened in a browser, which reaches nothing that the crawler may not.

Needs Chromium and the extra `browser`, as the tests of the desk do.
"""

import ipaddress
import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine

from crawler.browser import availability
from crawler.browser.availability import BROWSER_SETTING
from crawler.discovery.site_preview import PagePreview
from crawler.evidence.keeper import Keeper
from crawler.evidence.page_capture import Capturer
from crawler.evidence.record_files import EvidenceFolder
from crawler.extraction.article import Article
from crawler.extraction.page_reader import page_reader
from crawler.fetch.fetch import Fetched, fetch
from crawler.outcomes.errors import BrowserMissing
from crawler.outcomes.refusals import Refusal
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from storage.crawl import runs
from storage.engine import make_engine, transaction
from storage.evidence import chain_store
from storage.pages import pages
from storage.records.crawl import RunRecord
from storage.records.evidence import EvidenceEntry, EvidenceKind
from storage.records.sites import SiteSettings
from storage.sites import sites
from tests.fake_web.scripted import (
    ARTICLES,
    OTHER_ADDRESS,
    SITE_ADDRESS,
    ScriptedServer,
    served,
    served_with_another,
)
from tests.support.requirements import needs_browser
from zhiwen.cli import zhiwen
from zhiwen.config.settings import Settings
from zhiwen.preview.site_preview import preview_page

BOTH = tuple(ipaddress.ip_network(f"{address}/32") for address in (SITE_ADDRESS, OTHER_ADDRESS))
ONLY_THE_SITE = (ipaddress.ip_network(f"{SITE_ADDRESS}/32"),)


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
    return crawl_site(CrawlOrder(url, "江城日报", allowed_networks=ONLY_THE_SITE, home=home, trigger="test"))


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


def why(entry: EvidenceEntry) -> str:
    return str(json.loads(entry.body)["why"])


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
        entries = {urlsplit(entry.url).path: entry for entry in chain_store.entries(session)}
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
def test_a_redirect_to_another_host_waits_for_what_its_robots_txt_says(engine: Engine, clean_database_url: str) -> None:
    with served_with_another() as (site, other):
        starts = (f"{site.url}/away/forbidden", f"{site.url}/away/news/1")
        hosts = tuple(urlsplit(server.url).netloc for server in (site, other))
        with transaction(engine) as session:
            sites.add_site(session, SiteSettings("江城日报", starts, hosts, delay_s=0.0, browser=True))

        run = crawl_site(CrawlOrder(clean_database_url, "江城日报", allowed_networks=BOTH, trigger="test"))

    assert reasons(run)["/forbidden"] == "robots"
    assert other.asked["/forbidden"] == 0
    assert set(texts(engine)) == {"/news/1"}
    assert (site.asked["/news/1"], other.asked["/news/1"]) == (0, 1)


@needs_browser
def test_a_single_page_is_opened_in_a_browser_and_follows_its_redirects() -> None:
    with served_with_another() as (site, other):
        sent = fetch(f"{site.url}/news/1", allowed_networks=BOTH)
        shown = fetch(f"{site.url}/away/news/2", allowed_networks=BOTH, in_browser=True)
        refused = fetch(f"{site.url}/away/news/2", allowed_networks=ONLY_THE_SITE, in_browser=True)

    assert isinstance(sent, Fetched)
    assert "请稍候" in sent.body.decode()
    assert isinstance(shown, Fetched)
    assert shown.url == f"{other.url}/news/2"
    assert "篇报道里的记录" in shown.body.decode()
    assert refused is Refusal.BLOCKED_ADDRESS


@needs_browser
def test_of_a_page_shown_by_script_both_what_was_sent_and_what_was_shown_is_kept(
    engine: Engine, tmp_path: Path
) -> None:
    with served() as (site, _), page_reader("UTC") as read_page:
        add_site(engine, site)
        capturer = Capturer(Keeper(engine, EvidenceFolder(tmp_path)), read_page, ONLY_THE_SITE)

        page = capturer.capture_page(f"{site.url}/news/1", why="case 7")
        gone = capturer.capture_page(f"{site.url}/download", why="case 7")

    assert isinstance(page.outcome, Article)
    assert "篇报道里的记录" in page.outcome.text
    assert gone.outcome is Refusal.WRONG_TYPE
    with transaction(engine) as session:
        kept = [(entry.kind, urlsplit(entry.url).path, why(entry)) for entry in chain_store.entries(session)]
    assert kept == [
        (EvidenceKind.CAPTURED, "/news/1", "as sent, before it was opened in a browser; case 7"),
        (EvidenceKind.CAPTURED, "/news/1", "case 7"),
        (EvidenceKind.CAPTURED, "/download", "as sent, before it was opened in a browser; case 7"),
        (EvidenceKind.FAILED, "/download", "wrong-type; opened in a browser; case 7"),
    ]
    assert (page.entry.number, gone.entry.kind) == (2, EvidenceKind.CAPTURED)


def test_without_a_browser_what_was_sent_is_kept_and_the_entry_says_so(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with served() as (site, _), page_reader("UTC") as read_page:
        add_site(engine, site)
        capturer = Capturer(Keeper(engine, EvidenceFolder(tmp_path)), read_page, ONLY_THE_SITE)

        page = capturer.capture_page(f"{site.url}/news/1", why="case 7")

    assert isinstance(page.outcome, Refusal)
    assert why(page.entry).startswith("not opened in a browser: ")
    assert why(page.entry).endswith("; case 7")


@needs_browser
def test_a_person_who_tries_a_page_sees_what_a_crawl_sees(
    engine: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    environment = {
        "DATABASE_URL": clean_database_url,
        "ZHIWEN_HOME": str(tmp_path / "home"),
        "ZHIWEN_ALLOWED_NETWORKS": str(ONLY_THE_SITE[0]),
    }
    settings = Settings(tmp_path, allowed_networks=ONLY_THE_SITE)
    with served() as (site, _):
        add = ["site", "add", site.url, "--name", "江城日报", "--yes"]
        added = CliRunner().invoke(zhiwen, add, env=environment)
        tried = CliRunner().invoke(zhiwen, ["site", "try", "江城日报", f"{site.url}/news/1"], env=environment)
        seen = preview_page(settings, f"{site.url}/news/1", None, "UTC", in_browser=True)

    assert (added.exit_code, tried.exit_code) == (0, 0), added.output + tried.output
    assert "article: 渡口札记之1" in added.output
    assert "the crawl will use a browser" in added.output
    assert "渡口札记之1" in tried.output
    assert isinstance(seen, PagePreview)
    assert seen.title == "渡口札记之1"
    with transaction(engine) as session:
        assert sites.get_site(session, "江城日报").settings.browser


@needs_browser
def test_a_page_that_never_ends_is_given_up(engine: Engine, clean_database_url: str) -> None:
    with served() as (site, _):
        add_site(engine, site, start="/busy")

        run = crawl_with(clean_database_url, "ZHIWEN_BROWSER_LOAD_S=3")

    assert (run.exit_reason, reasons(run)) == ("finished", {"/busy": "timeout"})


def test_where_no_browser_is_the_way_out_is_reported(
    engine: Engine, clean_database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    environment = {"DATABASE_URL": clean_database_url, "ZHIWEN_HOME": str(tmp_path)}
    with served() as (site, _):
        add_site(engine, site)
        tried = CliRunner().invoke(zhiwen, ["site", "try", "江城日报", f"{site.url}/news/1"], env=environment)

        with pytest.raises(BrowserMissing, match=r"no Chromium is installed.*--no-browser"):
            crawl(clean_database_url)

    with transaction(engine) as session:
        assert runs.list_runs(session) == []
    assert tried.exit_code == 1
    assert "no Chromium is installed" in tried.output


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    # An installation without the extra: nothing but the standard library, and our own sources.
    root = Path(availability.__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-I", "-S", "-c",
         f"import sys; sys.path.insert(0, {str(root)!r}); from crawler.browser.availability import what_is_missing;"
         " print(what_is_missing())"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert "pip install 'zhiwen[browser]'" in found.stdout
