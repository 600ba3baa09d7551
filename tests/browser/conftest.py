"""The browser that the tests in here look at the desk with."""

import os
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from crawler.browser.availability import installed_browser

ARGUMENTS: Final = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]

PATIENCE_MS: Final = 120_000
"""Until what a page is expected to show counts as missing: a busy machine takes long over fifty cases."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One for all tests of a file. Without it they are passed over, but for continuous integration, which must have
    it.
    """
    path = installed_browser()
    if path is None and not os.environ.get("CI"):
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium-headless-shell)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        expect.set_options(timeout=PATIENCE_MS)
        yield browser
        browser.close()
