"""Pages opened in a browser, for sites that show their articles by script alone.

Only requests marked with `request_meta.BROWSER` go this way. Each page has its own profile and proxy: whatever it
requests passes the guard there, and is bounded in number, bytes and time.
"""

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from playwright.async_api import Request as PlaywrightRequest
from playwright.async_api import TimeoutError as PlaywrightTimeout
from scrapy.http import Headers, Request, Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler  # type: ignore[import-untyped]

from crawler.browser.availability import COUNTED
from crawler.browser.guarded_proxy import GuardedProxy, proxy_of_a_page
from crawler.network import request_meta
from crawler.network.download_handler import StoppableHandler
from crawler.network.failures import Refused
from crawler.network.public_addresses import allowed_networks
from crawler.outcomes.errors import UnusableUrl
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url, identity_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

PAGES_AT_ONCE: Final = 4
"""A page takes some 100 MB while it is open."""

MAX_REQUESTS: Final = 300
"""Of one page. News sites ask for 50 to 150 where pictures are left out."""

MAX_PAGE_BYTES: Final = 30_000_000
"""Of one page with everything that it loads."""

LOAD_S: Final = 30.0
SETTLE_S: Final = 10.0
"""For the requests of a loaded page: until the network is quiet, and no longer. One tracker that never answers
would otherwise hold up every page of a site."""

LEFT_OUT: Final = frozenset({"image", "media", "font"})
"""Resource types that no article consists of."""

RENDERED: Final = "X-Zhiwen-Rendered"
"""Header that marks a body as rendered by a browser instead of sent by the server."""

_OF_THE_TRANSFER: Final = ("Content-Length", "Transfer-Encoding", "Content-Encoding", "Content-Security-Policy")
_REFUSED_BY_PROXY: Final = ("ERR_HTTP_RESPONSE_CODE_FAILURE", "ERR_TUNNEL_CONNECTION_FAILED")
_UNREACHABLE: Final = ("ERR_EMPTY_RESPONSE", "ERR_CONNECTION", "ERR_TUNNEL", "ERR_NAME_NOT_RESOLVED", "ERR_PROXY")
"""Chromium's error names. It reports a proxy's bare 403 sometimes as an error, sometimes as a page."""

_LENGTH: Final = "document.documentElement ? document.documentElement.outerHTML.length : 0"

logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)  # it warns of every page that a site refuses


@dataclass(slots=True)
class Visit:
    """A page being opened. `sent_to`: the target of its server's redirect; `left_for`: of its scripts' navigation."""

    url: str
    proxy: GuardedProxy
    requests: int = 0
    has_begun: bool = False
    sent_to: str | None = None
    left_for: str | None = None
    refusal: Refusal | None = None
    closing: "asyncio.Task[None] | None" = None


