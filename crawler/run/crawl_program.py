"""What the process of a crawl does: Scrapy, with readers beside it."""

import asyncio
import logging
import os
import signal
import socket
import threading
from typing import TYPE_CHECKING, Any, Final

from scrapy.crawler import CrawlerProcess
from scrapy.settings import Settings

from crawler import settings as scrapy_settings
from crawler.extraction.reader_pool import ReaderPool
from crawler.processes.pulse import Progress
from crawler.run.crawl_order import SITE_VARIABLE
from crawler.spider.crawl_store import DATABASE_URL_SETTING
from crawler.spider.run_settings import RUN_ID_SETTING
from crawler.spider.site_spider import SiteSpider
from storage import log_context

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred

GRACE_S: Final = 5.0
"""For the pages in flight after the request to stop; then downloads are given up. A stop takes 10 s in all."""
LOG_FORMAT_VARIABLE: Final = "ZHIWEN_LOG_FORMAT"
"""A setting of the whole program, which the parent sets in our environment."""
LOG_LEVELS: Final = {"": logging.WARNING, "crawler": logging.INFO, "storage": logging.INFO, "scrapy": logging.WARNING}
"""Outcomes of addresses, and errors; Scrapy's own messages are the same in every run."""


def main() -> None:
    """Crawl what the environment says."""
    settings = Settings()
    settings.setmodule(scrapy_settings, priority="project")
    settings.set("LOG_LEVEL", "INFO", priority="cmdline")
    readers = ReaderPool(at_once=True)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    process = _Process(settings)
    log_context.all_about(part="crawl", run=os.environ.get(RUN_ID_SETTING), site=os.environ[SITE_VARIABLE])
    secrets = log_context.secrets_of_address(os.environ.get(DATABASE_URL_SETTING))
    log_context.install_formatter(os.environ.get(LOG_FORMAT_VARIABLE, "text"), secrets)
    for name, level in LOG_LEVELS.items():
        logging.getLogger(name).setLevel(level)
    progress = Progress(socket.socket(fileno=os.dup(0)))
    process.crawl(SiteSpider, site=os.environ[SITE_VARIABLE], readers=readers, progress=progress)
    process.start()


class _Process(CrawlerProcess):
    """Lets the spider give up after a grace period. Scrapy cancels its own wait for the spider's next request, which
    the spider notices only while it makes one.
    """

    def stop(self) -> "Deferred[Any]":
        for crawler in self.crawlers:
            if isinstance(crawler.spider, SiteSpider):
                asyncio.get_running_loop().call_later(GRACE_S, crawler.spider.give_up)
        return super().stop()


def _end_with_parent() -> None:
    """Ends this process with its parent: a parent that was killed closes its end of our input."""
    # Not through sys.stdin: its lock would be taken at exit.
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
