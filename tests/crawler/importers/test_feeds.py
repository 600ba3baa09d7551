"""One's own articles out of a feed."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawler.fetch.fetch import Fetched
from crawler.importers.feeds import MAX_FEED_BYTES, FeedReader, feed_entries
from crawler.importers.files import read_articles
from crawler.importers.model import BadRecord, ImportedArticle, ImportProblem
from crawler.importers.records import RecordReader
from crawler.outcomes.refusals import Refusal
from storage.types import DateOrigin
from tests.fake_web.pages import article, story

NOW = datetime(2026, 11, 21, tzinfo=UTC)
WHOLE = (
    "<item><title>渡口 &amp; 桥</title><link>/1</link><pubDate>Mon, 02 Feb 2026 08:00:00 +0800</pubDate>"
    f"<content:encoded><![CDATA[{story(1)}]]></content:encoded><description>first lines</description></item>"
)
SUMMARY = f"<item><title>乙</title><link>https://mine.example/2</link><description>{story(2)}</description></item>"


def rss(*items: str) -> bytes:
    head = '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>'
    return f'<?xml version="1.0"?>{head}{"".join(items)}</channel></rss>'.encode()


def reader(fetched: Fetched | Refusal | None = None) -> FeedReader:
    records = RecordReader(NOW, "Asia/Shanghai")
    return FeedReader(records, None if fetched is None else lambda url: fetched)


def test_an_entry_with_its_whole_text_is_an_article() -> None:
    (found,) = reader().read(rss(WHOLE), name="feed", url="https://mine.example/feed.xml")

    assert isinstance(found, ImportedArticle)
    new = found.article
    assert (new.url, new.title, new.declared.origin) == ("https://mine.example/1", "渡口 & 桥", DateOrigin.FEED)
    assert new.text.count("\n") == 2
    assert "<" not in new.text


def test_atom_is_read_too() -> None:
    entry = f'<entry><title>甲</title><link href="https://mine.example/1"/><content type="html"><![CDATA[{story(1)}]]>'
    body = f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</content></entry></feed>'

    (found,) = reader().read(body.encode(), name="feed", url="https://mine.example/feed.xml")

    assert isinstance(found, ImportedArticle)


def test_a_summary_is_no_article_and_its_page_is_fetched() -> None:
    page = Fetched("https://mine.example/2", 200, {"content-type": "text/html"}, article(2).encode())

    (unfetched,) = reader().read(rss(SUMMARY), name="feed", url="https://mine.example/")
    (found,) = reader(page).read(rss(SUMMARY), name="feed", url="https://mine.example/")
    (gone,) = reader(Refusal.GONE).read(rss(SUMMARY), name="feed", url="https://mine.example/")

    assert isinstance(unfetched, ImportProblem)
    assert unfetched.refusal is Refusal.TOO_SHORT
    assert isinstance(found, ImportedArticle)
    assert (found.article.url, found.article.title) == ("https://mine.example/2", "乙")
    assert isinstance(gone, ImportProblem)
    assert gone.refusal is Refusal.GONE


def test_a_feed_file_is_imported(tmp_path: Path) -> None:
    (tmp_path / "feed.rss").write_bytes(rss(WHOLE.replace("/1<", "https://mine.example/1<")))
    (tmp_path / "page.xml").write_bytes(b"<catalog><item/></catalog>")

    found, other = read_articles([tmp_path], now=NOW)

    assert isinstance(found, ImportedArticle)
    assert found.article.url == "https://mine.example/1"
    assert isinstance(other, ImportProblem)
    assert "not an RSS or Atom feed" in str(other)


LAUGHS = "".join(f'<!ENTITY l{n} "&l{n - 1};&l{n - 1};&l{n - 1};&l{n - 1};">' for n in range(1, 30))
HOSTILE = {
    "nothing": b"",
    "no feed": b"<html><body>x</body></html>",
    "binary": bytes(range(256)) * 100,
    "too large": b" " * (MAX_FEED_BYTES + 1),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_feed_is_refused(what: str) -> None:
    with pytest.raises(BadRecord):
        list(feed_entries(HOSTILE[what], url="https://mine.example/"))


def test_a_feed_nested_without_end_has_no_entries() -> None:
    assert list(feed_entries(b"<rss>" * 100_000, url="https://mine.example/")) == []


def test_entities_reach_no_file_and_grow_without_bound_nowhere() -> None:
    kind = f'<!DOCTYPE rss [<!ENTITY l0 "哈"><!ENTITY f SYSTEM "file:///etc/passwd">{LAUGHS}]>'
    body = rss(WHOLE.replace("渡口", "&l29; &f;")).replace(b"<rss", kind.encode() + b"<rss", 1)

    try:
        titles = "".join(entry.title for entry in feed_entries(body, url="https://mine.example/"))
    except BadRecord:
        titles = ""

    assert "root:" not in titles
    assert len(titles) < 10_000


def test_an_entry_without_a_usable_address_is_passed_over() -> None:
    items = ["<item><link>javascript:alert(1)</link></item>", "<item><title>x</title></item>", WHOLE, WHOLE]

    assert [entry.url for entry in feed_entries(rss(*items), url="https://mine.example/")] == ["https://mine.example/1"]
