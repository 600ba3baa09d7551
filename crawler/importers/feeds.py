"""Articles out of an RSS or Atom feed: the entries' texts, or the pages that they name. Pure but for `fetch_page`."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from crawler.extraction.html.page_tree import blocks
from crawler.extraction.html.parsing import parse
from crawler.extraction.html.text_blocks import word_count
from crawler.importers.model import (
    DEFAULT_LIMITS,
    BadRecord,
    ImportedArticle,
    ImportOutcome,
    ImportProblem,
    explained,
)
from crawler.importers.records import RecordReader
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import joined_url
from storage.records.pages import NewArticle
from storage.types import DateOrigin

if TYPE_CHECKING:
    from crawler.fetch.fetch import Fetched

MAX_FEED_BYTES: Final = 20_000_000

PageFetcher: TypeAlias = Callable[[str], "Fetched | Refusal"]


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """`text` is empty if the feed holds a summary at most: the page has to be fetched. `published` as written."""

    url: str
    title: str
    author: str
    published: str
    text: str


def feed_entries(body: bytes, *, url: str, content_type: str = "") -> tuple[FeedEntry, ...]:
    """The entries of a feed, in its order, each address once. Raises BadRecord if it is no feed.

    It is read in a process of its own, which is killed if it takes too long.
    """
    # Late: from then on the fork server of this process loads all that reads pages.
    from crawler.extraction.reader_pool import ReaderPool  # noqa: PLC0415

    if len(body) > MAX_FEED_BYTES:
        raise BadRecord(f"larger than {MAX_FEED_BYTES:,} bytes", Refusal.TOO_LARGE)
    with contextlib.closing(ReaderPool(size=1)) as readers:
        found = readers.call(partial(_read_entries, body, url, content_type))
    if isinstance(found, Refusal):
        raise BadRecord(_WORDS.get(found) or explained(found, DEFAULT_LIMITS), found)
    return found


_WORDS: Final = {Refusal.BROKEN_MARKUP: "not an RSS or Atom feed"}


def _read_entries(body: bytes, url: str, content_type: str) -> tuple[FeedEntry, ...] | Refusal:
    """In the other process."""
    from crawler.discovery.feeds import MAX_FEED_ENTRIES, Unreadable, parsed_feed  # noqa: PLC0415  # loads feedparser

    try:
        return tuple(_entries(parsed_feed(body, content_type=content_type).entries[:MAX_FEED_ENTRIES], url))
    except Unreadable as error:
        return error.refusal


def _entries(entries: Iterable[Any], url: str) -> Iterator[FeedEntry]:
    met: set[str] = set()
    for entry in entries:
        target = joined_url(url, str(entry.get("link") or ""))
        if target and target not in met:
            met.add(target)
            yield FeedEntry(
                target,
                str(entry.get("title") or ""),
                str(entry.get("author") or ""),
                str(entry.get("published") or entry.get("updated") or ""),
                _text_of(entry.get("content") or ()),
            )


def _text_of(contents: object) -> str:
    """The longest of an entry's texts. A feed's `content` is the whole article by definition; a `summary` is not."""
    texts = [_plain(str(one.get("value") or "")) for one in contents if isinstance(one, dict)]  # type: ignore[attr-defined]  # a list
    return max(texts, key=len, default="")


def _plain(markup: str) -> str:
    root = parse(markup) if markup.strip() else None
    return "" if root is None else "\n".join(block.text for block in blocks(root) if block.text.strip())


@dataclass(frozen=True, slots=True)
class FeedReader:
    """Makes articles of a feed's entries; without `fetch_page`, of those only that hold their text."""

    records: RecordReader
    fetch_page: PageFetcher | None = None

    def read(
        self, body: bytes, *, name: str, url: str, after: int = 0, content_type: str = ""
    ) -> Iterator[ImportOutcome]:
        """`name`: the feed's name in problems; the first `after` entries are skipped. Raises BadRecord."""
        entries = feed_entries(body, url=url, content_type=content_type)
        for number, entry in enumerate(entries, start=1):
            if number <= after:
                continue
            try:
                article = self._article(entry)
            except BadRecord as error:
                yield ImportProblem(name, number, error.refusal, f"{entry.url}: {error}", entry.url, "entry")
            else:
                yield ImportedArticle(article, entry.url, None, name, number)

    def _article(self, entry: FeedEntry) -> NewArticle:
        declared = self.records.date_in(entry.published, DateOrigin.FEED)
        if word_count(entry.text) >= max(1, self.records.limits.shortest_article):
            found = self.records.of_text(entry.text)
            return self.records.new(found, entry.url, title=entry.title, author=entry.author, declared=declared)
        if self.fetch_page is None:
            raise BadRecord("the feed holds a summary at most, and its page is not fetched", Refusal.TOO_SHORT)
        fetched = self.fetch_page(entry.url)
        if isinstance(fetched, Refusal):
            raise BadRecord(f"its page could not be fetched: {fetched}", fetched)
        found = self.records.page(fetched.body, fetched.url, fetched.content_type)
        return self.records.new(found, fetched.url, title=entry.title, author=entry.author, declared=declared)
