"""The frontier of one site, as its run sees it. Every method is one transaction and blocks: call it from a thread."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from crawler.outcomes.errors import SiteBusy
from crawler.outcomes.refusals import Refusal
from crawler.spider import revisit_policy
from crawler.spider.crawl_store import CrawlStore, VisitedArticle
from crawler.urls.canonical import identity_of
from storage.crawl import frontier, host_rate_limit, politeness, runs, site_profile
from storage.crawl.site_lock import SiteLock
from storage.pages import pages, saving
from storage.postgres.retry import patiently
from storage.records.crawl import Claim, FoundUrl, KnownUrl, Learned, Manners, UrlKind, Visit
from storage.records.sites import SiteRecord
from storage.takedowns import page_presence

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

TRAP_FOR: Final = timedelta(days=30)
TRAPS_REMEMBERED: Final = 1_000
LISTS_LOOKED_AT: Final = 1_000
"""For a pattern by which today's list is found."""


class SiteFrontier:
    """What a run asks of its site's frontier, and tells it."""

    def __init__(self, store: CrawlStore, site: SiteRecord, *, run_id: int) -> None:
        self._store = store
        self._site_id = site.id
        self._run_id = run_id
        self._lock = SiteLock(store.engine, site.id)

    def open(self, entries: Sequence[FoundUrl], *, revisit_all: bool) -> None:
        """Takes the site's lock, and makes its frontier ready. Raises SiteBusy where another crawl has it."""
        self._hold()
        # Whoever had the lock before and left no end is dead.
        self._store.do(lambda session: runs.close_lost_of_site(session, self._site_id, but=self._run_id))
        self._store.do(lambda session: frontier.open_frontier(session, self._site_id, entries, revisit=revisit_all))
        self._store.do(self._adopt_pages)

    def close(self) -> None:
        self._lock.release()

    def manners(self) -> Manners:
        return self._store.do(lambda session: politeness.get_manners(session, self._site_id))

    def learned(self) -> Learned:
        return self._store.do(lambda session: site_profile.get_learned(session, self._site_id))

    def remember(self, learned: Learned) -> None:
        self._store.do(
            lambda session: site_profile.set_learned(
                session, self._site_id, marks=learned.marks, list_shapes=learned.list_shapes
            )
        )

    def lists(self) -> list[str]:
        return self._store.do(lambda session: frontier.lists(session, self._site_id, limit=LISTS_LOOKED_AT))

    def traps(self) -> list[str]:
        return self._store.do(lambda session: frontier.traps(session, self._site_id, limit=TRAPS_REMEMBERED))

    def claim(self, limit: int) -> list[Claim]:
        """Up to `limit` addresses that are due. Raises SiteBusy where the lock was lost to another crawl."""
        self._hold()
        return self._store.do(lambda session: frontier.claim(session, self._site_id, run_id=self._run_id, limit=limit))

    def next_due(self) -> datetime | None:
        return self._store.do(lambda session: frontier.next_due(session, self._site_id))

    def due_urls(self, limit: int) -> list[str]:
        return self._store.do(lambda session: frontier.due_urls(session, self._site_id, limit=limit))

    def known(self, url: str) -> KnownUrl | None:
        return self._store.do(lambda session: frontier.known(session, self._site_id, identity_of(url)))

    def add(self, found: Sequence[FoundUrl]) -> int:
        """Adds addresses. Returns how many were not known."""
        return self._store.do(lambda session: frontier.add_urls(session, self._site_id, found))

    def add_entry(self, found: FoundUrl, *, since: datetime) -> None:
        self._store.do(lambda session: frontier.add_entry(session, self._site_id, found, since=since))

    def settle(self, visit: Visit, found: Sequence[FoundUrl] = ()) -> None:
        """Remembers what came of a visit, and adds the addresses that it led to."""

        def work(session: "Session") -> None:
            frontier.add_urls(session, self._site_id, found)
            frontier.settle(session, visit)

        self._store.do(work)

    def list_read(
        self,
        claim: Claim,
        answer: revisit_policy.Answer,
        found: Sequence[FoundUrl],
        *,
        kind: UrlKind,
        refusal: Refusal | None = None,
        news: int = 0,
        next_list: str | None = None,
    ) -> None:
        """A list, feed or sitemap was read. It has news if it held addresses that are new, or `news` were before.

        Where one that was seen before has news, more may stand on the page on which it goes on.
        """

        def work(session: "Session") -> None:
            new = news + frontier.add_urls(session, self._site_id, found)
            frontier.settle(session, revisit_policy.read(claim, answer, kind=kind, changed=new > 0, refusal=refusal))
            if new and next_list is not None and claim.visited_at is not None:
                frontier.make_due(session, self._site_id, identity_of(next_list))

        self._store.do(work)

    def unchanged(self, claim: Claim, at: datetime) -> bool:
        """The server said that nothing changed. Returns whether the page had been gone."""

        def work(session: "Session") -> bool:
            saving.touch(session, claim.url, at)
            frontier.settle(session, revisit_policy.unchanged(claim, at=at))
            return page_presence.record_seen(session, claim.url, at)

        return self._store.do(work)

    def gone(self, claim: Claim, at: datetime, *, reason: str) -> bool:
        """Nothing stands there any more. Returns whether that is news: an article was stored, and was there so far."""

        def work(session: "Session") -> bool:
            frontier.settle(session, revisit_policy.refused(claim, Refusal.GONE, at=at))
            return page_presence.record_gone(session, claim.url, at, reason=reason)

        return self._store.do(work)

    def text_at(self, url: str) -> str | None:
        """The text of the article stored under an address, as it is now."""

        def work(session: "Session") -> str | None:
            page = pages.get_page(session, url)
            return None if page is None else pages.text_body(session, page.text_id)

        return self._store.do(work)

    def moved(self, claim: Claim, target: str, at: datetime) -> Claim | None:
        """The address leads to `target`: this run's from now on, or None where a crawl has been there or goes there."""

        def work(session: "Session") -> Claim | None:
            frontier.settle(session, revisit_policy.leads_elsewhere(claim, at=at))
            return frontier.claim_one(session, self._site_id, self._as_claim(claim, target), run_id=self._run_id)

        return self._store.do(work)

    def is_twin(self, item: VisitedArticle, at: datetime) -> None:
        """The article is kept under another address; this one is an alias of it."""

        def work(session: "Session") -> None:
            frontier.add_urls(session, self._site_id, item.found)
            frontier.settle(session, revisit_policy.leads_elsewhere(item.claim, at=at))

        self._store.do(work)

    def claim_one(self, found: FoundUrl) -> Claim | None:
        return self._store.do(lambda session: frontier.claim_one(session, self._site_id, found, run_id=self._run_id))

    def free(self, claim: Claim) -> None:
        self._store.do(lambda session: frontier.free(session, claim.id))

    def renew(self, claim: Claim) -> None:
        self._store.do(lambda session: frontier.renew(session, claim.id))

    def remember_trap(self, shape: str, at: datetime) -> None:
        self._store.do(lambda session: frontier.remember_trap(session, self._site_id, shape, until=at + TRAP_FOR))

    def take_turn(self, host: str, delay_s: float) -> float:
        """Seconds until one request may go to the host."""
        return self._store.do(lambda session: host_rate_limit.take_turn(session, host, delay_s=delay_s))

    def hold_host(self, host: str, seconds: Callable[[int], float]) -> float:
        """Leaves a host alone for as long as `seconds` says of how often in a row it asked for that."""

        def work(session: "Session") -> float:
            wait_s = seconds(host_rate_limit.count_refusal(session, host))
            host_rate_limit.hold_off(session, host, until=datetime.now(UTC) + timedelta(seconds=wait_s))
            return wait_s

        return self._store.do(work)

    def host_answers(self, host: str) -> None:
        self._store.do(lambda session: host_rate_limit.answers_again(session, host))

    def _hold(self) -> None:
        if not patiently(self._lock.hold, stop=self._store.stopping):
            raise SiteBusy

    def _adopt_pages(self, session: "Session") -> None:
        for part in frontier.unadopted_pages(session, self._site_id):
            found = [(FoundUrl(url, identity_of(url)), etag, modified) for url, etag, modified in part]
            frontier.adopt(session, self._site_id, found)

    @staticmethod
    def _as_claim(claim: Claim, target: str) -> FoundUrl:
        return FoundUrl(
            target,
            identity_of(target),
            claim.kind,
            found_by=claim.found_by,
            declared=claim.declared,
            link_depth=claim.link_depth,
        )
