"""A site that does what it can to keep a crawl busy, fill its memory, or bring it down."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from crawler.run.crawl_order import SITE_VARIABLE
from crawler.run.crawl_process import crawl_process
from crawler.spider.run_settings import ANSWER_WITHIN_SETTING
from storage.crawl import runs
from storage.engine import make_engine, transaction
from tests.fake_web import served
from tests.flow.test_crawl import add_site, stored

SITE = "江城日报"
REFUSED = {
    "/loris": "timeout",
    "/silent": "timeout",
    "/headers": "broken-response",
    "/long-header": "broken-response",
    "/broken-chunks": "broken-response",
    "/less-than-said": "broken-response",
    "/more-than-said": "broken-markup",
    "/no-http": "broken-response",
    "/bomb-in-a-bomb": "too-large",
    "/bomb": "too-large",
    "/endless": "too-large",
    "/million-links": "too-large",
    "/many-links": "list-page",
    "/ever/9": "too-many-redirects",
}


@pytest.fixture
def web() -> Iterator[str]:
    with served() as base:
        yield base


def test_a_hostile_site_ends_with_its_pages_refused_by_name_and_the_others_stored(
    clean_database_url: str, web: str
) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/traps",), deny=("/m/", "/$", "/list", "/about", "/news/[34]"))
    environment = {
        "DATABASE_URL": clean_database_url,
        "ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8",
        SITE_VARIABLE: SITE,
        ANSWER_WITHIN_SETTING: "6",
    }

    with crawl_process(environment) as (child, listener):
        child.join(600)
        listener.close()
        said, _ = listener.text()
        assert child.exitcode == 0, said

    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        (run,) = runs.list_runs(session)
    engine.dispose()
    assert run.exit_reason == "finished"
    named = {urlsplit(url).path: name for name, urls in run.refusal_samples.items() for url in urls}
    assert {path: named.get(path) for path in REFUSED} == REFUSED
    assert set(stored(clean_database_url)) == {"/news/1", "/news/2"}
    assert "Traceback" not in said
