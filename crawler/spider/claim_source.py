"""Claims for the spider: what is due on the frontier, within the run's budget, window and free disk space."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from scrapy.exceptions import CloseSpider
from scrapy.utils.asyncio import run_in_thread

from crawler.network.pace import is_open
from crawler.outcomes.refusals import Refusal
from crawler.processes.disk_space import DiskSpace
from storage.crawl import frontier
from storage.records.crawl import Claim

if TYPE_CHECKING:
    from crawler.spider.site_crawl import SiteCrawl

OUTSIDE_WINDOW: Final = "outside-window"
WAITS_FOR_ROOM: Final = "waits/room"
LEFT_OVER_SHOWN: Final = 1_000


class ClaimSource:
    def __init__(self, crawl: "SiteCrawl", room: DiskSpace) -> None:
        self._crawl = crawl
        self._room = room

    async def next_claims(self) -> list[Claim] | None:
        """The next claims to visit; none if there is no room, None if the run is over. Raises CloseSpider, SiteBusy."""
        state, in_flight, now = self._crawl.state, self._crawl.in_flight, datetime.now(UTC)
        if not is_open(state.politeness.window_start, state.politeness.window_end, now=now, zone=state.zone):
            raise CloseSpider(OUTSIDE_WINDOW)
        if state.budget.is_spent:
            if in_flight:
                return []
            await self._count_left_over()
            return None
        if self.has_no_room():
            return []
        limit = min(in_flight.room, state.budget.pages_left)
        # Read before claiming: what lands meanwhile may add addresses that this claim does not see.
        was_idle = not in_flight
        claims = await run_in_thread(self._crawl.frontier.claim, limit) if limit > 0 else []
        state.budget.took(claims)
        is_over = was_idle and not claims and state.retry_at <= now
        return None if is_over else claims

    def has_no_room(self) -> bool:
        """Whether to wait for disk space; counted each time that a wait begins."""
        waited = self._room.was_short
        is_short = self._room.is_short()
        if is_short:
            self._crawl.progress.note()  # waiting for disk space is not a stall
        if is_short and not waited:
            self._crawl.state.count(WAITS_FOR_ROOM)
        return is_short

    async def _count_left_over(self) -> None:
        for url in await run_in_thread(self._crawl.frontier.do, frontier.due_urls, limit=LEFT_OVER_SHOWN):
            self._crawl.state.refusals.add(Refusal.BUDGET, url)
