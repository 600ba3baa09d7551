"""A pipeline for other Scrapy projects, which stores the articles among their items."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from itemadapter import ItemAdapter
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import run_in_thread

from crawler.extraction.article import Outcome
from crawler.extraction.metadata.rights import with_rights
from crawler.extraction.reader_messages import PageTask
from crawler.extraction.reader_pool import ReaderPool
from crawler.importers.model import ImportProblem
from crawler.importers.records import RecordReader
from crawler.spider.crawl_store import DATABASE_URL_SETTING, CrawlStore
from crawler.spider.run_settings import HOME_SETTING
from fingerprint.compute import fingerprint_text
from fingerprint.model import Fingerprint
from storage import migrate
from storage.embedded import server
from storage.pages import saving
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.sites import sites
from storage.types import FoundBy

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from sqlalchemy.orm import Session

    from storage.records.sites import SiteRecord

SITE_SETTING: Final = "ZHIWEN_SITE"
FIELDS_SETTING: Final = "ZHIWEN_FIELDS"
TIME_ZONE_SETTING: Final = "ZHIWEN_TIME_ZONE"
DEFAULT_TIME_ZONE: Final = "Asia/Shanghai"

_NAMES: Final = ("url", "text", "html", "title", "author", "published_at")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PluginSettings:
    """Settings of a Scrapy project."""

    database_url: str
    home: Path | None
    """Whose built-in database that is; None: a Postgres of one's own."""
    site: str | None
    fields: Mapping[str, str]
    """The project's names of fields that differ from ours, by our names."""
    time_zone: str


def plugin_settings(settings: "BaseSettings") -> PluginSettings:
    """Starts the built-in database if the settings name a home. Raises NotConfigured, storage's errors."""
    url, home = settings.get(DATABASE_URL_SETTING), settings.get(HOME_SETTING)
    if not url and not home:
        message = f"Set {DATABASE_URL_SETTING} to a Postgres, or {HOME_SETTING} to the home of a built-in one."
        raise NotConfigured(message)
    own_home = None if url else Path(home).expanduser().absolute()
    return PluginSettings(
        database_url=url or server.ensure_running(own_home or Path()),
        home=own_home,
        site=settings.get(SITE_SETTING),
        fields=settings.getdict(FIELDS_SETTING),
        time_zone=settings.get(TIME_ZONE_SETTING) or DEFAULT_TIME_ZONE,
    )


class ZhiwenPipeline:
    """Stores items that have a URL and a text or a page's HTML; every item is passed on unchanged."""

    def __init__(self, crawler: "Crawler", settings: PluginSettings) -> None:
        self._crawler = crawler
        self._settings = settings
        self._readers = ReaderPool(size=1)
        self._store = CrawlStore(settings.database_url)
        if settings.home is not None:
            migrate.upgrade(settings.database_url)
        migrate.require_current(self._store.engine)
        self._site = None if settings.site is None else self._store.do(sites.get_site, settings.site)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "ZhiwenPipeline":
        return cls(crawler, plugin_settings(crawler.settings))

    async def process_item(self, item: object) -> object:
        fields = self._fields(item)
        if "url" in fields and ("text" in fields or "html" in fields):
            self._count(await run_in_thread(self._take, fields))
        else:
            self._count("passed")
        return item

    def close_spider(self) -> None:
        self._readers.close()
        self._store.close()
        if self._settings.home is not None:
            server.release(self._settings.home)

    def _fields(self, item: object) -> dict[str, object]:
        """The known fields of an item, by our names."""
        if not ItemAdapter.is_item(item):
            return {}
        adapter = ItemAdapter(item)
        found = {name: _plain(adapter.get(self._settings.fields.get(name, name))) for name in _NAMES}
        return {name: value for name, value in found.items() if value is not None and value != ""}

    def _take(self, fields: Mapping[str, object]) -> str:
        """Stores an article. Returns the outcome as it is counted. Blocks."""
        records = RecordReader(datetime.now(UTC), self._settings.time_zone, FoundBy.SPIDER, read_page=self._read_page)
        outcome = records.outcome(fields, Path("item"), 1, noun="field")
        if isinstance(outcome, ImportProblem):
            log.info("%s is not stored: %s", fields["url"], outcome.message)
            return f"refused/{outcome.refusal}"
        fingerprint = fingerprint_text(outcome.article.text)
        return self._store.do(self._save, outcome.article, fingerprint=fingerprint)

    def _read_page(self, body: bytes, url: str, content_type: str, at: datetime) -> Outcome:
        return self._readers.read(PageTask(body, url, content_type, at, self._settings.time_zone)).page.outcome

    def _save(self, session: "Session", article: NewArticle, *, fingerprint: Fingerprint) -> str:
        site: SiteRecord | None = self._site or sites.site_for_host(session, urlsplit(article.url).netloc)
        placed = with_rights(replace(article, site_id=None if site is None else site.id), site)
        saved = saving.save_pages(session, [FingerprintedArticle(placed, fingerprint)])[0]
        return "new" if saved.is_new_page else "changed" if saved.is_new_version else "unchanged"

    def _count(self, what: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"zhiwen/{what}")


def _plain(value: object) -> object:
    """Dates and bytes as the texts that a record holds."""
    if isinstance(value, date):
        return value.isoformat()
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
