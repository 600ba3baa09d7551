"""Downloads that can be given up: a crawl that is to stop waits a few seconds for its pages, not for the slowest."""

import asyncio
from typing import TYPE_CHECKING, Final

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler

from crawler.failures import Stopped

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

GIVE_UP: Final = object()
"""The signal upon which every download ends, those that begin later included."""


class StoppableHandler(HTTP11DownloadHandler):
    """Scrapy's own, which ends its downloads on GIVE_UP."""

    def __init__(self, crawler: "Crawler") -> None:
        super().__init__(crawler)
        self._downloads: set[asyncio.Task[Response]] = set()
        self._is_over = False
        crawler.signals.connect(self._give_up, signal=GIVE_UP)

    async def download_request(self, request: "Request") -> "Response":
        if self._is_over:
            raise Stopped
        task = asyncio.ensure_future(super().download_request(request))
        self._downloads.add(task)
        task.add_done_callback(self._downloads.discard)
        try:
            return await task
        except asyncio.CancelledError as error:
            raise Stopped from error

    def _give_up(self) -> None:
        self._is_over = True
        for task in tuple(self._downloads):
            task.cancel()
