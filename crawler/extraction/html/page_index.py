"""The elements of a page that have names, gathered in one walk for all that look for some of them. Pure."""

from dataclasses import dataclass, field
from functools import lru_cache

from crawler.extraction.html.text_blocks import Element


@dataclass(slots=True)
class PageIndex:
    """In document order. `named`: elements with attributes, each with its tag and its classes and id. `typed`: those
    with a type of schema.org, `numbered`: those with an id.
    """

    named: list[tuple[Element, str, str]] = field(default_factory=list)
    typed: list[Element] = field(default_factory=list)
    numbered: list[Element] = field(default_factory=list)


@lru_cache(maxsize=1)
def page_index(root: Element) -> PageIndex:
    """The index of the last page is kept; whoever changes its tree calls `page_index.cache_clear()`."""
    index = PageIndex()
    for element in root.iter():
        attributes = element.attrib
        if not attributes:
            continue
        own_id = attributes.get("id", "")
        if own_id:
            index.numbered.append(element)
        if "itemtype" in attributes:
            index.typed.append(element)
        index.named.append((element, element.tag, f"{attributes.get('class', '')} {own_id}"))
    return index
