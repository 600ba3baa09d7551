"""Authors of an article: stated in metadata, marked in the page, or named in a line beside the text. Pure."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import Final

from crawler.extraction.html.text_blocks import Block, Element
from crawler.extraction.metadata.author_data import json_ld_authors, meta_authors
from crawler.extraction.metadata.author_lines import (
    above_dates,
    beside_dates,
    in_lines,
    plain_signatures,
    signatures,
    signatures_below_parts,
    with_pages,
)
from crawler.extraction.metadata.author_marks import (
    NEAR,
    is_of_comments,
    is_of_others,
    marked_close,
    marked_elements,
    names_of,
)
from crawler.extraction.metadata.author_names import is_account, letters_of
from crawler.extraction.metadata.titles import names_of_site
from crawler.urls.canonical import host_of

AUTHOR_LENGTH: Final = 100
BEGINNING: Final = 3
"""Blocks of an article among which its byline may be."""
MOST_CALLED: Final = 3
"""Names in one element that is only called the author's: with more, they are subjects."""

_SHORT_LABEL: Final = 3
"""Letters of a part of a host's name that may be in any name."""


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
    weak = (name for block, name in signed_lines if not is_of_others(block.element, above))
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
    near = dict.fromkeys(one for element in over for one in (element, *islice(element.iterancestors(), NEAR)))
    close = [one for one in near if one not in above]
    people, others = json_ld_authors(root)
    yield from names_of(marked_close(close), above, close)
    yield from (name for _, name in in_lines(nearby[: len(over) + BEGINNING]))
    yield from people
    marked, called = marked_elements(root)
    yield from names_of(marked, above, close)
    yield from meta_authors(root)
    yield from (name for block, name in in_lines(nearby) if not is_of_comments(block.element, above))
    yield from (name for block, name in with_pages(nearby, inside) if not is_of_others(block.element, above))
    yield from names_of(called, above, close, most=MOST_CALLED)
    yield from beside_dates(nearby)
    yield from above_dates(_over(nearby, inside))
    yield from (name for block, name in signatures(inside, below) if not is_of_others(block.element, above))
    yield from others


def _over(nearby: Sequence[Block], inside: Sequence[Block]) -> Sequence[Block]:
    """The blocks before the article."""
    return list(takewhile(lambda block: block is not inside[0], nearby)) if inside else []
