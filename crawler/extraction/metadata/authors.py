"""Authors of an article: stated in metadata, marked in the page, or named in a line beside the text. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, takewhile
from typing import Final

from crawler.extraction.html.page_index import page_index
from crawler.extraction.html.text_blocks import Block, Element
from crawler.extraction.metadata.author_lines import (
    above_dates,
    beside_dates,
    in_lines,
    is_profile,
    plain_signatures,
    signatures,
    signatures_below_parts,
    with_pages,
)
from crawler.extraction.metadata.author_names import cleaned_name, is_account, is_name, letters_of
from crawler.extraction.metadata.dates import json_ld, types_of
from crawler.extraction.metadata.titles import names_of_site, text_inside
from crawler.urls.canonical import host_of

AUTHOR_LENGTH: Final = 100
BEGINNING: Final = 3
"""Blocks of an article among which its byline may be."""
ELEMENTS_SEARCHED: Final = 20_000
MOST_NAMES: Final = 5
MOST_CALLED: Final = 3
"""Names in one element that is only called the author's: with more, they are subjects."""

_INNER: Final = 40
"""Elements looked at inside one of an author."""
_NEAR: Final = 2
"""Elements above a line that are taken for the line."""
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
_OTHER_TYPES: Final = ("imageobject", "videoobject", "audioobject", "comment", "review", "website", "organization")
_TAGS: Final = frozenset(
    {
        "a",
        "span",
        "div",
        "p",
        "address",
        "li",
        "strong",
        "b",
        "em",
        "i",
        "cite",
        "h3",
        "h4",
        "h5",
        "h6",
        "td",
        "dd",
        "small",
    }
)
_SHORT_LABEL: Final = 3
"""Letters of a part of a host's name that may be in any name."""
_META: Final = (
    "author",
    "article:author",
    "og:article:author",
    "og:author",
    "byl",
    "dc.creator",
    "dcterms.creator",
    "dc:creator",
    "citation_author",
    "parsely-author",
    "sailthru.author",
    "cxenseparse:author",
    "cse_author",
    "twitter:data1",
    "twitter:creator",
)
_DATA: Final = "twitter:data1"
_DATA_LABEL: Final = "twitter:label1"
_WRITTEN_BY: Final = re.compile(
    r"\s*(?:written|author|by\b|verfasst|geschrieben|von\b|aut[oe]u?r|[ée]crit|escrito|scritto|geschreven|skrevet|作者)",
    re.I,
)
"""What the first of the labelled data for previews is, where it is the author."""


def author_of(
    root: Element,
    nearby: Sequence[Block],
    inside: Sequence[Block] = (),
    *,
    url: str = "",
) -> str:
    """The names of an article's authors, at most `AUTHOR_LENGTH` characters; empty if none is named.

    `inside`: the article's blocks, `nearby`: those around it and its first and last. A person comes before an account,
    and both before the name of the site itself.
    """
    names = {letters_of(name) for name in names_of_site(root) if name}
    host = max((letters_of(label) for label in host_of(url).split(".")[:-1]), key=len, default="")
    seconds: list[str] = []
    below = nearby[next((place for place, block in enumerate(nearby) if inside and block is inside[-1]), -1) + 1 :]
    for found in _candidates(root, nearby, inside, below):
        if not is_account(found) and not _is_site(letters_of(found), names, host):
            return found[:AUTHOR_LENGTH]
        seconds.append(found)
    above = set(inside[0].element.iterancestors()) if inside else set()
    signed_lines = chain(plain_signatures(inside, below), signatures_below_parts(inside))
    weak = (name for block, name in signed_lines if not _is_of_others(block.element, above))
    signed = next((name for name in weak if not _is_site(letters_of(name), names, host)), "")
    return (signed or min(seconds, key=_weakness, default=""))[:AUTHOR_LENGTH]


def _weakness(name: str) -> int:
    """A shorthand may be that of an agency or a person, and says more than the name of the site, which an account does
    not.
    """
    return 0 if name.isupper() and is_account(name) else 1 + is_account(name)


def _is_site(name: str, names: set[str], host: str) -> bool:
    """Whether a name is the site's: as it calls itself, or that of its host."""
    return name in names or (len(host) > _SHORT_LABEL and (host in name or name in host)) or name.startswith("www")


