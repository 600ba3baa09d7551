"""Hidden pieces inside lines of text, by which a page shows programs another text than people.

A section that is hidden may be shown later, by a tab or “read more”, and is judged by the readers. A word inside a
line is not. Pure.
"""

import re
from collections.abc import Iterator
from typing import Final

from crawler.extraction.html.page_index import page_index
from crawler.extraction.html.text_blocks import Element

FEWEST: Final = 8
"""Such pieces on a page. A few are a template's: a label for screen readers, the rest of a number."""

LONGEST: Final = 60
"""Characters of a piece. More may be the rest of a paragraph, behind “read more”."""

LONGEST_SHEET: Final = 100_000
"""Characters of the page's own style sheets that are read."""

LONGEST_SELECTORS: Final = 2_000
"""Characters before the brace of a rule."""

_INLINE_TEXT: Final = (
    "abbr b bdi bdo cite code em font i ins kbd label mark q s samp small span strong sub sup tt u var"
)
_INLINE: Final = frozenset(_INLINE_TEXT.split())
_UNSEEN: Final = re.compile(
    r"""(?:^|[;{\s])(?:
        display\s*:\s*none
      | visibility\s*:\s*hidden
      | (?:font-size|opacity)\s*:\s*0(?:\.0{1,9})?(?:[a-z]{2,4}|%)?\s*(?:[;!}]|$)
      | (?:left|top|text-indent)\s*:\s*-\d{3}
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE: Final = re.compile(r"[{}]")
_CLASS: Final = re.compile(r"[A-Za-z]{0,10}\.(?P<name>[\w-]{1,100})")


def hidden_pieces(root: Element) -> list[Element]:
    """Return the elements inside lines of text that nobody sees; none if there are fewer than `FEWEST`.

    By their own `style` or `hidden`, or by a class that the page's own style sheet hides; sheets in other files are not
    read.
    """
    pieces = [(element, names) for element, tag, names in page_index(root).named if tag in _INLINE]
    if len(pieces) < FEWEST:
        return []
    classes = _hidden_classes(root)
    found = [element for element, names in pieces if _is_hidden(element, names, classes) and _is_in_line(element)]
    return found if len(found) >= FEWEST else []


def _is_hidden(element: Element, names: str, classes: frozenset[str]) -> bool:
    if "hidden" in element.attrib or _UNSEEN.search(element.get("style", "")):
        return True
    return bool(classes) and not classes.isdisjoint(names.split())


def _is_in_line(element: Element) -> bool:
    """Whether it is short, and its parent has text of its own beside it."""
    parent, previous = element.getparent(), element.getprevious()
    if parent is None or any(inner.tag not in _INLINE for inner in element.iterdescendants()):
        return False
    if sum(map(len, element.itertext())) > LONGEST:
        return False
    before = parent.text if previous is None else previous.tail
    return bool((before or "").strip() or (element.tail or "").strip())


def _hidden_classes(root: Element) -> frozenset[str]:
    sheets = "\n".join(sheet.text or "" for sheet in root.iter("style"))[:LONGEST_SHEET]
    return frozenset(_classes_in(_COMMENT.sub(" ", sheets))) if _UNSEEN.search(sheets) else frozenset()


def _classes_in(sheet: str) -> Iterator[str]:
    """Classes that a rule of a single class hides. Not rules for print or small screens: they are inside others."""
    depth, before, start = 0, 0, 0
    for brace in _BRACE.finditer(sheet):
        place = brace.start()
        if brace[0] == "{":
            depth += 1
            before, start = start, brace.end()
        elif depth == 1 and _UNSEEN.search(sheet[start:place]):
            yield from _classes_of(sheet[before : start - 1])
            depth, start = 0, brace.end()
        else:
            depth, start = max(0, depth - 1), brace.end()


def _classes_of(selectors: str) -> Iterator[str]:
    for selector in selectors[-LONGEST_SELECTORS:].rpartition(";")[2].split(","):
        if matched := _CLASS.fullmatch(selector.strip()):
            yield matched["name"]
