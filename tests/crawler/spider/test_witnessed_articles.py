"""Each article is stored with the responses that it was read from, whatever happened to the pages beside it."""

import asyncio
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import Request, Response
from scrapy.utils.test import get_crawler
from sqlalchemy import Engine

from crawler.evidence.keeper import Keeper
from crawler.evidence.mismatches import mismatches
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.record_reader import KeptRecord, read_record
from crawler.evidence.text_share import found_in, is_enough, pieces_of
from crawler.network.raw_response import RAW_META, raw_of, raw_response
from crawler.outcomes.errors import NoEvidence
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from crawler.spider.crawl_store import CrawlStore, WitnessedArticle
from crawler.spider.evidence_pipeline import EvidencePipeline, NotWitnessed
from fingerprint.compute import fingerprint_text
from storage.engine import transaction
from storage.evidence import chain_store
from storage.pages import pages
from storage.records.crawl import RunRecord
from storage.records.pages import FingerprintedArticle
from tests.fake_web import become, served
from tests.flow.test_crawl import LOOPBACK, PATIENCE_S, add_site, stored
from tests.support.evidence.evidence import a_response, opened_keeper, verified
from tests.support.factories import a_site, an_article, commit, text_of


@pytest.fixture
def web() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def keeper(clean_database_url: str, tmp_path: Path) -> Iterator[Keeper]:
    with opened_keeper(clean_database_url, tmp_path) as keeper:
        yield keeper


def crawl(database_url: str, home: Path) -> RunRecord:
    return crawl_site(
        CrawlOrder(
            database_url, "江城日报", allowed_networks=LOOPBACK, home=home, answer_within_s=PATIENCE_S, trigger="test"
        )
    )


def kept_of(engine: Engine, home: Path, url: str) -> tuple[str, list[KeptRecord]]:
    """The text stored at a URL, and what was kept as the source of this very text under the same address."""
    folder = EvidenceFolder(home)
    with transaction(engine) as session:
        page = pages.get_page(session, url)
        assert page is not None
        text = pages.text_body(session, page.text_id) or ""
        entries = chain_store.entries_of_url(session, url)
    digest = hashlib.sha256(text.encode()).digest()
    files = [folder.read(entry.record or b"") for entry in entries if entry.text == digest]
    return text, [read_record(data) for data in files if data is not None]


def assert_bytes_are_its_own(engine: Engine, home: Path, url: str) -> None:
    text, records = kept_of(engine, home, url)
    assert [record.url for record in records] == [url]
    body = records[0].body.decode()
    number = re.search(r"这是第(\d+)篇", text)
    assert number is not None
    assert number[0] in body


def test_a_page_that_waited_for_its_twin_is_kept_with_its_own_bytes(
    clean_database_url: str, engine: Engine, web: str, tmp_path: Path
) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/twins",), allow=("/twins$", "/twin/", "/story-"))

    crawl(clean_database_url, tmp_path)

    # Page 32 says that it is 30, where another article stands.
    assert "/twin/32/30" in stored(clean_database_url)
    for path in stored(clean_database_url):
        assert_bytes_are_its_own(engine, tmp_path, f"{web}{path}")
    assert verified(engine, tmp_path)[1] == []


def test_an_article_whose_second_part_fails_is_kept_with_the_bytes_of_its_first(
    clean_database_url: str, engine: Engine, web: str, tmp_path: Path
) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/serial.html",), allow=("/serial",))
    become(web, "/serial_2.html", "gone")

    crawl(clean_database_url, tmp_path)

    assert list(stored(clean_database_url)) == ["/serial.html"]
    assert_bytes_are_its_own(engine, tmp_path, f"{web}/serial.html")
    assert verified(engine, tmp_path)[1] == []


def test_an_article_whose_twin_or_second_part_gives_no_response_has_its_evidence(
    clean_database_url: str, engine: Engine, web: str, tmp_path: Path
) -> None:
    start = (f"{web}/twin/33/34", f"{web}/serial.html")
    add_site(clean_database_url, web, start_urls=start, allow=("/twin/", "/story-", "/serial"))
    become(web, "/story-34", "looping")
    become(web, "/serial_2.html", "looping")

    crawl(clean_database_url, tmp_path)

    assert set(stored(clean_database_url)) == {"/twin/33/34", "/serial.html"}
    for path in stored(clean_database_url):
        assert_bytes_are_its_own(engine, tmp_path, f"{web}{path}")
    with transaction(engine) as session:
        assert list(mismatches(session, EvidenceFolder(tmp_path))) == []


