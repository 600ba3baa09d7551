"""What a crawl asks of the store. Every method is one transaction and blocks: call it from a thread.

While the database is away a method waits, and with it the crawl; it gives up where the crawl is to stop.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeVar

from crawler.extraction.site_knowledge import differs_in_repeats_alone
from crawler.outcomes.errors import NoEvidence
from crawler.spider import revisit_policy
from storage.analytics import detection_latency
from storage.crawl import frontier, logs, runs
from storage.engine import make_engine, transaction
from storage.errors import NotKnown
from storage.monitoring import site_alarms
from storage.pages import pages, saving
from storage.postgres.retry import patiently
from storage.records.crawl import Claim, FoundUrl, UrlKind
from storage.records.crawl_runs import RunRecord
from storage.records.pages import FingerprintedArticle, SavedPage
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.takedowns import page_presence

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from crawler.warc.writer import RawResponse

DATABASE_URL_SETTING: Final = "DATABASE_URL"
PARTS_REST: Final = timedelta(days=120)
"""Later parts are visited with their first page, at least once in 90 days, and not by themselves."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WitnessedArticle(FingerprintedArticle):
    """An article together with what its pages answered, in their order: address and response, one at the least.

    There is no such article without: it raises NoEvidence.
    """

    responses: "tuple[tuple[str, RawResponse], ...]"

    def __post_init__(self) -> None:
        if not self.responses:
            raise NoEvidence(self.article.url)


@dataclass(frozen=True, slots=True)
class VisitedArticle(WitnessedArticle):
    """An article with the claim that it came of and the addresses that its page led to: kept together or not at all."""

    claim: Claim
    found: tuple[FoundUrl, ...]
    whole: str | None = None
    """The text with the blocks that stand elsewhere on the site, where it is another one."""
    later_parts: tuple[FoundUrl, ...] = ()
    """The addresses of the pages on which it goes on: no articles of their own."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of an article."""

    page: SavedPage
    was_gone: bool

    @property
    def news(self) -> str:
        if self.page.is_new_page:
            return "new"
        return "changed" if self.page.is_new_version else "unchanged"


CONNECTIONS: Final = 8
"""Kept open once they were needed. Six threads use them on two cores; who finds none free opens another and closes
it again, page by page."""


class CrawlStore:
    """The store, as crawls see it. `stopping` set, nothing waits for a database any more."""

    def __init__(
        self, database_url: str, *, pool_size: int = CONNECTIONS, stopping: threading.Event | None = None
    ) -> None:
        self.engine = make_engine(database_url, pool_size=pool_size)
        self.stopping = stopping or threading.Event()

    def close(self) -> None:
        self.engine.dispose()

    def do(self, work: "Callable[[Session], T]") -> T:
        """The result of `work`, in a transaction of its own, once the database is there."""

        def whole() -> T:
            with transaction(self.engine) as session:
                return work(session)

        return patiently(whole, stop=self.stopping)

    def site(self, name: str) -> SiteRecord:
        """Raises storage.errors.NotKnown."""
        return self.do(lambda session: sites.get_site(session, name))

    def save(self, item: FingerprintedArticle) -> Kept:
        """Stores the article; one of a crawl with all that its visit brought."""
        return self.do(lambda session: _save(session, item))

    def start_run(self, site_id: int, *, trigger: str) -> int:
        return self.do(lambda session: runs.start_run(session, site_id, trigger=trigger))

    def run(self, run_id: int) -> RunRecord:
        found = self.do(lambda session: runs.get_run(session, run_id))
        if found is None:
            raise NotKnown("run", str(run_id), "Its site was removed while it was crawled.")
        return found

    def record_run(self, run_id: int, counters: Mapping[str, int], samples: Mapping[str, Sequence[str]]) -> None:
        def record(session: "Session") -> None:
            runs.record_run(session, run_id, counters=counters, refusal_samples=samples)
            site_alarms.judge_run(session, run_id, counters)

        self.do(record)

    def keep_log(self, run_id: int, text: str, *, bytes_left_out: int, most_memory: int) -> None:
        """Raises StorageError at once where the database is away: a log is no reason to wait."""

        def keep() -> None:
            with transaction(self.engine) as session:
                logs.keep(session, run_id, text, bytes_left_out=bytes_left_out, most_memory=most_memory)

        patiently(keep, stop=self.stopping, longest_s=0.0)

    def finish_run(
        self, run_id: int, counters: Mapping[str, int], samples: Mapping[str, Sequence[str]], *, exit_reason: str
    ) -> None:
        def finish(session: "Session") -> None:
            runs.finish_run(session, run_id, exit_reason=exit_reason, counters=counters, refusal_samples=samples)
            site_alarms.judge_run(session, run_id, counters)

        self.do(finish)


def _save(session: "Session", item: FingerprintedArticle) -> Kept:
    article = item.article
    was_gone = page_presence.record_seen(session, article.url, article.fetched_at)
    saved = saving.save_pages(session, [_as_stored(session, item)])[0]
    if isinstance(item, VisitedArticle):
        if saved.is_new_page:
            detection_latency.note_appearance(session, saved.page_id, item.claim.declared, article.fetched_at)
        assert article.site_id is not None  # noqa: S101  # a crawl's articles are of its site
        frontier.add_urls(session, article.site_id, item.found)
        frontier.absorb(session, article.site_id, item.later_parts, until=article.fetched_at + PARTS_REST)
        for part in item.later_parts:
            page_presence.record_gone(session, part.url, article.fetched_at, reason=f"is a part of {article.url}")
        # What the first page answers says nothing of the others.
        stated = (None, None) if item.later_parts else (article.etag, article.last_modified)
        answer = revisit_policy.Answer(article.url, article.fetched_at, *stated)
        visit = revisit_policy.read(item.claim, answer, kind=UrlKind.ARTICLE, changed=saved.is_new_version)
        frontier.settle(session, visit)
    return Kept(saved, was_gone)


def _as_stored(session: "Session", item: FingerprintedArticle) -> FingerprintedArticle:
    """The article; with the text that is stored, where the page is the same and more is known of its site."""
    if not isinstance(item, VisitedArticle) or item.whole is None:
        return item
    page = pages.get_page(session, item.article.url)
    stored = None if page is None else pages.text_body(session, page.text_id)
    if stored is None or not differs_in_repeats_alone(stored, item.article.text, item.whole):
        return item
    return FingerprintedArticle(replace(item.article, text=stored), item.fingerprint)
