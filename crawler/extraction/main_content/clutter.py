"""Clutter inside an article's element: share buttons, related links, line numbers. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from crawler.extraction.html.text_blocks import Block, Element

MOST_ARTICLE_INSIDE: Final = 0.3
"""Of the words that readers chose. An element that holds more is no clutter, whatever it is called."""

_TAGS: Final = frozenset({"nav", "footer", "aside", "form", "button"})
_NAME: Final = re.compile(
    r"""(?<![a-z])(?:
        share | sharing | social | bdshare | addthis
      | related | relate | recommend(?:ed|ation|ations)? | correlative | more-?posts
      | comments? | disqus | valine | gitalk | reply | replies | respond
      | toc | catalog | table-?of-?contents | breadcrumbs? | crumbs?
      | pagination | pager | paginator | page-?nav | post-?nav(?:igation)? | prev-?next | nav(?:bar|igation)?
      | menu | sidebar | side-?bar | widget | toolbar | toolbox
      | advert(?:s|isement|isements|ising)? | ads? | banner | sponsor(?:ed)? | promo(?:tion)?
      | qr-?code | reward | donate | subscribe | newsletter | login | popup | modal | tooltip
      )(?![a-z])""",
    re.VERBOSE,
)
"""Words in class names and ids, as templates everywhere use them."""
_GUTTER_NAME: Final = re.compile(r"(?<![a-z])(?:gutter|linenos?|line-?numbers?)(?![a-z])")
"""Names of the column of numbers, or of the whole listing that has one: its content distinguishes them."""
_SITE_TAGS: Final = frozenset({"aside", "footer", "nav"})
_SITE_NAMES: Final = frozenset({"sidebar", "side-bar", "footer", "navbar", "nav", "menu"})
"""Whole names only: “content has-sidebar” is no column."""
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_GUTTERS: Final = frozenset({"pre", "td", "div"})

LONGEST_GUTTER: Final = 5_000
"""Lines of a listing that has its numbers beside it."""


def clutter_in(container: Element) -> Iterator[Element]:
    """The outermost elements below `container` that by tag, name or content look like clutter."""
    waiting = list(reversed(container))
    while waiting:
        element = waiting.pop()
        if not isinstance(element.tag, str):
            continue
        if looks_like_clutter(element):
            yield element
        else:
            waiting.extend(reversed(element))


def looks_like_clutter(element: Element) -> bool:
    if element.tag in _TAGS or element.get("hidden") is not None:
        return True
    # The id of a heading is made of its words: “Login” is a section, not a box to log in.
    own_id = "" if element.tag in _HEADINGS else element.get("id") or ""
    named = _CAMEL.sub("-", f"{element.get('class') or ''} {own_id}").lower().replace("_", "-")
    if _NAME.search(named) or (_GUTTER_NAME.search(named) and not _has_letters(element)):
        return True
    return bool(_HIDDEN.search(element.get("style") or "")) or is_gutter(element)


def _has_letters(element: Element) -> bool:
    return any(letter.isalpha() for text in element.itertext() for letter in str(text))


def is_in_site_column(element: Element) -> bool:
    """Whether an element is in a column, menu or footer of the site, which hold no articles."""
    above: Element | None = element
    while above is not None and above.tag != "body":
        if is_site_column(above):
            return True
        above = above.getparent()
    return False


def is_site_column(element: Element) -> bool:
    """Whether an element is itself a column, menu or footer of the site."""
    return element.tag in _SITE_TAGS or not _SITE_NAMES.isdisjoint(_named(element).split())


def _named(element: Element) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''}".lower()


def is_gutter(element: Element) -> bool:
    """1, 2, 3 … beside a listing."""
    if element.tag not in _GUTTERS or len(element) > LONGEST_GUTTER:
        return False
    numbers = " ".join(map(str, element.itertext())).split()
    return bool(numbers) and numbers == [str(number) for number in range(1, len(numbers) + 1)]


def places_outside(clutter: Sequence[Element], page: Sequence[Block], places: Sequence[int]) -> list[int]:
    """Those of `places` whose blocks are in no element of `clutter`."""
    left_out = {inner for element in clutter for inner in element.iter()}
    return [place for place in places if page[place].element not in left_out]
