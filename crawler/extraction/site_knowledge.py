"""Knowledge of a site that is used to read its pages, and what a page adds to it. Pure."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Block, is_code
from crawler.extraction.site_rule import ExtractionRule

MARKS_KEPT: Final = 2_000
"""Of one page."""
SHORTEST_MARKED: Final = 6
"""Word characters. Shorter blocks are headings that any article may have: “Summary”."""
MOST_REPEATED: Final = 0.4
"""Share of an article's words that other pages may hold. With more, these are the same article."""


_NO_RULE: Final = ExtractionRule()


@dataclass(frozen=True, slots=True)
class SiteKnowledge:
    """`elsewhere`: marks of blocks that several other pages of the site hold. `first_part`: the address of the
    article of which the page is known to be a later part. `is_article`: a person says that the page is one: whether it
    looks like a list, or a page about its site, is not asked.
    """

    rule: ExtractionRule = _NO_RULE
    elsewhere: frozenset[int] = frozenset()
    first_part: str | None = None
    is_article: bool = False


def marks_of(inside: Iterable[Block]) -> tuple[int, ...]:
    """An article's blocks as numbers, each once: what many articles of a site hold belongs to none of them.

    Code is not marked: its lines repeat by nature.
    """
    long_enough = (block for block in inside if block.words >= SHORTEST_MARKED and not is_code(block))
    return tuple(dict.fromkeys(_mark(block) for block in islice(long_enough, MARKS_KEPT)))


def differs_in_repeats_alone(stored: str, new: str, whole: str) -> bool:
    """Whether a page's text as stored is its text as it is now, but for blocks that repeat across the site.

    `whole` is the text with all of those, `new` the one without: what was stored when fewer of them were known lies
    between the two. Without this, each block that becomes known would make a new version of every page.
    """
    return stored in (new, whole) or (
        _is_within(new.split("\n"), stored.split("\n")) and _is_within(stored.split("\n"), whole.split("\n"))
    )


def _is_within(some: Iterable[str], all_of_them: Iterable[str]) -> bool:
    """Whether all of `some` are in the other, in the same order."""
    rest = iter(all_of_them)
    return all(line in rest for line in some)


def without_repeated(places: Sequence[int], page: Sequence[Block], elsewhere: Collection[int]) -> list[int]:
    """`places` without those whose blocks repeat across the site too, unless that is much of them."""
    if not elsewhere:
        return list(places)
    repeated = {
        place
        for place in places
        if page[place].words >= SHORTEST_MARKED and not is_code(page[place]) and _mark(page[place]) in elsewhere
    }
    total = sum(page[place].words for place in places)
    if sum(page[place].words for place in repeated) > MOST_REPEATED * total:
        return list(places)
    return [place for place in places if place not in repeated]


def _mark(block: Block) -> int:
    # Signed, as databases keep numbers.
    return int.from_bytes(blake2b(block.letters.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)
