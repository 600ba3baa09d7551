"""Screenshots of web pages by an installed browser, which reaches the web through the guard only."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from crawler.browser.child_process import NotMade, Order, launched, made_by_child, serve
from crawler.browser.guarded_proxy import GuardedProxy, guarded_proxy
from crawler.browser.page_address import blocked, require_at
from crawler.network.public_addresses import Network, networks

if TYPE_CHECKING:
    from playwright.sync_api import Page

TIMEOUT_S: Final = 30.0
WIDTH: Final = 1_280
HEIGHT: Final = 1_600
_WEB: Final = frozenset({"http", "https"})


class NoScreenshot(NotMade):
    """No screenshot was made; the message says why."""


def screenshot(url: str, *, allowed_networks: Iterable[Network] = ()) -> bytes:
    """A PNG of the upper part of the page at `url`, and of no other page that it leads the browser to.

    Raises NoScreenshot; blocks up to twice `TIMEOUT_S`.
    """
    if urlsplit(url).scheme.lower() not in _WEB:
        raise NoScreenshot(f"{url[:200]} is not a web address: only http and https are opened")
    order = {"url": url, "allowed": [str(network) for network in allowed_networks]}
    return made_by_child("crawler.browser.screenshot", order, timeout_s=2 * TIMEOUT_S, failure=NoScreenshot)


def _png(order: Order) -> bytes:
    from playwright.sync_api import Error  # noqa: PLC0415  # an extra

    with guarded_proxy(networks(order["allowed"])) as (address, proxy):
        try:
            # Nothing past the proxy, not even loopback.
            with launched(order, proxy={"server": address, "bypass": "<-loopback>"}) as browser:
                page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, accept_downloads=False)
                return _shown(page, order["url"], proxy)
        except Error as error:
            if proxy.blocked:
                raise blocked(proxy) from error
            raise


def _shown(page: "Page", url: str, proxy: GuardedProxy) -> bytes:
    """The picture, if the browser is at `url` from before it is taken until after."""
    met: list[str] = []
    page.goto(url, timeout=TIMEOUT_S * 1_000, wait_until="load")
    page.on("framenavigated", lambda frame: met.append(frame.url) if frame == page.main_frame else None)
    require_at(url, page.url, proxy)
    try:
        return page.screenshot(timeout=TIMEOUT_S * 1_000)
    finally:
        # Also if it fails, since the page may have been navigating.
        for shown in (*met, page.url):
            require_at(url, shown, proxy)


if __name__ == "__main__":
    serve(_png)
