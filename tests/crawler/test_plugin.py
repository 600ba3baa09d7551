"""The pipeline in a Scrapy project that is not ours, run as its owner would run it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.engine import make_engine, transaction
from storage.pages import pages
from storage.records.pages import PageRecord
from storage.types import DateOrigin, FoundBy
from tests.fake_web import served
from tests.support.factories import a_site

SPIDER = """
import dataclasses
import datetime
import scrapy


@dataclasses.dataclass
class Note:
    address: str
    content: str
    date: datetime.datetime


class NewsItem(scrapy.Item):
    url = scrapy.Field()
    html = scrapy.Field()
    title = scrapy.Field()


class NewsSpider(scrapy.Spider):
    name = "news"

    def __init__(self, base, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [f"{base}/news/1", f"{base}/news/2", f"{base}/hostile"]

    def parse(self, response):
        text = "\\n".join(response.css("article p::text").getall())
        date = datetime.datetime(2026, 3, 2, 8, 30)
        if response.url.endswith("1"):
            yield {"url": response.url, "text": text, "title": "甲", "published_at": date}
            yield {"url": response.url + "?short", "text": "短"}
            yield {"price": 3}
        elif response.url.endswith("2"):
            yield NewsItem(url=response.url, html=response.body)
        else:
            yield Note(address=response.url, content="渡口的清晨" * 40, date=date)
"""
OWN_PIPELINE = """
class Counting:
    seen = []

    def process_item(self, item):
        self.seen.append(type(item).__name__)
        return item

    def close_spider(self):
        print("SEEN", sorted(self.seen))
"""


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """As `scrapy startproject` lays it out."""
    (tmp_path / "news" / "spiders").mkdir(parents=True)
    for package in ("news", "news/spiders"):
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = news.settings\n")
    (tmp_path / "news" / "spiders" / "news.py").write_text(SPIDER, encoding="utf-8")
    (tmp_path / "news" / "pipelines.py").write_text(OWN_PIPELINE, encoding="utf-8")
    return tmp_path


def crawl(project: Path, web: str, *settings: str) -> str:
    """Everything that the run says, on both streams."""
    own = ['BOT_NAME = "news"', 'SPIDER_MODULES = ["news.spiders"]', "TELNETCONSOLE_ENABLED = False"]
    (project / "news" / "settings.py").write_text("\n".join([*own, *settings]) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", "news", "-a", f"base={web}"],
        cwd=project, env=os.environ | {"SCRAPY_SETTINGS_MODULE": "news.settings"}, capture_output=True, text=True,
        check=False, timeout=600,
    )  # fmt: skip
    return done.stdout + done.stderr


def stored(url: str) -> dict[str, PageRecord]:
    engine = make_engine(url)
    with transaction(engine) as session:
        found = {page.url: page for page in pages.list_pages(session)}
    engine.dispose()
    return found


def three_lines(url: str) -> tuple[str, ...]:
    return (
        'ITEM_PIPELINES = {"crawler.plugin.ZhiwenPipeline": 800}',
        f'DATABASE_URL = "{url.replace("postgresql+psycopg2", "postgresql")}"',
        'ZHIWEN_SITE = "mine"',
    )


def test_three_lines_of_settings_store_a_project_s_articles(project: Path, web: str, clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        a_site(session, "mine")
    engine.dispose()

    said = crawl(project, web, *three_lines(clean_database_url))

    found = stored(clean_database_url)
    assert set(found) == {f"{web}/news/1", f"{web}/news/2"}, said
    one, two = found[f"{web}/news/1"], found[f"{web}/news/2"]
    assert (one.title, one.site_name, one.found_by) == ("甲", "mine", FoundBy.SPIDER)
    assert (one.declared.origin, two.title) == (DateOrigin.IMPORT, "渡口札记之2")
    for line in ("'zhiwen/new': 2", "'zhiwen/refused/too-short': 1", "'zhiwen/passed': 2", "'item_scraped_count': 5"):
        assert line in said

    assert "'zhiwen/unchanged': 2" in crawl(project, web, *three_lines(clean_database_url))


def test_fields_of_other_names_and_other_pipelines(project: Path, web: str, clean_database_url: str) -> None:
    pipelines = '{"crawler.plugin.ZhiwenPipeline": 100, "news.pipelines.Counting": 200}'

    said = crawl(
        project, web, f"ITEM_PIPELINES = {pipelines}", three_lines(clean_database_url)[1],
        'ZHIWEN_FIELDS = {"url": "address", "text": "content", "published_at": "date"}',
    )  # fmt: skip

    assert set(stored(clean_database_url)) == {f"{web}/hostile"}
    assert "SEEN ['NewsItem', 'Note', 'dict', 'dict', 'dict']" in said


def test_without_a_database_the_project_gets_an_error_and_goes_on(project: Path, web: str) -> None:
    said = crawl(project, web, 'ITEM_PIPELINES = {"crawler.plugin.ZhiwenPipeline": 800}')

    assert "Set DATABASE_URL to a Postgres, or ZHIWEN_HOME" in said
    assert "'item_scraped_count': 5" in said


def test_a_site_that_does_not_exist_is_named(project: Path, web: str, clean_database_url: str) -> None:
    said = crawl(project, web, *three_lines(clean_database_url))

    assert "There is no site 'mine'" in said
    assert stored(clean_database_url) == {}
