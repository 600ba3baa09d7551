"""What a page looks like, by a browser that is installed: it reaches the web through the guard alone."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from crawler.evidence.browser_child import NotMade, Order, launched, made_by_child, serve
from crawler.evidence.proxy import GuardedProxy, guarded_proxy
from crawler.guard import Network, networks

TIMEOUT_S: Final = 30.0
WIDTH: Final = 1_280
HEIGHT: Final = 1_600


class NoScreenshot(NotMade):
    """Why there is none, in words."""


def screenshot(url: str, *, allowed_networks: Iterable[Network] = ()) -> bytes:
    """A PNG of the upper part of the page. Raises NoScreenshot; blocks up to twice `TIMEOUT_S`."""
    order = {"url": url, "allowed": [str(network) for network in allowed_networks]}
    return made_by_child("crawler.evidence.screenshot", order, timeout_s=2 * TIMEOUT_S, failure=NoScreenshot)


def _png(order: Order) -> bytes:
    from playwright.sync_api import Error  # noqa: PLC0415  # an extra

    with guarded_proxy(networks(order["allowed"])) as (address, proxy):
        try:
            # Nothing past the proxy, not even loopback.
            with launched(order, proxy={"server": address, "bypass": "<-loopback>"}) as browser:
                page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, accept_downloads=False)
                page.goto(order["url"], timeout=TIMEOUT_S * 1_000, wait_until="load")
                if urlsplit(page.url).hostname in proxy.blocked:
                    # Some browsers show the guard's refusal as if it were the page.
                    raise _blocked(proxy)
                return page.screenshot(timeout=TIMEOUT_S * 1_000)
        except Error as error:
            if proxy.blocked:
                raise _blocked(proxy) from error
            raise


def _blocked(proxy: GuardedProxy) -> NotMade:
    return NotMade(f"the guard does not let the browser to {proxy.blocked[0]}")


if __name__ == "__main__":
    serve(_png)
