"""Prints our own HTML as PDF with an installed browser, without scripts and network."""

import threading
from typing import Final

from crawler.browser.child_process import NotMade, Order, launched, made_by_child, serve

TIMEOUT_S: Final = 120.0
"""For a report of a hundred pages, on a machine that has other work too."""
MAX_HTML_CHARS: Final = 30_000_000
"""Mostly pictures."""
WAIT_S: Final = 30.0
_FOOTER: Final = (
    '<div style="font-size:8px;width:100%;margin:0 14mm;display:flex;justify-content:space-between;color:#666">'
    '<span class="{}" style="max-width:80%;white-space:nowrap;overflow:hidden;text-overflow:ellipsis"></span>'
    '<span><span class="pageNumber"></span> / <span class="totalPages"></span></span></div>'
)
_one_at_a_time: Final = threading.Lock()
"""A browser takes a core and some hundred megabytes: several at once would slow everything else down."""


class NotPrinted(NotMade):
    """No PDF was made; the message says why."""


def printed(html: str, *, with_title: bool = False) -> bytes:
    """A PDF of `html`, A4, with page numbers. `with_title`: and the title at the foot of each page. A letter has none:
    it is what its sender signs.

    Raises NotPrinted; blocks up to `WAIT_S` and `TIMEOUT_S`.
    """
    if len(html) > MAX_HTML_CHARS:
        raise NotPrinted("the page is too large")
    if not _one_at_a_time.acquire(timeout=WAIT_S):
        raise NotPrinted("others are printing")
    try:
        return made_by_child(
            "crawler.browser.pdf",
            {"html": html, "footer": _FOOTER.format("title" if with_title else "")},
            timeout_s=TIMEOUT_S,
            failure=NotPrinted,
        )
    finally:
        _one_at_a_time.release()


def _pdf(order: Order) -> bytes:
    with launched(order) as browser:
        page = browser.new_context(java_script_enabled=False, offline=True, accept_downloads=False).new_page()
        page.set_content(order["html"], wait_until="load", timeout=TIMEOUT_S * 1_000)
        return page.pdf(
            format="A4",
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=order["footer"],
            margin={"top": "16mm", "bottom": "18mm", "left": "14mm", "right": "14mm"},
        )


if __name__ == "__main__":
    serve(_pdf)
