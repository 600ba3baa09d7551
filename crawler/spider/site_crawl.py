"""The parts of one crawl of one site, which its spider, middlewares, pipelines and extension share."""

import asyncio
from typing import TYPE_CHECKING, Final

from scrapy.exceptions import NotConfigured

from crawler.network.pace import Pace
from crawler.spider.crawl_store import DATABASE_URL_SETTING, CrawlStore
from crawler.spider.frontier_client import SiteFrontier
from crawler.spider.in_flight import InFlight
from crawler.spider.link_filter import Traps, entry
from crawler.spider.run_settings import MAX_PAGES_SETTING, RUN_ID_SETTING, TRIGGER_SETTING
from crawler.spider.run_state import RunState
from crawler.spider.site_learning import Lessons
from crawler.spider.visit_writer import VisitWriter
from crawler.urls.dated_archives import current_lists
from storage.crawl import frontier, politeness, runs, site_profile
from storage.records.crawl import UrlKind
from storage.sites import sites

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from crawler.extraction.reader_pool import ReaderPool
    from crawler.processes.pulse import Progress

STORE_FAILED: Final = "storage-failed"
TRAPS_REMEMBERED: Final = 1_000
LISTS_READ: Final = 1_000
"""Lists read to find the pattern of today's list."""


class SiteCrawl:
    def __init__(
        self, store: CrawlStore, state: RunState, run_id: int, *, readers: "ReaderPool", progress: "Progress"
    ) -> None:
        self.store = store
        self.state = state
        self.run_id = run_id
        self.readers = readers
        self.progress = progress
        self.writer = VisitWriter(store)
        self.frontier = SiteFrontier(store, self.writer, state.site.id, run_id=run_id)
        self.in_flight = InFlight(progress)
        self.pace = Pace(state.site.settings.delay_s)
        self._is_open = False

    @classmethod
    def begin(
        cls, settings: "BaseSettings", site_name: str, *, readers: "ReaderPool", progress: "Progress"
    ) -> "SiteCrawl":
        """Starts the record of a run, unless the settings name one. Raises storage's errors, BadRule, BadScope."""
        store = CrawlStore(settings[DATABASE_URL_SETTING])
        site = store.do(sites.get_site, site_name)
        state = RunState(site, max_pages=settings.getint(MAX_PAGES_SETTING) or None)
        trigger = settings.get(TRIGGER_SETTING) or "scrapy"
        run_id = settings.getint(RUN_ID_SETTING) or store.do(runs.start_run, site.id, trigger=trigger)
        return cls(store, state, run_id, readers=readers, progress=progress)

    def open(self, *, revisit_all: bool) -> None:
        """Takes the site's lock, and loads what is known of the site. Blocks. Raises SiteBusy, storage's errors."""
        state, chosen, do = self.state, self.state.site.settings, self.frontier.do
        entries = {UrlKind.SITEMAP: chosen.sitemaps, UrlKind.FEED: chosen.feeds, UrlKind.LIST: chosen.start_urls}
        found = [state.entry(url, kind) for kind, urls in entries.items() for url in urls]
        self.frontier.open([one for one in found if one is not None], revisit_all=revisit_all)
        state.politeness = do(politeness.get_politeness)
        state.budget.most_bytes = state.politeness.byte_budget
        state.traps = Traps(do(frontier.traps, limit=TRAPS_REMEMBERED))
        state.lessons = Lessons(do(site_profile.get_learned))
        self._is_open = True
        today = state.started_at.astimezone(state.zone).date()
        guesses = current_lists(do(frontier.lists, limit=LISTS_READ), today=today)
        do(frontier.add_urls, [entry(url, UrlKind.LIST) for url in guesses if state.scope.refusal(url) is None])

    def give_up(self) -> None:
        """Stops reading pages and waiting for the database: the next run visits again what is in flight."""
        self.state.is_stopping = True
        self.store.stopping.set()
        self.readers.abandon()

    def close(self) -> None:
        """Gives back what is in flight. Blocks until the readers have ended."""
        self.store.stopping.set()
        for claim in self.in_flight.claims:
            self.store.do(frontier.free, claim.id)
        if self._is_open:
            learned = self.state.lessons.learned()
            self.frontier.do(site_profile.set_learned, marks=learned.marks, list_shapes=learned.list_shapes)
        self.frontier.close()
        self.readers.close()
        self.store.close()


def crawl_of(crawler: "Crawler") -> SiteCrawl | None:
    """The crawl that a Scrapy crawler does, if its spider is ours: other spiders may use the same settings."""
    found = getattr(crawler.spider, "site_crawl", None)
    return found if isinstance(found, SiteCrawl) else None


def store_of(crawler: "Crawler") -> CrawlStore:
    """The store of our own crawl, so that all its parts share one set of connections and stop waiting together; else
    the store that the settings name. Raises NotConfigured.
    """
    crawl = crawl_of(crawler)
    if crawl is not None:
        return crawl.store
    url = crawler.settings.get(DATABASE_URL_SETTING)
    if not url:
        message = f"Set {DATABASE_URL_SETTING} to the Postgres database that articles are stored in."
        raise NotConfigured(message)
    return CrawlStore(url)


def end_without_store(crawler: "Crawler", crawl: SiteCrawl) -> None:
    """Ends the crawl because the store failed: pages fetched from now on would be lost."""
    if crawler.engine is not None and not crawl.state.is_stopping:
        crawl.state.is_stopping = True
        asyncio.ensure_future(crawler.engine.close_spider_async(reason=STORE_FAILED))  # noqa: RUF006
