"""Does a page show a reader anything before its scripts have run? Pure."""

from typing import Final

from crawler.extraction.html.text_blocks import Element, text_of, word_count

BARE_WORDS: Final = 100
"""Word characters of a page that waits for its scripts: “loading”, a name, a line of navigation. The shortest front
page of ten blogs has 498.
"""

SHOWN_TIMES: Final = 3
"""So many times the words have to stand there once scripts have run: else these brought a banner, and no more."""

MORE_LINKS: Final = 3
"""Or so many more links: a list of short titles."""


def is_bare(root: Element) -> bool:
    """Next to no words, and scripts that may bring more."""
    return _words(root) < BARE_WORDS and next(root.iter("script"), None) is not None


def shows_more(opened: Element, sent: Element) -> bool:
    """Whether what a browser made of a page shows what was missing in what was sent."""
    if _links(opened) >= _links(sent) + MORE_LINKS:
        return True
    return _words(opened) >= max(BARE_WORDS, SHOWN_TIMES * _words(sent))


def _words(root: Element) -> int:
    return word_count(text_of(root))


def _links(root: Element) -> int:
    return sum(1 for link in root.iter("a") if link.get("href"))
