"""Boilerplate classifier: judges repeated runs by the unrelated families that hold them, not by page count.

A legal notice is in articles that have nothing else in common; a popular story's passages are in copies of that story.
A plain document-frequency rule cannot distinguish the two: with seven more verbatim copies of each source in the store
it reduced recall from 1.00 to 0. So the rest of the page always decides.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final

import numpy as np

from fingerprint.model import UnitCodes
from fingerprint.winnowing import DEFAULT_SEEDS, SeedArrays
from matcher.alignment.align import Grams, Mask, unit_grams
from matcher.boilerplate.covering import units_covered
from matcher.boilerplate.spread_loops import agreed_units, shared_numbers

GRAM: Final = 8
"""Units of the grams by which a learned run is recognised inside a passage: the same as in the alignment."""


@dataclass(frozen=True, slots=True)
class LearningThresholds:
    """Thresholds from which a repeated run is boilerplate."""

    site_families: int = 10
    """Unrelated pages of one site that hold one seed. A run as long as a window leaves one on half of its pages."""
    owners: int = 5
    """Owners of unrelated pages for a run that proves nothing on any site."""
    common_share: float = 0.5
    """Share of the sample from which a seed is common."""
    story_page: float = 0.5
    """Share of common units from which a page is a copy and not a page with boilerplate."""
    story_share: float = 0.2
    """Share of such pages in the sample from which the run belongs to a story, if the common part is long."""
    story_seeds: int = 4
    """Common seeds, about 160 units, of a long common part; shorter notices fill many a page that has little else."""
    mostly_story: float = 0.5
    """Share of such pages from which the run belongs to a story however short: a flash that everybody republished."""
    related: float = 0.25
    """Share of the smaller page's remaining seeds that two pages of one family have in common."""
    least_shared: int = 2
    """Seeds; two short pages have one in common by chance, or all they have because they are one text."""
    agreement: float = 0.6
    """Share of the sample that must agree on a unit for the run to continue."""
    longest: int = 400
    """Most units. Notices, footers and mastheads are shorter; a longer run is a text of its own."""
    reach: int = 2_000
    """Units compared on either side of the seed."""


@dataclass(frozen=True, eq=False)
class Holder:
    """A text that holds the seed: its units, the place of the seed, all its seeds, and its owners."""

    codes: UnitCodes
    position: int
    placed: SeedArrays
    owner_keys: frozenset[str]

    @cached_property
    def seeds(self) -> frozenset[int]:
        return frozenset(self.placed.hashes.tolist())

    def seeds_outside(self, before: int, after: int) -> frozenset[int]:
        """Return seeds that touch none of the units from `before` ahead of the seed to `after` behind its start."""
        starts = self.placed.positions
        outside = (starts + DEFAULT_SEEDS.k <= self.position - before) | (starts >= self.position + after)
        return frozenset(self.placed.hashes[outside].tolist())


@dataclass(frozen=True, slots=True)
class Spread:
    """Spread of a repeated run: its units, and the number of unrelated families and of owners that hold it."""

    units: bytes
    families: int
    owners: int
    is_story: bool


DEFAULT_LEARNING: Final = LearningThresholds()


def spread_of(holders: Sequence[Holder], thresholds: LearningThresholds = DEFAULT_LEARNING) -> Spread:
    """Return the spread of the run around a shared seed in a sample of the texts that hold it."""
    left, right = _sides(holders, thresholds)
    units = np.concatenate([left, right])
    common = _common_seeds(holders, thresholds)
    run = gram_index([units.tobytes()])
    bearers = [holder for holder in holders if not _is_mostly(holder, common, run, thresholds)]
    copies = len(holders) - len(bearers)
    needed = thresholds.story_share if len(common) >= thresholds.story_seeds else thresholds.mostly_story
    is_story = copies >= needed * len(holders) or len(units) > thresholds.longest
    # By position and not only by hash: at its edges a run makes seeds with its context, of a few pages each.
    families = _families([holder.seeds_outside(len(left), len(right)) - common for holder in bearers], thresholds)
    owners = _owners(bearers, families)
    return Spread(units.tobytes(), len(set(families)), owners, is_story)