def test_an_article_on_several_pages_stands_in_all_of_them_together(
    clean_database_url: str, engine: Engine, web: str, tmp_path: Path
) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/serials",), allow=("/serial",))

    crawl(clean_database_url, tmp_path)

    seen, problems = verified(engine, tmp_path)
    assert problems == []
    assert (seen.proofs.answers, seen.proofs.proved) == (3, 3)
    # Without its second page the rest does not hold half of it any more, and none of the others does alone.
    text, (first,) = kept_of(engine, tmp_path, f"{web}/serial.html")
    pieces = pieces_of(text)
    assert not is_enough(found_in(pieces, first) or 0, pieces)


def test_there_is_no_article_of_a_crawl_without_its_response() -> None:
    article = an_article("https://copier.example/1", text_of(1))
    with pytest.raises(NoEvidence, match=r"https://copier\.example/1"):
        WitnessedArticle(article, fingerprint_text(article.text), ())


def test_an_article_without_its_response_is_refused_by_name_and_counted(
    clean_database_url: str, tmp_path: Path
) -> None:
    crawler = get_crawler()
    pipeline = EvidencePipeline(crawler, CrawlStore(clean_database_url), tmp_path)
    article = an_article("https://copier.example/1", text_of(1))

    with pytest.raises(NotWitnessed):
        asyncio.run(pipeline.process_item(FingerprintedArticle(article, fingerprint_text(article.text))))

    assert crawler.stats is not None
    assert crawler.stats.get_value("zhiwen/refused/no-evidence") == 1
    pipeline.close_spider()


def test_what_another_address_answered_is_not_taken_for_this_one() -> None:
    first = Response("https://copier.example/1", body=b"one")
    request = Request("https://copier.example/1", meta={RAW_META: raw_response(first)})

    assert raw_of(Response("https://copier.example/1", request=request)) is not None
    assert raw_of(Response("https://copier.example/2", request=request)) is None
    assert raw_of(Response("https://copier.example/1", request=Request("https://copier.example/1"))) is None


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another address": ({"url": "https://copier.example/2"}, "its file of https://copier.example/2"),
    "another text": ({"body": f"<p>{text_of(2)}</p>".encode()}, "the text that was stored does not stand"),
    "an empty page": ({"body": b""}, "the text that was stored does not stand"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_evidence_that_is_not_the_page_s_is_found_and_listed(keeper: Keeper, tmp_path: Path, wrong: str) -> None:
    with transaction(keeper.engine) as session:
        site = a_site(session, "copier")
    page, other = a_response(1).url, a_response(3).url
    commit(keeper.engine, [an_article(page, text_of(1), site_id=site.id), an_article(other, text_of(3))])
    fields, expected = WRONG[wrong]
    keeper.keep_version(a_response(1, **fields), url=page, text=text_of(1))
    keeper.keep_version(a_response(3), url=other, text=text_of(3))

    _, problems = verified(keeper.engine, tmp_path)

    assert len(problems) == 1
    assert problems[0].startswith("entry 1: ")
    assert expected in problems[0]
    with transaction(keeper.engine) as session:
        (found,) = mismatches(session, keeper.folder)
    assert (found.url, found.entry) == (page, 1)

    # The new capture proves the same text.
    keeper.keep_capture(a_response(1), url=page, text=text_of(1))
    with transaction(keeper.engine) as session:
        assert list(mismatches(session, keeper.folder)) == []


def test_a_crawled_page_without_any_evidence_is_listed(keeper: Keeper) -> None:
    with transaction(keeper.engine) as session:
        site = a_site(session, "copier")
    commit(keeper.engine, [an_article(a_response(1).url, text_of(1), site_id=site.id)])

    with transaction(keeper.engine) as session:
        (found,) = mismatches(session, keeper.folder)

    assert (found.url, found.entry) == (a_response(1).url, None)


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
@pytest.mark.parametrize("markup", ["<p>{}</p>", '<script>var a = {{"b": "{}"}}</script>', "<!-- > {}", "<p>{}<"])
def test_a_text_is_found_in_its_page_in_any_encoding_and_no_other_text_is(encoding: str, markup: str) -> None:
    own, pieces = text_of(1), pieces_of(text_of(1))
    page = a_response(1, body=markup.format(own).encode(encoding), headers=())
    record = KeptRecord("response", page.url, page.head, page.body)

    assert is_enough(found_in(pieces, record) or 0, pieces)
    assert not is_enough(found_in(pieces_of(text_of(2)), record) or 0, pieces_of(text_of(2)))
