"""What a test needs of the machine it runs on. Continuous integration must have all of it."""

import os

import pytest

from crawler.browser.availability import installed_browser

needs_browser = pytest.mark.skipif(
    installed_browser() is None and not os.environ.get("CI"),
    reason="no Chromium is installed (Debian: apt-get install chromium-headless-shell)",
)