def _candidates(
    root: Element, nearby: Sequence[Block], inside: Sequence[Block], below: Sequence[Block]
) -> Iterator[str]:
    """The most reliable first. What a page shows over its text comes before its data, which often name who uploaded
    it.
    """
    above = set(inside[0].element.iterancestors()) if inside else set()
    over = [block.element for block in _over(nearby, inside)]
    near = dict.fromkeys(one for element in over for one in (element, *islice(element.iterancestors(), _NEAR)))
    close = [one for one in near if one not in above]
    people, others = _json_ld_authors(root)
    yield from _names_of(_marked_close(close), above, close)
    yield from (name for _, name in in_lines(nearby[: len(over) + BEGINNING]))
    yield from people
    marked, called = _marked(root)
    yield from _names_of(marked, above, close)
    yield from _meta_authors(root)
    yield from (name for block, name in in_lines(nearby) if not _is_of_comments(block.element, above))
    yield from (name for block, name in with_pages(nearby, inside) if not _is_of_others(block.element, above))
    yield from _names_of(called, above, close, most=MOST_CALLED)
    yield from beside_dates(nearby)
    yield from above_dates(_over(nearby, inside))
    yield from (name for block, name in signatures(inside, below) if not _is_of_others(block.element, above))
    yield from others


def _over(nearby: Sequence[Block], inside: Sequence[Block]) -> Sequence[Block]:
    """The blocks before the article."""
    return list(takewhile(lambda block: block is not inside[0], nearby)) if inside else []


def _json_ld_authors(root: Element) -> tuple[list[str], list[str]]:
    """Authors of what is no picture, comment or site: people, and organisations."""
    values = list(json_ld(root))
    by_id = {str(value["@id"]): value for value in values if "@id" in value and "name" in value}
    people: list[str] = []
    others: list[str] = []
    for value in values:
        if any(name in _OTHER_TYPES for name in types_of(value.get("@type"))):
            continue
        named = list(_named(value.get("author") or value.get("creator"), by_id))
        for kind, found in ((True, people), (False, others)):
            some = list(dict.fromkeys(name for is_person, name in named if is_person is kind))
            if some:
                found.append("、".join(some[:MOST_NAMES]))
    return people, others


def _named(value: object, by_id: dict[str, dict[str, object]], depth: int = 0) -> Iterator[tuple[bool, str]]:
    """Names, and whether each is a person's. `by_id`: objects of the graph that others refer to."""
    if isinstance(value, list):
        for one in value[:MOST_NAMES]:
            yield from _named(one, by_id, depth + 1) if depth < MOST_NAMES else ()
    elif isinstance(value, dict):
        name = value.get("name") or by_id.get(str(value.get("@id")), {}).get("name")
        is_person = "organization" not in list(types_of(value.get("@type")))
        for one in name[:MOST_NAMES] if isinstance(name, list) else [name]:
            if isinstance(one, str) and is_name(cleaned_name(one)):
                yield is_person, cleaned_name(one)
    elif isinstance(value, str):
        text = cleaned_name(str(by_id.get(value, {}).get("name") or value))
        if is_name(text):
            yield True, text


def _meta_authors(root: Element) -> Iterator[str]:
    stated: dict[str, str] = {}
    for meta in islice(root.iter("meta"), 500):
        name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").strip().lower()
        if name in _META or name == _DATA_LABEL:
            stated.setdefault(name, meta.get("content") or "")
    if _WRITTEN_BY.match(stated.pop(_DATA_LABEL, "")) is None:
        stated.pop(_DATA, None)
    yield from filter(is_name, (cleaned_name(stated[name]) for name in _META if name in stated))


def _marked(root: Element) -> tuple[list[Element], list[Element]]:
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


def _names_of(
    elements: Iterable[Element], above: set[Element], close: Collection[Element], *, most: int = MOST_NAMES
) -> Iterator[str]:
    """Names in elements outside comments, columns and lists of other articles. `above`: what holds the article;
    `close`: what holds the lines over it. More than `most` links are no authors.
    """
    for element in elements:
        if not _is_close(element, close) and _is_of_others(element, above):
            continue
        yield from _names_in(element, most)


def _marked_close(close: Iterable[Element]) -> Iterator[Element]:
    """Elements among the lines over an article that are marked as the author's. Usually they make a walk through the
    whole page needless.
    """
    for element in close:
        yield from (one for one in islice(element.iter(), _INNER) if isinstance(one.tag, str) and _is_marked(one))


def _is_close(element: Element, close: Collection[Element]) -> bool:
    return any(one in close for one in (element, *islice(element.iterancestors(), _NEAR)))


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


def _is_of_comments(element: Element, above: set[Element]) -> bool:
    outer = takewhile(lambda one: one not in above, (element, *element.iterancestors()))
    return any(_COMMENTS.search(f"{one.get('class') or ''} {one.get('id') or ''}") for one in outer)


def _is_of_others(element: Element, above: set[Element]) -> bool:
    """Whether an element is in the comments, in a column, or among other articles."""
    for one in (element, *element.iterancestors()):
        if one in above:
            return False
        if one.tag in ("aside", "nav", "figure") or _OTHERS.search(f"{one.get('class') or ''} {one.get('id') or ''}"):
            return True
        if one.tag == "footer" and not any(outer.tag == "article" for outer in one.iterancestors()):
            return True
    return False