class _Browsing(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]  # it says nothing of its types
    """Scrapy's handler for Playwright, with a profile, a proxy and bounds for each page."""

    def __init__(self, crawler: "Crawler") -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self._allowed = allowed_networks(settings)
        self._user_agent = settings.get("USER_AGENT")
        self._max_bytes = settings.getint("ZHIWEN_BROWSER_MAX_BYTES", MAX_PAGE_BYTES)
        self._max_requests = settings.getint("ZHIWEN_BROWSER_MAX_REQUESTS", MAX_REQUESTS)
        self._load_s = settings.getfloat("ZHIWEN_BROWSER_LOAD_S", LOAD_S)
        self._max_length = settings.getint("DOWNLOAD_MAXSIZE")
        self._at_once = asyncio.Semaphore(PAGES_AT_ONCE)
        self._visits: WeakKeyDictionary[Page, Visit] = WeakKeyDictionary()
        self._is_closed = False
        self.abort_request = self._is_refused
        self.config.target_closed_max_retries = 0  # a closed page was closed on purpose

    async def download_request(self, request: Request) -> Response:
        if not request.meta.get(request_meta.BROWSER):
            answer: Response = await super().download_request(request)
            return answer
        async with self._at_once, proxy_of_a_page(self._allowed, max_bytes=self._max_bytes) as (address, proxy):
            # A redirect to another host has to pass scope and robots.txt there first. So no other host is connected to
            # until the page asks for a part of it: then it is there.
            proxy.only = urlsplit(request.url).hostname
            return await self._browsed(request, Visit(request.url, proxy), address)

    async def close(self) -> None:
        # One handler serves both schemes, and is closed for each.
        if not self._is_closed:
            self._is_closed = True
            await super().close()

    async def _browsed(self, request: Request, visit: Visit, address: str) -> Response:
        profile = f"page-{id(visit)}"
        request.meta.update(
            playwright=True,
            playwright_context=profile,
            playwright_context_kwargs={
                "proxy": {"server": address, "bypass": "<-loopback>"},
                "user_agent": self._user_agent,
                "accept_downloads": False,
                "service_workers": "block",
            },
            playwright_page_goto_kwargs={"wait_until": "domcontentloaded", "timeout": self._load_s * 1_000},
            playwright_page_init_callback=lambda page, _: self._begin(page, visit),
        )
        try:
            async with asyncio.timeout(self._load_s + 2 * SETTLE_S):
                return self._answer(request, await self._download_request(request), visit)
        except TimeoutError as error:
            raise Refused(Refusal.TIMEOUT) from error
        except (PlaywrightError, RuntimeError) as error:  # the latter for a download, which is not taken
            if _is_sent_elsewhere(visit):
                return _redirect(request, visit.sent_to or "")
            raise Refused(_refusal(error, visit)) from error
        finally:
            self._count(visit)
            for name in [name for name in request.meta if name.startswith("playwright")]:
                del request.meta[name]
            opened = self.context_wrappers.get(profile)
            if opened is not None:
                with contextlib.suppress(PlaywrightError):
                    await opened.context.close()

    async def _begin(self, page: Page, visit: Visit) -> None:
        self._visits[page] = visit
        page.on("popup", lambda opened: opened.close())
        page.on("request", lambda asked: _note_hop(asked, page, visit))

    async def _apply_page_methods(self, page: Page, request: Request, spider: object) -> None:
        """Called before the page is read: gives its own requests a moment to end, then measures its size."""
        with contextlib.suppress(PlaywrightTimeout):
            await page.wait_for_load_state("networkidle", timeout=SETTLE_S * 1_000)
        session = await page.context.new_cdp_session(page)
        frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        # In a world of our own, whose functions the page cannot have replaced.
        world = (await session.send("Page.createIsolatedWorld", {"frameId": frame}))["executionContextId"]
        found = await session.send("Runtime.evaluate", {"expression": _LENGTH, "contextId": world})
        if found["result"].get("value", 0) > self._max_length:
            raise Refused(Refusal.TOO_LARGE)

    async def _is_refused(self, request: PlaywrightRequest) -> bool:
        """Whether the browser must not send this request. Not called for redirects, which the proxy checks."""
        try:
            page = request.frame.page
        except PlaywrightError:
            return True  # of no page: nothing waits for it
        visit = self._visits.get(page)
        if visit is None or urlsplit(request.url).scheme not in ("http", "https"):
            return True
        visit.requests += 1
        if visit.requests > self._max_requests:
            if visit.refusal is None:
                visit.refusal = Refusal.TOO_LARGE
                # A page that sends requests without end would keep us busy with refusals.
                visit.closing = asyncio.ensure_future(page.close())
            return True
        if request.is_navigation_request() and request.frame == page.main_frame:
            if visit.has_begun:
                visit.left_for = request.url
            is_first, visit.has_begun = not visit.has_begun, True
            return not is_first
        visit.proxy.only = None
        return request.resource_type in LEFT_OUT

    def _answer(self, request: Request, response: Response, visit: Visit) -> Response:
        """The page as rendered, or a redirect to where it led, which passes scope, robots.txt and politeness."""
        if visit.refusal is not None:
            raise Refused(visit.refusal)
        if visit.proxy.is_spent:
            raise Refused(Refusal.TOO_LARGE)
        shown = visit.left_for or response.url
        host = urlsplit(shown).hostname or ""
        if host in visit.proxy.blocked:
            raise Refused(Refusal.BLOCKED_ADDRESS)
        if _leads_away(request.url, shown):
            return _redirect(request, shown)
        headers = Headers(response.headers)
        for name in _OF_THE_TRANSFER:
            headers.pop(name, None)
        headers[RENDERED] = "by a browser, from what the server sent"
        peer = visit.proxy.peers.get(host)
        return response.replace(headers=headers, ip_address=None if peer is None else ip_address(peer))

    def _count(self, visit: Visit) -> None:
        counts = {"pages": 1, "requests": visit.requests, "blocked": len(visit.proxy.blocked)}
        for name, number in counts.items():
            if self._crawler.stats is not None and number:
                self._crawler.stats.inc_value(f"{COUNTED}{name}", number)


class BrowserHandler(StoppableHandler, _Browsing):
    """Ends its downloads on GIVE_UP, those of the browser included. One for both schemes, since it has one browser."""

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "BrowserHandler":
        if crawler not in _handlers:
            _handlers[crawler] = cls(crawler)
        return _handlers[crawler]


_handlers: WeakKeyDictionary["Crawler", BrowserHandler] = WeakKeyDictionary()


def _note_hop(request: PlaywrightRequest, page: Page, visit: Visit) -> None:
    """Notes a redirect: Playwright reports them, but does not ask whether to follow."""
    with contextlib.suppress(PlaywrightError):  # of no page
        if request.redirected_from is not None and request.is_navigation_request() and request.frame == page.main_frame:
            visit.sent_to = request.url


def _is_sent_elsewhere(visit: Visit) -> bool:
    host = urlsplit(visit.sent_to or "").hostname
    return host not in (None, visit.proxy.only, *visit.proxy.blocked) and visit.proxy.only is not None


def _redirect(request: Request, url: str) -> Response:
    return Response(request.url, status=302, headers={"Location": url}, request=request)


def _leads_away(asked: str, shown: str) -> bool:
    try:
        return identity_of(canonical_url(asked)) != identity_of(canonical_url(shown))
    except UnusableUrl:
        raise Refused(Refusal.UNUSABLE_URL) from None


def _refusal(error: Exception, visit: Visit) -> Refusal:
    if visit.refusal is not None:
        return visit.refusal
    if visit.proxy.is_spent:
        return Refusal.TOO_LARGE
    message = str(error)
    if visit.proxy.blocked and any(word in message for word in _REFUSED_BY_PROXY):
        return Refusal.BLOCKED_ADDRESS
    if isinstance(error, PlaywrightTimeout):
        return Refusal.TIMEOUT
    if "ownload" in message:
        return Refusal.WRONG_TYPE
    return Refusal.UNREACHABLE if any(word in message for word in _UNREACHABLE) else Refusal.BROKEN_RESPONSE
