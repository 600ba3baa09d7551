"""Pages whose own data state their whole text, to compare texts whole. The data are taken out of the page before any
reader sees it. Pure but for reading the pages.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from benchmarks.extraction.web_pages import WebPage
from crawler.extraction.html.charset import decode
from crawler.extraction.html.page_tree import page_tree
from crawler.extraction.html.parsing import parse
from crawler.extraction.html.text_blocks import Element, is_code, letters_of
from crawler.extraction.metadata.json_ld import json_ld

LEAST_STATED: Final = 600
"""Letters of a text in a page's data."""
SAME_SIZE: Final = (0.8, 1.12)
"""Of the stated text, on the page: less is another text, more one that is on the page twice."""

_TAG: Final = re.compile(r"<[^>]{0,1000}>")
_DATA: Final = re.compile(r"<script[^>]{0,500}ld\+json[^>]{0,500}>.*?</script>", re.DOTALL | re.IGNORECASE)
_MARK: Final = b"\xef\xbb\xbf"


def text_in_data(root: Element) -> str:
    """The longest article in a page's data, without markup; empty if there is none."""
    texts = (str(value.get("articleBody") or "") for value in json_ld(root))
    return html.unescape(_TAG.sub(" ", html.unescape(max(texts, key=len, default=""))))


def pages_with_their_text(pages: Iterable[WebPage]) -> Iterator[WebPage]:
    """Those whose data state the text that the page shows, labelled with it alone."""
    for page in pages:
        decoded = decode(page.body)
        root = parse(decoded.text) if decoded else None
        if decoded is None or root is None:
            continue
        text = text_in_data(root)
        if _is_shown(root, letters_of(text)):
            body = _MARK + _DATA.sub("", decoded.text).encode("utf-8", "replace")
            yield replace(page, wanted=(), unwanted=(), title="", author="", date="", article=text, changed_body=body)


def _is_shown(root: Element, stated: str) -> bool:
    if len(stated) < LEAST_STATED:
        return False
    shown = (block.letters for block in page_tree(root).blocks if not is_code(block))
    held = sum(len(letters) for letters in shown if letters in stated)
    return SAME_SIZE[0] <= held / len(stated) <= SAME_SIZE[1]
