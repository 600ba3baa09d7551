"""Forums: the elements of a page that answer its main post. Pure."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from crawler.extraction.html.page_index import page_index
from crawler.extraction.html.text_blocks import Element

FEWEST_POSTS: Final = 2

_POST: Final = re.compile(
    r"(?P<kind>(?:js-)?post|p|pid|floor|msg|message|entry|thread|topic)[-_]?\d{1,12}", re.IGNORECASE
)
_REPLY: Final = re.compile(r"(?:answer|reply|r|response|re)[-_]?\d{1,12}", re.IGNORECASE)
"""Ids as forums number what is written: the first post opens the thread, an answer never does."""

_BOXES: Final = frozenset({"div", "article", "section", "li", "table", "tbody", "tr", "td", "dl", "dd"})
"""Numbered paragraphs and headings are an article's own."""

_ANSWER_TYPES: Final = re.compile(r"schema\.org/(?:Answer|Comment)\b")
_THREAD_TYPES: Final = re.compile(r"schema\.org/(?:DiscussionForumPosting|Question|QAPage)\b")
_LATER_PAGE: Final = re.compile(
    r"(?:[?&](?:page|pn|p|paged)=|/page[-/]?|/p)(?:[2-9]|\d{2,5})(?:$|[&/#])|thread-\d+-(?:[2-9]|\d{2,5})-\d+", re.I
)


@dataclass(frozen=True, slots=True)
class Thread:
    """The elements of the main post, if it is known, and of those that answer it; none on a page that is no thread."""

    opening: Element | None = None
    replies: Sequence[Element] = ()


def thread_in(root: Element) -> Thread:
    """The posts of a page.

    Recognised by types that the page states, or by at least two elements of one kind with ids numbered like posts.
    """
    items = page_index(root).typed
    typed = [element for element in items if _ANSWER_TYPES.search(element.get("itemtype", ""))]
    if typed and any(_THREAD_TYPES.search(element.get("itemtype", "")) for element in items):
        return Thread(None, _outermost(typed))
    posts: defaultdict[tuple[str, str], list[Element]] = defaultdict(list)
    answers: list[Element] = []
    for element in page_index(root).numbered:
        name = element.get("id", "")
        if element.tag not in _BOXES:
            continue
        post = _POST.fullmatch(name)
        if post:
            posts[(str(element.tag), post["kind"].lower())].append(element)
        elif _REPLY.fullmatch(name):
            answers.append(element)
    for group in posts.values():
        apart = _outermost(group)
        if len(apart) >= FEWEST_POSTS and _are_siblings(apart):
            return Thread(apart[0], _outermost([*answers, *apart[1:]]))
    return Thread(None, _outermost(answers))


def is_later_page(url: str) -> bool:
    """Whether an address says that it is a second or later page of a thread, whose first post is a reply."""
    return _LATER_PAGE.search(url) is not None


def _are_siblings(elements: Sequence[Element]) -> bool:
    """Whether the elements are in one row, perhaps each in a box of its own, as posts of a thread are."""
    parents = {element.getparent() for element in elements}
    return len(parents) == 1 or len({parent.getparent() for parent in parents if parent is not None}) == 1


def _outermost(elements: Sequence[Element]) -> list[Element]:
    chosen = set(elements)
    return [element for element in elements if not any(above in chosen for above in element.iterancestors())]
