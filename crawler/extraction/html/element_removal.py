"""Removes elements from a page's tree."""

from collections.abc import Iterable

from crawler.extraction.html.page_index import page_index
from crawler.extraction.html.text_blocks import Element


def removed(unwanted: Iterable[Element]) -> bool:
    """Removes elements from their tree, except its root; returns whether there were any."""
    inside = [element for element in unwanted if element.getparent() is not None]
    for element in inside:
        _remove(element)
    if inside:
        page_index.cache_clear()
    return bool(inside)


def _remove(element: Element) -> None:
    """Removes an element and what is below it; the text behind it stays."""
    parent, previous, tail = element.getparent(), element.getprevious(), element.tail or ""
    if parent is None:
        return
    if previous is not None:
        previous.tail = (previous.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)
