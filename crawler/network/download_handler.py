"""Downloads with a bound on their headers, that can be given up.

A crawl that is to stop waits a few seconds for its pages, not for the slowest. And a server that sends headers for ever
fills the memory: Scrapy bounds bodies only.
"""

import asyncio
from typing import TYPE_CHECKING, Any, Final

from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)

from crawler.network.failures import Stopped

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

GIVE_UP: Final = object()
"""The signal upon which every download ends, those that begin later included."""


MAX_HEAD_BYTES: Final = 262_144
"""Of status line and headers. Servers and browsers stop at 8 to 256 kB."""

_BODY: Final = "BODY"
"""Twisted's name for what comes after the headers."""


class BoundedProtocol(_LenientHTTP11ClientProtocol):
    """Hangs up on a server whose headers do not end."""

    _head_bytes = 0

    def request(self, request: Any) -> Any:
        self._head_bytes = 0
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:
        if self._parser is not None and self._parser.state != _BODY:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES and self.transport is not None:
                self.transport.abortConnection()
                return
        super().dataReceived(data)  # type: ignore[no-untyped-call]  # Twisted's


class BoundedFactory(_LenientHTTP11ClientFactory):
    """Makes such protocols, as Twisted's pool of connections wants them."""

    def buildProtocol(self, addr: Any) -> BoundedProtocol:
        return BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]  # Twisted's


class StoppableHandler(HTTP11DownloadHandler):
    """Scrapy's own, which ends its downloads on GIVE_UP."""

    def __init__(self, crawler: "Crawler") -> None:
        super().__init__(crawler)
        self._pool._factory = BoundedFactory
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
