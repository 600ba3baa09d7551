"""A page of our own as PDF, by a browser that is installed. It runs no script and reaches no network."""

import base64
import json
import os
import subprocess
import sys
import threading
from typing import Final

from crawler.browser import ARGUMENTS, installed_browser

TIMEOUT_S: Final = 120.0
"""For a report of a hundred pages, on a machine that has other work too."""
MAX_HTML_CHARS: Final = 30_000_000
"""Mostly pictures."""
WAIT_S: Final = 30.0
_FOOTER: Final = (
    '<div style="font-size:8px;width:100%;text-align:center;color:#666">'
    '<span class="pageNumber"></span> / <span class="totalPages"></span></div>'
)
_one_at_a_time: Final = threading.Lock()
"""A browser takes a core and some hundred megabytes: several at once would slow everything else down."""


class NotPrinted(Exception):
    """Why there is no PDF, in words."""


def printed(html: str) -> bytes:
    """A PDF of `html`, A4. Raises NotPrinted; blocks up to `WAIT_S` and `TIMEOUT_S`.

    Needs Playwright and Chromium. As root the browser has to run without its own sandbox: better run as somebody else.
    """
    browser = installed_browser()
    if browser is None:
        raise NotPrinted("no Chromium is installed")
    if len(html) > MAX_HTML_CHARS:
        raise NotPrinted("the page is too large")
    if not _one_at_a_time.acquire(timeout=WAIT_S):
        raise NotPrinted("others are printing")
    try:
        return _by_child({"html": html, "browser": browser})
    finally:
        _one_at_a_time.release()


def _by_child(order: dict[str, str]) -> bytes:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "crawler.evidence.printing"],
            input=json.dumps(order).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
            check=False,
        )
        answer = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise NotPrinted("the browser did not answer") from error
    if "pdf" not in answer:
        raise NotPrinted(str(answer.get("problem")))
    return base64.b64decode(answer["pdf"])


def main() -> None:
    """The child: an order in, an answer out."""
    order = json.load(sys.stdin)
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415  # an extra
    except ImportError:
        json.dump({"problem": "Playwright is not installed"}, sys.stdout)
        return
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=order["browser"], args=list(ARGUMENTS), chromium_sandbox=os.geteuid() != 0
            )
            page = browser.new_context(java_script_enabled=False, offline=True, accept_downloads=False).new_page()
            page.set_content(order["html"], wait_until="load", timeout=TIMEOUT_S * 1_000)
            pdf = page.pdf(
                format="A4",
                print_background=True,
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=_FOOTER,
                margin={"top": "16mm", "bottom": "18mm", "left": "14mm", "right": "14mm"},
            )
            browser.close()
        answer = {"pdf": base64.b64encode(pdf).decode("ascii")}
    except Error as error:
        answer = {"problem": error.message.partition("\n")[0]}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
