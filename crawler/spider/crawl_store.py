"""The store, as crawls use it. Every call is one transaction and blocks: call it from a thread.

While the database is away a call waits, and with it the crawl; it gives up if the crawl is to stop.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

from crawler.extraction.site_knowledge import differs_in_repeats_alone
from crawler.outcomes.errors import NoEvidence
from crawler.spider import revisit_policy
from storage.analytics import detection_latency
from storage.crawl import frontier
from storage.crawl.visits import settle_all
from storage.engine import make_engine, transaction
from storage.pages import pages, saving
from storage.postgres.retry import LONGEST_OUTAGE_S, retry_while_unavailable
from storage.records.crawl import Claim, FoundUrl, UrlKind, Visit
from storage.records.pages import FingerprintedArticle, SavedPage
from storage.takedowns import page_presence

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from crawler.warc.writer import RawResponse

DATABASE_URL_SETTING: Final = "DATABASE_URL"
PARTS_REST: Final = timedelta(days=120)
"""Later parts are visited with their first page, at least every 90 days, and not by themselves."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WitnessedArticle(FingerprintedArticle):
    """An article with the responses of its pages, in their order: address and response, one at least.

    Raises NoEvidence without a response.
    """

    responses: "tuple[tuple[str, RawResponse], ...]"

    def __post_init__(self) -> None:
        if not self.responses:
            raise NoEvidence(self.article.url)


@dataclass(frozen=True, slots=True)
class VisitedArticle(WitnessedArticle):
    """An article with its claim and the addresses found on its page: all are stored in one transaction."""

    claim: Claim
    found: tuple[FoundUrl, ...]
    whole: str | None = None
    """The text with the blocks that repeat across the site; None if there are none."""
    later_parts: tuple[FoundUrl, ...] = ()
    """The addresses of its further pages, which are no articles of their own."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The result of storing an article."""

    page: SavedPage
    was_gone: bool

    @property
    def news(self) -> str:
        if self.page.is_new_page:
            return "new"
        return "changed" if self.page.is_new_version else "unchanged"


CONNECTIONS: Final = 8
"""Connections kept open. On two cores six threads use them; a thread that finds none free opens one for a page."""


class CrawlStore:
    """Runs transactions. Once `stopping` is set, no call waits for a database any more."""

    def __init__(
        self, database_url: str, *, pool_size: int = CONNECTIONS, stopping: threading.Event | None = None
    ) -> None:
        self.engine = make_engine(database_url, pool_size=pool_size)
        self.stopping = stopping or threading.Event()

    def close(self) -> None:
        self.engine.dispose()

    def do(self, work: "Callable[Concatenate[Session, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work`, called with a session in a transaction of its own, once the database is there."""
        return self._do(LONGEST_OUTAGE_S, work, *args, **kwargs)

    def try_once(self, work: "Callable[Concatenate[Session, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """As `do`, but raises StorageError at once if the database is away."""
        return self._do(0.0, work, *args, **kwargs)

    def _do(
        self, longest_s: float, work: "Callable[Concatenate[Session, P], T]", *args: P.args, **kwargs: P.kwargs
    ) -> T:
        def whole() -> T:
            with transaction(self.engine) as session:
                return work(session, *args, **kwargs)

        return retry_while_unavailable(whole, stop=self.stopping, longest_s=longest_s)


def save_all(session: "Session", items: Sequence[FingerprintedArticle]) -> list[Kept]:
    """Stores articles; for those of a crawl, also the outcomes of their visits. A result for each, in order.

    Articles of one address are stored one after the other.
    """
    kept: dict[int, Kept] = {}
    for some in each_once(items, lambda item: item.article.url):
        back = page_presence.record_all_seen(session, {item.article.url: item.article.fetched_at for item in some})
        saved = saving.save_pages(session, _as_stored(session, some))
        kept |= {id(item): Kept(page, item.article.url in back) for item, page in zip(some, saved, strict=True)}
    visited = [item for item in items if isinstance(item, VisitedArticle)]
    _save_found(session, visited)
    settle_all(session, [_visit(session, item, kept[id(item)].page) for item in visited])
    return [kept[id(item)] for item in items]


def _save_found(session: "Session", items: Sequence[VisitedArticle]) -> None:
    """Adds the addresses found on the pages; those that several of them hold page by page."""
    found = [(item.article.site_id, url) for item in items for url in item.found]
    for some in each_once(found, lambda one: (one[0], one[1].identity)):
        by_site: dict[int | None, list[FoundUrl]] = {}
        for site_id, url in some:
            by_site.setdefault(site_id, []).append(url)
        for site_id, urls in by_site.items():
            assert site_id is not None  # noqa: S101  # a crawl's articles are of its site
            frontier.add_urls(session, site_id, urls)


def _visit(session: "Session", item: VisitedArticle, saved: SavedPage) -> Visit:
    """The outcome of the visit. Stores what its page says of others: when it was published, and its further parts."""
    article = item.article
    if saved.is_new_page:
        detection_latency.note_appearance(session, saved.page_id, item.claim.declared, article.fetched_at)
    if item.later_parts:
        assert article.site_id is not None  # noqa: S101  # as above
        frontier.absorb(session, article.site_id, item.later_parts, until=article.fetched_at + PARTS_REST)
    for part in item.later_parts:
        page_presence.record_gone(session, part.url, article.fetched_at, reason=f"is a part of {article.url}")
    # The validators of the first page say nothing about the others.
    stated = (None, None) if item.later_parts else (article.etag, article.last_modified)
    answer = revisit_policy.Answer(article.url, article.fetched_at, *stated)
    return revisit_policy.read(item.claim, answer, kind=UrlKind.ARTICLE, changed=saved.is_new_version)


def _as_stored(session: "Session", items: Sequence[FingerprintedArticle]) -> list[FingerprintedArticle]:
    """The articles; with the stored text where that differs only in blocks that repeat across the site."""
    whole = {
        item.article.url: item.whole for item in items if isinstance(item, VisitedArticle) and item.whole is not None
    }
    stored = pages.current_texts(session, whole)
    return [
        _with_text(item, stored[url])
        if (url := item.article.url) in stored and differs_in_repeats_alone(stored[url], item.article.text, whole[url])
        else item
        for item in items
    ]


def _with_text(item: FingerprintedArticle, text: str) -> FingerprintedArticle:
    return FingerprintedArticle(replace(item.article, text=text), item.fingerprint)


def each_once(values: Sequence[T], key: Callable[[T], object]) -> Iterator[list[T]]:
    """The values in lists that hold no key twice; those of one key stay in their order."""
    rounds: list[dict[object, T]] = []
    for value in values:
        named = key(value)
        free = next((one for one in rounds if named not in one), None)
        if free is None:
            rounds.append(free := {})
        free[named] = value
    return map(list, (one.values() for one in rounds))
