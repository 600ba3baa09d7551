"""Pages, their sites, and the copies between them: many small sites and stories, few large ones. Pure."""

import random
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

from benchmarks.common.made_up_store import site_host
from storage.types import Credit, MatchKind

OUR_SITES: Final = 6
OUR_OWNERS: Final = 2
OURS_EVERY: Final = 10
"""Every tenth page is ours."""
_SITELESS_SHARE: Final = 0.03
_MOST_SITES: Final = 400
_PAGES_A_SITE: Final = 500
_MANY_COPIES: Final = 2
"""Exponent: of a hundred thousand matches three hundred are of one story, and half of all of a quarter of them."""
_KINDS: Final[Mapping[MatchKind, int]] = {
    MatchKind.IDENTICAL: 12,
    MatchKind.NEAR: 45,
    MatchKind.EMBEDDED: 18,
    MatchKind.EXCERPT: 18,
    MatchKind.MOSAIC: 5,
    MatchKind.SCRAMBLED: 2,
}
_CREDITS: Final[Mapping[Credit, int]] = {Credit.NONE: 70, Credit.NAMED: 20, Credit.LINKED: 10}
_THEIRS_SHARE: Final = 0.04
"""Share of matches whose source is the other page."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Page `theirs` and our page `ours` share passages."""

    ours: int
    theirs: int
    kind: MatchKind
    credit: Credit
    theirs_is_source: bool

    @property
    def their_text(self) -> int:
        """Whether the copy is verbatim: then both pages share a row of texts."""
        return self.ours if self.kind is MatchKind.IDENTICAL else self.theirs


@dataclass(frozen=True)
class World:
    """Pages, texts and matches by number, from 1. The same numbers and seed make the same world."""

    pages: int
    matches: int
    seed: int

    @property
    def sites(self) -> int:
        return min(_MOST_SITES, max(OUR_SITES + 10, self.pages // _PAGES_A_SITE))

    @property
    def owners(self) -> int:
        return self.owner_of_site(self.sites)

    def owner_of_site(self, site: int) -> int:
        """Owner of a site: three of ours have one owner; of the others each third has the owner of the one before."""
        if site <= OUR_SITES:
            return 1 + (site - 1) // (OUR_SITES // OUR_OWNERS)
        others = site - OUR_SITES
        return OUR_OWNERS + others - others // 3

    @cached_property
    def site_of(self) -> "array[int]":
        """Site by page; 0 if the page belongs to no site. Index 0 belongs to no page."""
        chance = self._chance("sites")
        ours, theirs = range(1, OUR_SITES + 1), range(OUR_SITES + 1, self.sites + 1)
        weights = [list(accumulate(1 / (rank + 3) for rank in range(len(group)))) for group in (ours, theirs)]
        found = array("H", [0])
        for page in range(1, self.pages + 1):
            is_ours = page % OURS_EVERY == 0
            if not is_ours and chance.random() < _SITELESS_SHARE:
                found.append(0)
            else:
                group, weight = (ours, weights[0]) if is_ours else (theirs, weights[1])
                found.append(chance.choices(group, cum_weights=weight)[0])
        return found

    @cached_property
    def copies(self) -> tuple[Copy, ...]:
        """All copies, each on another page that is not ours; the most copied story is the first of ours."""
        chance = self._chance("copies")
        ours, others = self.pages // OURS_EVERY, self.pages - self.pages // OURS_EVERY
        step = others // self.matches
        kinds, credits = list(_KINDS), list(_CREDITS)
        weights_of_kinds, weights_of_credits = list(_KINDS.values()), list(_CREDITS.values())
        return tuple(
            Copy(
                ours=OURS_EVERY * (1 + int(ours * chance.random() ** _MANY_COPIES)),
                theirs=_other_page(number * step),
                kind=chance.choices(kinds, weights=weights_of_kinds)[0],
                credit=chance.choices(credits, weights=weights_of_credits)[0],
                theirs_is_source=chance.random() < _THEIRS_SHARE,
            )
            for number in range(self.matches)
        )

    @cached_property
    def copied(self) -> Mapping[int, int]:
        """Number of copies of each of our pages that was copied."""
        counted: dict[int, int] = {}
        for copy in self.copies:
            counted[copy.ours] = counted.get(copy.ours, 0) + 1
        return counted

    @cached_property
    def shared_texts(self) -> frozenset[int]:
        """Pages whose text is a verbatim copy of another page's."""
        return frozenset(copy.theirs for copy in self.copies if copy.their_text != copy.theirs)

    def host_of(self, page: int) -> str:
        site = self.site_of[page]
        return site_host(site) if site else f"blog{page % 4_999}.example"

    def owner_key_of(self, page: int) -> str:
        site = self.site_of[page]
        return f"owner:{self.owner_of_site(site)}" if site else f"host:{self.host_of(page)}"

    def _chance(self, what: str) -> random.Random:
        return random.Random(f"{self.seed} {what}")  # a made-up store


def _other_page(number: int) -> int:
    """The page with this index, from 0, among those that are not ours."""
    return number + number // (OURS_EVERY - 1) + 1
