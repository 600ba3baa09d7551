"""Availability of a browser, and the Scrapy settings of a crawl that uses one. Imports nothing of the extra."""

import os
import shutil
from importlib.util import find_spec
from typing import Any, Final

from crawler import settings as scrapy_defaults

BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""In order: the shell renders alike and takes half the processor time, since it draws no window around a page."""
ARGUMENTS: Final = (
    "--disable-quic",
    "--disable-background-networking",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--js-flags=--max-old-space-size=512",
)
"""Nothing past the proxy, nothing of the browser's own accord, and a limit on the memory of a page's scripts (MB)."""

EXTRA: Final = ("playwright", "scrapy_playwright")
HANDLER: Final = "crawler.browser.handler.BrowserHandler"
BROWSER_SETTING: Final = "ZHIWEN_BROWSER"
"""Set in the environment of a crawl whose site needs a browser."""
COUNTED: Final = "browser/"
"""Begins the names of the statistics that a crawl's run records."""


def installed_browser() -> str | None:
    """The path of an installed Chromium; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def what_is_missing() -> str | None:
    """What is missing to open pages in a browser, with the remedy; None if nothing is."""
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        return f"{' and '.join(missing)} missing: pip install 'zhiwen[browser]'"
    if installed_browser() is None:
        return "no Chromium is installed: apt-get install chromium-headless-shell, or what your system calls it"
    return None


def scrapy_settings() -> dict[str, Any]:
    """Scrapy settings with which requests marked with `request_meta.BROWSER` are opened in a browser."""
    return {
        "DOWNLOAD_HANDLERS": {**scrapy_defaults.DOWNLOAD_HANDLERS, "http": HANDLER, "https": HANDLER},
        "PLAYWRIGHT_LAUNCH_OPTIONS": {
            "executable_path": installed_browser(),
            "args": list(ARGUMENTS),
            # Each page has a proxy of its own; what belongs to no page reaches nothing.
            "proxy": {"server": "http://per-context"},
            # As root the browser has to run without its own sandbox: run as another user.
            "chromium_sandbox": os.geteuid() != 0,
        },
    }
