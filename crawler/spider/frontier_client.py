"""The frontier of one site, as its run uses it. Every call but `settle` is one transaction and blocks: call it from a
thread.

The functions below the class are for `SiteFrontier.do`: each takes a session and the site's id first.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

from crawler.outcomes.errors import SiteBusy
from crawler.outcomes.refusals import Refusal
from crawler.spider import revisit_policy
from crawler.spider.crawl_store import CrawlStore
from crawler.spider.decisions.model import Alias, Follow, Gone, Unchanged
from crawler.spider.visit_writer import VisitWriter
from crawler.urls.canonical import identity_of
from storage.crawl import frontier, runs
from storage.crawl.site_lock import SiteLock
from storage.pages import pages, saving
from storage.postgres.retry import retry_while_unavailable
from storage.records.crawl import Claim, FoundUrl, Visit
from storage.takedowns import page_presence

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

P = ParamSpec("P")
T = TypeVar("T")

TRAP_FOR: Final = timedelta(days=30)


class SiteFrontier:
    def __init__(self, store: CrawlStore, writer: VisitWriter, site_id: int, *, run_id: int) -> None:
        self._store = store
        self._writer = writer
        self._site_id = site_id
        self._run_id = run_id
        self._lock = SiteLock(store.engine, site_id)

    def do(self, work: "Callable[Concatenate[Session, int, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a function that takes a session and a site's id, in a transaction, for this site."""
        return self._store.do(work, self._site_id, *args, **kwargs)

    async def settle(self, work: "Callable[Concatenate[Session, int, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """The same, in a transaction with what else the crawl has to write at this time."""
        return await self._writer.do(lambda session: work(session, self._site_id, *args, **kwargs))

    def open(self, entries: Sequence[FoundUrl], *, revisit_all: bool) -> None:
        """Takes the site's lock, and makes its frontier ready. Raises SiteBusy if another crawl holds the lock."""
        self._hold()
        # A run that held the lock before and has no end recorded is dead.
        self.do(runs.close_lost_of_site, but=self._run_id)
        self.do(frontier.open_frontier, entries, revisit=revisit_all)
        self.do(_adopt_pages)

    def close(self) -> None:
        self._lock.release()

    def claim(self, limit: int) -> list[Claim]:
        """Up to `limit` addresses that are due. Raises SiteBusy if the lock was lost to another crawl."""
        self._hold()
        return self.do(frontier.claim, run_id=self._run_id, limit=limit)

    def claim_one(self, found: FoundUrl) -> Claim | None:
        """Claims one address, added if unknown; None if a crawl has visited it or is visiting it."""
        return self.do(frontier.claim_one, found, run_id=self._run_id)

    def move(self, claim: Claim, target: str, at: datetime) -> Claim | None:
        """The address leads to `target`: claims that instead; None if a crawl has visited it or is visiting it."""
        return self.do(_move, claim, target, at=at, run_id=self._run_id)

    def _hold(self) -> None:
        if not retry_while_unavailable(self._lock.hold, stop=self._store.stopping):
            raise SiteBusy


def _adopt_pages(session: "Session", site_id: int) -> None:
    """Adds stored pages that the frontier does not know, such as imported ones."""
    for some in frontier.unadopted_pages(session, site_id):
        found = [(FoundUrl(url, identity_of(url)), etag, modified) for url, etag, modified in some]
        frontier.adopt(session, site_id, found)


def _move(session: "Session", site_id: int, claim: Claim, target: str, *, at: datetime, run_id: int) -> Claim | None:
    frontier.settle(session, revisit_policy.leads_elsewhere(claim, at=at))
    found = FoundUrl(
        target,
        identity_of(target),
        claim.kind,
        found_by=claim.found_by,
        declared=claim.declared,
        link_depth=claim.link_depth,
    )
    return frontier.claim_one(session, site_id, found, run_id=run_id)


def settle(session: "Session", site_id: int, visit: Visit, found: Iterable[FoundUrl] = ()) -> None:
    """Records the outcome of a visit, and adds the addresses that it led to."""
    frontier.add_urls(session, site_id, found)
    frontier.settle(session, visit)


def follow(session: "Session", site_id: int, decision: Follow, *, news: int) -> None:
    """Records the visit of a list; it has news if it holds addresses that are new, or `news` were before.

    If a list that was visited before has news, more may stand on the page on which it continues: that becomes due.
    """
    claim = decision.claim
    new = news + frontier.add_urls(session, site_id, decision.found)
    visit = revisit_policy.read(claim, decision.answer, kind=decision.kind, changed=new > 0, refusal=decision.refusal)
    frontier.settle(session, visit)
    if new and decision.next_list is not None and claim.visited_at is not None:
        frontier.make_due(session, site_id, identity_of(decision.next_list))


def unchanged(session: "Session", _site_id: int, decision: Unchanged) -> bool:
    """Records that the page has not changed. Returns whether it was gone before."""
    claim, now = decision.claim, datetime.now(UTC)
    saving.touch(session, claim.url, now)
    frontier.settle(session, revisit_policy.unchanged(claim, at=now))
    return page_presence.record_seen(session, claim.url, now)


def gone(session: "Session", _site_id: int, decision: Gone) -> bool:
    """Records that the page is gone. Returns whether that is news: an article is stored, and was there until now."""
    claim, now = decision.claim, datetime.now(UTC)
    frontier.settle(session, revisit_policy.refused(claim, Refusal.GONE, at=now))
    return page_presence.record_gone(session, claim.url, now, reason=decision.reason)


def alias(session: "Session", site_id: int, decision: Alias) -> None:
    """Records that the article is stored under another address."""
    settle(session, site_id, revisit_policy.leads_elsewhere(decision.claim, at=datetime.now(UTC)), decision.found)


def text_at(session: "Session", _site_id: int, url: str) -> str | None:
    """The current text of the article stored under an address."""
    page = pages.get_page(session, url)
    return None if page is None else pages.text_body(session, page.text_id)


def remember_trap(session: "Session", site_id: int, shape: str) -> None:
    frontier.remember_trap(session, site_id, shape, until=datetime.now(UTC) + TRAP_FOR)
