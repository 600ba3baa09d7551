"""The browser that the tests in here look at the desk with."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM: Final = Path("/usr/bin/chromium")
ARGUMENTS: Final = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One for all tests of a file. Without it they are passed over, but for continuous integration, which must have
    it.
    """
    if not CHROMIUM.exists() and not os.environ.get("CI"):
        pytest.skip(f"{CHROMIUM} is not installed (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()
