"""The order for one crawl, and the environment of the process that carries it out."""

from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Final

from crawler.browser.availability import BROWSER_SETTING
from crawler.network.public_addresses import ALLOWED_NETWORKS_SETTING, Network
from crawler.processes.disk_space import DiskSpace, as_text
from crawler.run.run_watch import DEFAULT_BOUNDS, Bounds
from crawler.spider import run_settings
from crawler.spider.crawl_store import DATABASE_URL_SETTING

SITE_VARIABLE: Final = "ZHIWEN_CRAWLED_SITE"


@dataclass(frozen=True, slots=True)
class CrawlOrder:
    """A crawl of `site`. `trigger`: who or what started it, for the record of the run.

    `revisit`: visit all known addresses, due or not. `answer_within_s`: seconds until an answer is given up; None: half
    a minute. `home`: the folder that evidence is kept under; None: no evidence is kept. `room`: the disk space that has
    to stay free.
    """

    database_url: str
    site: str
    _: KW_ONLY
    trigger: str
    allowed_networks: tuple[Network, ...] = ()
    user_agent: str | None = None
    max_pages: int | None = None
    revisit: bool = False
    answer_within_s: float | None = None
    home: Path | None = None
    bounds: Bounds = DEFAULT_BOUNDS
    room: DiskSpace | None = None

    def environment(self, run_id: int, *, in_browser: bool) -> dict[str, str]:
        """The variables from which the process of the crawl takes its settings."""
        return {
            DATABASE_URL_SETTING: self.database_url,
            SITE_VARIABLE: self.site,
            run_settings.RUN_ID_SETTING: str(run_id),
            run_settings.TRIGGER_SETTING: self.trigger,
            ALLOWED_NETWORKS_SETTING: ",".join(map(str, self.allowed_networks)),
            run_settings.MAX_PAGES_SETTING: str(self.max_pages or ""),
            run_settings.REVISIT_SETTING: "1" if self.revisit else "",
            run_settings.ROOM_IN_SETTING: as_text(self.room.places) if self.room else "",
            run_settings.DISK_FLOOR_SETTING: str(self.room.floor_bytes) if self.room else "",
            run_settings.ANSWER_WITHIN_SETTING: "" if self.answer_within_s is None else str(self.answer_within_s),
            run_settings.USER_AGENT_SETTING: self.user_agent or "",
            BROWSER_SETTING: "1" if in_browser else "",
            **({run_settings.HOME_SETTING: str(self.home)} if self.home is not None else {}),
        }