def _is_mostly(holder: Holder, common: frozenset[int], run: Grams, thresholds: LearningThresholds) -> bool:
    """Return whether a page is little more than the sample's common part: by its seeds, of which an edited copy keeps
    some, or by its units, of which a short one has more to count.
    """
    by_seeds = len(holder.seeds & common) > thresholds.story_page * len(holder.seeds)
    return by_seeds or bool(covered(holder.codes, run).mean() > thresholds.story_page)


def _sides(holders: Sequence[Holder], thresholds: LearningThresholds) -> tuple[UnitCodes, UnitCodes]:
    """Return the units around the seed on which most of the sample agrees, up to the first on which it does not: those
    before the seed, and those from it on.
    """
    units = np.concatenate([holder.codes for holder in holders])
    sizes = np.array([len(holder.codes) for holder in holders], dtype=np.int64)
    ends = np.cumsum(sizes)
    begins = ends - sizes
    places = begins + np.array([holder.position for holder in holders], dtype=np.int64)
    least = max(2.0, thresholds.agreement * len(holders))
    right = agreed_units(units, places, ends, 1, least, thresholds.reach)
    left = agreed_units(units, places - 1, begins - 1, -1, least, thresholds.reach)
    return left[::-1], right


def _common_seeds(holders: Sequence[Holder], thresholds: LearningThresholds) -> frozenset[int]:
    counts = Counter(chain.from_iterable(holder.seeds for holder in holders))
    needed = max(2.0, thresholds.common_share * len(holders))
    return frozenset(seed for seed, count in counts.items() if count >= needed)


def _families(remains: Sequence[frozenset[int]], thresholds: LearningThresholds) -> list[int]:
    """A family number for each page: pages whose remaining seeds overlap are one family."""
    begins = np.cumsum([0, *map(len, remains)])
    numbers = np.fromiter(chain.from_iterable(map(sorted, remains)), dtype=np.int32, count=int(begins[-1]))
    shared = shared_numbers(numbers, begins)
    smaller = np.minimum.outer(np.diff(begins), np.diff(begins))
    enough = (shared >= thresholds.least_shared) | (shared == smaller)
    related = (shared > 0) & (shared >= thresholds.related * smaller) & enough
    family = list(range(len(remains)))
    for one, other in np.argwhere(np.tril(related, -1)).tolist():
        if family[one] != family[other]:
            old, new = family[one], family[other]
            family = [new if number == old else number for number in family]
    return family


def _owners(bearers: Sequence[Holder], families: Sequence[int]) -> int:
    """Return the number of owners with a family of their own: a family spread over ten owners counts once."""
    first = {family: bearer.owner_keys for family, bearer in reversed(list(zip(families, bearers, strict=True)))}
    return len({min(keys) for keys in first.values() if keys})


def gram_index(runs: Iterable[bytes]) -> Grams:
    """Return the grams of learned runs, sorted, for `covered`."""
    grams = [unit_grams(np.frombuffer(run, dtype=np.uint8), GRAM) for run in runs]
    return np.unique(np.concatenate(grams)) if grams else np.empty(0, dtype=np.uint64)


def covered(codes: UnitCodes, index: Grams) -> Mask:
    """Return which units are inside a gram of a learned run."""
    return units_covered(codes, index) if len(index) else np.zeros(len(codes), dtype=np.bool_)


def is_due(texts: int, decided_at_texts: int | None) -> bool:
    """Return whether a run in `texts` texts is to be judged: for the first time, or after a fifth as many more."""
    return decided_at_texts is None or 5 * texts >= 6 * decided_at_texts


def verdict(spread: Spread, *, of_site: bool, thresholds: LearningThresholds = DEFAULT_LEARNING) -> bool:
    """Return whether the run proves nothing, on its site or everywhere."""
    if spread.is_story:
        return False
    if of_site:
        return spread.families >= thresholds.site_families
    return spread.owners >= thresholds.owners
