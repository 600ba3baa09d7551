"""Authors in elements that a page marks as theirs, by an attribute or by what it calls them."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import islice, takewhile
from typing import Final

from crawler.extraction.html.page_index import page_index
from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.author_lines import is_profile
from crawler.extraction.metadata.author_names import MOST_NAMES, cleaned_name, is_name
from crawler.extraction.metadata.titles import text_inside

ELEMENTS_SEARCHED: Final = 20_000
NEAR: Final = 2
"""Elements above a line that are taken for the line."""

_INNER: Final = 40
"""Elements looked at inside one of an author."""
_PARTS: Final = re.compile(r"[\s_-]+|(?<=[a-z])(?=[A-Z])")
_MARKS_TEXT: Final = """
    author authors autor autoren auteur auteurs autore autori byline bylines byl writer writers verfasser redakteur
    redactor redaktor poster username contributor contributors creator vcard itemposter
"""
_MARKS: Final = frozenset(_MARKS_TEXT.split())
_STEMS: Final = ("aut", "byl", "writer", "verfasser", "reda", "poster", "username", "contributor", "creator", "vcard")
"""Each of them is in one of these, which takes less time to see."""
_NOT_NAMES_TEXT: Final = """
    bio biography description image img avatar photo picture thumb thumbnail social count title role job comment
    comments related archive posts license licence credit
"""
_NOT_NAMES: Final = frozenset(_NOT_NAMES_TEXT.split())
_OTHERS: Final = re.compile(
    r"comment|reply|replies|respond|related|recommend|teaser|sidebar|newsletter|breadcrumb|most-?read|trending"
    r"|caption|(?:^|[\s_-])credits?(?:$|[\s_-])"
    r"|listing|carousel|slider|swiper|(?:^|[\s_-])(?:popular|latest|similar)(?:$|[\s_-])",
    re.I,
)
_USER: Final = re.compile(r"(?=\w*\d)[^\W\d]\w{2,30}")
"""A name of somebody who has a page on the site: it may be mostly figures."""
_COMMENTS: Final = re.compile(r"comment|kommentar|repl(?:y|ies)", re.I)
_TAGS_TEXT: Final = "a span div p address li strong b em i cite h3 h4 h5 h6 td dd small"
_TAGS: Final = frozenset(_TAGS_TEXT.split())


def marked_elements(root: Element) -> tuple[list[Element], list[Element]]:
    """Elements marked as the author's by `rel` or `itemprop`, and those named so by a class or an id."""
    marked: list[Element] = []
    called: list[Element] = []
    for element, tag, names in islice(page_index(root).named, ELEMENTS_SEARCHED):
        if tag not in _TAGS:
            continue
        if _is_marked(element):
            marked.append(element)
        elif _is_name_of_author(names):
            called.append(element)
    return marked, called


def names_of(
    elements: Iterable[Element], above: set[Element], close: Collection[Element], *, most: int = MOST_NAMES
) -> Iterator[str]:
    """Names in elements outside comments, columns and lists of other articles. `above`: what holds the article;
    `close`: what holds the lines over it. More than `most` links are no authors.
    """
    for element in elements:
        if not _is_close(element, close) and is_of_others(element, above):
            continue
        yield from _names_in(element, most)


def marked_close(close: Iterable[Element]) -> Iterator[Element]:
    """Elements among the lines over an article that are marked as the author's. Usually they make a walk through the
    whole page needless.
    """
    for element in close:
        yield from (one for one in islice(element.iter(), _INNER) if isinstance(one.tag, str) and _is_marked(one))


def _is_close(element: Element, close: Collection[Element]) -> bool:
    return any(one in close for one in (element, *islice(element.iterancestors(), NEAR)))


def _is_marked(element: Element) -> bool:
    return "author" in (element.get("rel") or "").split() or element.get("itemprop") in ("author", "creator")


@lru_cache(maxsize=4096)
def _is_name_of_author(names: str) -> bool:
    """Whether a class or id says that an element holds an author's name. Templates share most of theirs, so most are
    remembered.
    """
    lower = names.lower()
    if not any(stem in lower for stem in _STEMS):
        return False
    for name in names.split():
        parts = [part.lower() for part in _PARTS.split(name)]
        if not _MARKS.isdisjoint(parts) and _NOT_NAMES.isdisjoint(parts):
            return True
    return False


def _names_in(element: Element, most: int) -> Iterator[str]:
    """The name in a marked element: in what is marked as a name below it, in its links, else in its text."""
    inner = [one for one in islice(element.iterdescendants(), _INNER) if isinstance(one.tag, str)]
    named = [one for one in inner if one.get("itemprop") == "name" or "fn" in (one.get("class") or "").split()]
    links = [one for one in inner if one.tag == "a"]
    profiles = [link for link in links if is_profile(link.get("href") or "")]
    for group in (named, profiles, links, [element]):
        names = (cleaned_name(one.get("content") or text_inside(one)) for one in group)
        is_known = group is profiles
        found = list(dict.fromkeys(name for name in names if is_name(name) or (is_known and _USER.fullmatch(name))))
        if found:
            if most >= MOST_NAMES or len(found) <= most:
                yield "、".join(found[:MOST_NAMES])
            return


def is_of_comments(element: Element, above: set[Element]) -> bool:
    outer = takewhile(lambda one: one not in above, (element, *element.iterancestors()))
    return any(_COMMENTS.search(f"{one.get('class') or ''} {one.get('id') or ''}") for one in outer)


def is_of_others(element: Element, above: set[Element]) -> bool:
    """Whether an element is in the comments, in a column, or among other articles."""
    for one in (element, *element.iterancestors()):
        if one in above:
            return False
        if one.tag in ("aside", "nav", "figure") or _OTHERS.search(f"{one.get('class') or ''} {one.get('id') or ''}"):
            return True
        if one.tag == "footer" and not any(outer.tag == "article" for outer in one.iterancestors()):
            return True
    return False
