"""Crawls that join articles of several pages, obey a site's rule, and learn what its pages have in common."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.verify import verify
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from storage.engine import make_engine, transaction
from storage.records.crawl import RunRecord
from storage.sites import sites
from storage.takedowns import page_presence
from tests.fake_web import become, requests_so_far, served
from tests.fake_web.pages import CORRECTION, NOTICE
from tests.flow.test_crawl import LOOPBACK, PATIENCE_S, add_site, stored, text_of

SITE = "江城日报"


@pytest.fixture
def web() -> Iterator[str]:
    with served() as base:
        yield base


def crawl(database_url: str, *, revisit: bool = False, home: Path | None = None) -> RunRecord:
    return crawl_site(
        CrawlOrder(
            database_url,
            SITE,
            allowed_networks=LOOPBACK,
            trigger="test",
            revisit=revisit,
            home=home,
            answer_within_s=PATIENCE_S,
        )
    )


def values(database_url: str, query: str) -> list[object]:
    engine = make_engine(database_url)
    with transaction(engine) as session:
        found = list(session.scalars(text(query)))
    engine.dispose()
    return found


def test_an_article_on_three_pages_is_stored_as_one_and_follows_its_parts(
    clean_database_url: str, web: str, tmp_path: Path
) -> None:
    url = clean_database_url
    add_site(url, web, start_urls=(f"{web}/serials",), allow=("/serial",))

    crawl(url, home=tmp_path)

    first = stored(url)
    assert list(first) == ["/serial.html"]
    whole = text_of(url, first["/serial.html"])
    assert [whole.count(f"这是第{number}篇报道") for number in (51, 52, 53)] == [3, 3, 3]
    assert "一页" not in whole
    assert values(url, "SELECT lead_image FROM page_version") == [f"{web}/pictures/ferry.jpg"]
    assert sorted(map(str, values(url, "SELECT DISTINCT url FROM evidence"))) == [
        f"{web}/serial.html", f"{web}/serial_2.html", f"{web}/serial_3.html",
    ]  # fmt: skip

    # A visit of the first page is one of all its parts: the last one changed.
    become(web, "/serial_3.html", "corrected")
    again = crawl(url, revisit=True, home=tmp_path)

    second = stored(url)
    assert list(second) == ["/serial.html"]
    assert again.counters["articles/changed"] == 1
    assert CORRECTION in text_of(url, second["/serial.html"])
    assert second["/serial.html"].version_id != first["/serial.html"].version_id
    engine = make_engine(url)
    problems: list[str] = []
    with transaction(engine) as session:
        verify(session, EvidenceFolder(tmp_path), on_problem=lambda problem: problems.append(str(problem)))
    assert problems == []
    engine.dispose()


def test_a_part_that_cannot_be_had_for_now_leaves_its_article_to_a_later_visit(
    clean_database_url: str, web: str
) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/serial.html",), allow=("/serial",))
    become(web, "/serial_3.html", "failing")

    run = crawl(clean_database_url)

    assert stored(clean_database_url) == {}
    assert run.counters["refused/bad-status"] >= 1

    become(web, "/serial_3.html", "gone")
    crawl(clean_database_url, revisit=True)

    whole = text_of(clean_database_url, stored(clean_database_url)["/serial.html"])
    assert ["第51篇" in whole, "第52篇" in whole, "第53篇" in whole] == [True, True, False]


def test_a_page_that_turns_out_to_be_a_part_is_no_article_of_its_own_any_more(
    clean_database_url: str, web: str
) -> None:
    url = clean_database_url
    add_site(url, web, start_urls=(f"{web}/serial_2.html",), allow=("/serial_2",))
    become(web, "/serial_2.html", "corrected")  # without a link back it is an article like any other
    crawl(url)
    assert [page.gone_at for page in stored(url).values()] == [None]

    engine = make_engine(url)
    with transaction(engine) as session:
        site = sites.get_site(session, SITE)
        wider = replace(site.settings, start_urls=(f"{web}/serial.html",), allow=("/serial",))
        sites.edit_site(session, SITE, wider)
    crawl(url)

    found = stored(url)
    assert found["/serial.html"].gone_at is None
    assert "第53篇" in text_of(url, found["/serial.html"])
    assert found["/serial_2.html"].gone_at is not None
    with transaction(engine) as session:
        reasons = [event.reason for event in page_presence.events_of_page(session, f"{web}/serial_2.html")]
    engine.dispose()
    assert reasons == [f"is a part of {web}/serial.html"]


def test_a_site_s_own_rule_is_obeyed(clean_database_url: str, web: str) -> None:
    rule = {"content": "article > p:not(.meta)", "title": "p.meta", "remove": ["article > p:nth-of-type(2)"]}
    add_site(clean_database_url, web, start_urls=(f"{web}/many",), allow=("/many$", "/news/100$"), extraction_rule=rule)

    crawl(clean_database_url)

    page = stored(clean_database_url)["/news/100"]
    assert page.title.startswith("2026年3月")
    assert text_of(clean_database_url, page).count("这是第100篇报道") == 2


def test_what_stands_below_each_article_is_learned_and_left_out(clean_database_url: str, web: str) -> None:
    url = clean_database_url
    add_site(url, web, start_urls=(f"{web}/told",), allow=("/told",))
    crawl(url)
    first = stored(url)
    assert len(first) == 8
    assert all(NOTICE in text_of(url, page) for page in first.values())

    become(web, "/told", "longer")
    again = crawl(url, revisit=True)

    second = stored(url)
    assert sorted(set(second) - set(first)) == ["/told/308", "/told/309"]
    assert NOTICE not in text_of(url, second["/told/308"])
    # Nothing changed in the others: that more is known of the site makes no new version.
    assert "articles/changed" not in again.counters
    assert {path: page.version_id for path, page in first.items()}.items() <= {
        path: page.version_id for path, page in second.items()
    }.items()


def test_a_json_feed_in_a_head_is_found_and_read(clean_database_url: str, web: str) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/json",), allow=("/json$", "/news/61$"))

    run = crawl(clean_database_url)

    assert requests_so_far(web)["/feed.json"] == 1
    assert run.counters["feeds/read"] == 1
    assert stored(clean_database_url)["/news/61"].found_by == "feed"


def test_a_feed_that_a_page_links_to_is_read_as_one(clean_database_url: str, web: str) -> None:
    add_site(
        clean_database_url, web, start_urls=(f"{web}/linked-feed",), allow=("/linked-feed$", "/feed$", "/undated$")
    )

    run = crawl(clean_database_url)

    assert list(stored(clean_database_url)) == ["/undated"]
    assert run.counters["feeds/read"] == 1
