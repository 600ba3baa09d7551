"""What is known of a site before one of its pages is read, and what a page adds to it. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Final

from crawler.blocks import Block
from crawler.rules import ExtractionRule

MARKS_KEPT: Final = 2_000
"""Of one page."""
SHORTEST_MARKED: Final = 6
"""Word characters. Shorter blocks are headings that any article may have: “Summary”."""
MOST_REPEATED: Final = 0.4
"""Of the article's words that may stand on other pages. More, and they are the same article under another address."""


_NO_RULE: Final = ExtractionRule()


@dataclass(frozen=True, slots=True)
class SiteKnowledge:
    """`elsewhere`: marks of blocks that stand on several other pages of the site. `first_part`: the address of the
    article of which the page is known to be a later part.
    """

    rule: ExtractionRule = _NO_RULE
    elsewhere: frozenset[int] = frozenset()
    first_part: str | None = None


def marks_of(page: Sequence[Block]) -> tuple[int, ...]:
    """A page's blocks as numbers, each once: what stands on many pages of a site is none of its articles."""
    long_enough = (block for block in page if block.words >= SHORTEST_MARKED)
    return tuple(dict.fromkeys(_mark(block) for block in islice(long_enough, MARKS_KEPT)))


def without_repeated(places: Sequence[int], page: Sequence[Block], elsewhere: Collection[int]) -> list[int]:
    """`places` without those whose blocks stand elsewhere on the site too, unless that is much of them."""
    if not elsewhere:
        return list(places)
    repeated = {place for place in places if page[place].words >= SHORTEST_MARKED and _mark(page[place]) in elsewhere}
    total = sum(page[place].words for place in places)
    if sum(page[place].words for place in repeated) > MOST_REPEATED * total:
        return list(places)
    return [place for place in places if place not in repeated]


def _mark(block: Block) -> int:
    letters = "".join(filter(str.isalnum, block.text))
    # Signed, as databases keep numbers.
    return int.from_bytes(blake2b(letters.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)
