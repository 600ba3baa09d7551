"""A crawl with the settings of this installation, for the command line and the worker."""

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from crawler.run.run_watch import Bounds
from zhiwen.config.disk import room_of

if TYPE_CHECKING:
    from storage.records.crawl import RunRecord
    from zhiwen.config.settings import Settings

MEGABYTE = 1_000_000
HOUR_S = 3_600.0


def crawl_as_set(
    settings: "Settings",
    database_url: str,
    site: str,
    *,
    trigger: str,
    max_pages: int | None = None,
    revisit: bool = False,
    on_progress: Callable[[Mapping[str, int]], None] | None = None,
    stop: threading.Event | None = None,
) -> "RunRecord":
    """Calls `crawl_site` and raises what it raises."""
    return crawl_site(
        CrawlOrder(
            database_url,
            site,
            allowed_networks=settings.allowed_networks,
            user_agent=settings.user_agent,
            max_pages=max_pages,
            revisit=revisit,
            home=settings.home,
            trigger=trigger,
            room=room_of(settings),
            bounds=Bounds(settings.crawl_memory_mb * MEGABYTE, settings.crawl_hours * HOUR_S),
        ),
        on_progress=on_progress,
        stop=stop,
    )
