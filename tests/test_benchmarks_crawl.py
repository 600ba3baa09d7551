"""The generated site of the crawl benchmark."""

from datetime import UTC, datetime

from benchmarks.crawl.generated import PER_LIST, page
from crawler.extract import Article, Page, read_page

BASE = "http://generated.example"


def read(path: str, *, articles: int) -> Page:
    shown = page(path, articles=articles)
    assert shown is not None
    return read_page(
        shown.encode(),
        url=BASE + path,
        content_type="text/html; charset=utf-8",
        fetched_at=datetime(2026, 11, 21, tzinfo=UTC),
        time_zone="Asia/Shanghai",
    )


def test_its_lists_lead_to_every_article_once() -> None:
    articles = 2 * PER_LIST + 1
    path, found = "/", []
    while path:
        shown = read(path, articles=articles)
        found += [link for link in shown.links if link.startswith(f"{BASE}/a/")]
        path = (shown.next_list or "").removeprefix(BASE)

    assert found == [f"{BASE}/a/{number}" for number in range(articles)]
    assert page(f"/a/{articles}", articles=articles) is None
    assert page("/list/9", articles=articles) is None


def test_its_articles_are_read_and_differ() -> None:
    texts = set()
    for number in range(20):
        outcome = read(f"/a/{number}", articles=20).outcome
        assert isinstance(outcome, Article)
        texts.add(outcome.text)
    assert len(texts) == 20
