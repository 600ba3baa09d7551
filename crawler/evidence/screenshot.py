"""What a page looks like, by a browser that is installed: it reaches the web through the guard alone."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from typing import Final

from crawler.browser import ARGUMENTS, installed_browser
from crawler.evidence.proxy import guarded_proxy
from crawler.guard import Network, networks

TIMEOUT_S: Final = 30.0
WIDTH: Final = 1_280
HEIGHT: Final = 1_600


class NoScreenshot(Exception):
    """Why there is none, in words."""


def screenshot(url: str, *, allowed_networks: Iterable[Network] = ()) -> bytes:
    """A PNG of the upper part of the page. Raises NoScreenshot; blocks up to `TIMEOUT_S` and a little.

    Needs Playwright and Chromium. As root the browser has to run without its own sandbox: better run as somebody else.
    """
    browser = installed_browser()
    if browser is None:
        raise NoScreenshot("no Chromium is installed")
    order = {"url": url, "browser": browser, "allowed": [str(network) for network in allowed_networks]}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "crawler.evidence.screenshot"],
            input=json.dumps(order).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=2 * TIMEOUT_S,
            check=False,
        )
        answer = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise NoScreenshot("the browser did not answer") from error
    if "png" not in answer:
        raise NoScreenshot(str(answer.get("problem")))
    return base64.b64decode(answer["png"])


def main() -> None:
    """The child: an order in, an answer out."""
    order = json.load(sys.stdin)
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415  # an extra
    except ImportError:
        json.dump({"problem": "Playwright is not installed"}, sys.stdout)
        return
    with guarded_proxy(networks(order["allowed"])) as (address, proxy), sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=order["browser"],
                args=list(ARGUMENTS),
                # Nothing past the proxy, not even loopback.
                proxy={"server": address, "bypass": "<-loopback>"},
                chromium_sandbox=os.geteuid() != 0,
            )
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, accept_downloads=False)
            page.goto(order["url"], timeout=TIMEOUT_S * 1_000, wait_until="load")
            answer = {"png": base64.b64encode(page.screenshot(timeout=TIMEOUT_S * 1_000)).decode("ascii")}
            browser.close()
        except Error as error:
            answer = {"problem": error.message.partition("\n")[0]}
            if proxy.blocked:
                answer = {"problem": f"the guard does not let the browser to {proxy.blocked[0]}"}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
