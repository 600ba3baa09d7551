"""Weighting: how much a shared stretch proves, in units, after all discounts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from fingerprint.characters.tables import code_points
from fingerprint.model import FIRST_DIGIT, Initials
from matcher.alignment.align import Block, Grams, Mask
from matcher.alignment.kept_values import kept
from matcher.discounts.long_names import name_units
from matcher.discounts.notices import notice_units
from matcher.discounts.page_edges import edge_length
from matcher.discounts.quotations import quoted_units
from matcher.discounts.repetitions import said_before
from matcher.discounts.source_code import code_units
from matcher.discounts.teasers import is_teaser
from matcher.discounts.title_lists import title_units
from matcher.discounts.verbatim import characters_of, sentence_starts
from matcher.judgement.run_units import (
    ALONE,
    BEGINS,
    BOTH_QUOTED,
    CODE,
    FIGURE,
    NAME,
    NOTICE,
    NOTICES,
    PROOF,
    QUOTED,
    SLIVER,
    TITLE,
    VERBATIM,
    WORD,
    Counts,
    Marks,
    unit_weights,
    weigh,
)
from matcher.judgement.segments import Part

FIRST_IDEOGRAPH: Final = 0x2E80
"""Code points below are of scripts written in words and spaces."""


@dataclass(frozen=True, slots=True)
class ProofWeights:
    """What a matched unit counts. A Han character counts 1."""

    word: float = 1.4
    """A unit of a word of letters: a word has one to four, and 20 words carry as much as 50 characters."""
    name: float = 0.7
    """A unit of a long name in capital letters: people at one institute share its address."""
    code: float = 0.25
    """A unit of program code: about 80 words of it prove as much as 15 words of prose, and all of it no more than the
    prose of its passage: every explanation of a library quotes its source.
    """
    edge: float = 0.35
    """At the top of both texts or at the bottom of both: a masthead of 110 units proves as much as 40 of the body."""
    facts: float = 0.1
    """Where the wording is shared and the numbers are not: last week's price list."""
    quoted: float = 0.5
    """Inside quotation marks in one of the texts: quoting is allowed within limits."""
    teaser: float = 0.25
    """In the first lines of a text that the other one lists: an index is not a copy."""
    both_quote: float = 0.35
    """In a passage that both texts mark as a quotation: both may have it from elsewhere."""
    titles: float = 0.35
    """In a list of titles in both texts: they name the same works."""
    notice: float = 0.0
    """In a line at an edge of both texts that has the form of a notice: a licence, a credit, an address."""
    again: float = 0.0
    """Units that repeat earlier units of the passages: a form filled in line by line."""


DEFAULT_WEIGHTS: Final = ProofWeights()
WEIGHTS_WITH_NOTICES: Final = replace(DEFAULT_WEIGHTS, notice=1.0)
"""For a first judgement that only selects the pairs for a second one, without their notices."""
BESIDE_EDGES: Final = replace(DEFAULT_WEIGHTS, edge=1.0, code=1.0, titles=1.0, again=1.0)
"""For a match without the edges that other pages of its hosts repeat. These identify mastheads and menus, so that a
lead, a listing or a list that is left counts in full.
"""

KEPT_SIDES: Final = 8
"""Texts whose unit weights are cached: one text is judged against many, with up to three sets of weights."""
KEPT_UNITS: Final = 3_000_000
"""Units of the texts whose properties are kept: some 30 MB. The copies of a story are compared with each new one, and
its properties took a quarter of the time of a pair.
"""

QUOTATION: Final = 0.7
"""Share of matched units from which a passage is one quotation, not a dialogue copied with its marks."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """`proof` counts towards the pair as a whole, `alone` for the passage by itself."""

    part: Part
    proof: float
    alone: float = 0.0
    """Lower than `proof` for code, edges, quotations, lists and repetitions: they prove less unless they are most of a
    text.
    """
    verbatim: float = 0.0
    """Part of `alone`: the proof of the best stretch with no character changed that contains the end of a sentence."""
    notices: int = 0
    """Matched units in notices of both texts."""

    @property
    def block(self) -> Block:
        return self.part.block

    @property
    def is_boilerplate(self) -> bool:
        return self.part.is_boilerplate


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Properties of one of the two texts, unit by unit."""

    marks: Marks
    weights: Counts
    """Weights of each unit in two rows: towards the whole, and for its passage."""
    characters: Grams


@lru_cache(maxsize=KEPT_SIDES)
def _side(text: Initials, weights: ProofWeights) -> _Side:
    marks, characters = _properties(text)
    return _Side(marks, unit_weights(marks, weights.word, weights.name, weights.code), characters)


@kept(KEPT_UNITS, size=len)
def _properties(text: Initials) -> tuple[Marks, Grams]:
    """Return the marks of each unit, and the number of its characters."""
    marks = np.zeros(len(text), dtype=np.uint8)
    for mark, units in (
        (FIGURE, text.codes >= FIRST_DIGIT),
        (WORD, _is_word(text)),
        (NAME, name_units(text)),
        (QUOTED, quoted_units(text)),
        (TITLE, title_units(text)),
        (NOTICE, notice_units(text)),
        (CODE, code_units(text)),
        (BEGINS, sentence_starts(text)),
    ):
        marks |= units.view(np.uint8) * np.uint8(mark)
    return marks, characters_of(text)


def most_weights(text: Initials, weights: ProofWeights, *, at_first_sight: bool) -> Counts:
    """Return what each unit of a text weighs at most, in the rows of `unit_weights`.

    `at_first_sight`: by its script alone, without looking for long names and code.
    """
    return _plain_weights(text, weights.word) if at_first_sight else _side(text, weights).weights


@lru_cache(maxsize=KEPT_SIDES)
def _plain_weights(text: Initials, word: float) -> Counts:
    return unit_weights(_is_word(text).view(np.uint8) * np.uint8(WORD), word, word, word)


def _is_word(text: Initials) -> Mask:
    """Return which units are of words of letters."""
    points = code_points(text.canonical.text).take(text.chars_from)
    return (points < FIRST_IDEOGRAPH) & (text.codes < FIRST_DIGIT)


class Scales:
    """Weighs the parts of one pair of texts. `of_all`: the factor of every unit of the pair (0…1)."""

    def __init__(self, left: Initials, right: Initials, *, of_all: float, weights: ProofWeights) -> None:
        self._texts = left, right
        self._left, self._right = _side(left, weights), _side(right, weights)
        self._weights = weights
        edges = edge_length(len(left)), edge_length(len(right))
        of_units = weights.quoted, weights.edge, weights.titles, weights.notice, weights.again, weights.code
        self._numbers = np.array([of_all, *of_units, *edges], dtype=np.float64)

    def weigh(self, parts: Sequence[Part]) -> list[Weighed]:
        """Return what each part proves, given those before it."""
        left, right = self._texts
        blocks = [part.block for part in parts if not part.is_boilerplate]
        before = said_before(left.codes, [(block.left, block.left_end) for block in blocks])
        other = said_before(right.codes, [(block.right, block.right_end) for block in blocks])
        said = zip(before, other, strict=True)
        return [Weighed(part, 0.0) if part.is_boilerplate else self._weigh(part, *next(said)) for part in parts]

    def _weigh(self, part: Part, said: Mask, other_said: Mask) -> Weighed:
        """Weigh a part. One that proves next to nothing by itself (line numbers of a listing) becomes boilerplate."""
        left, right = self._left, self._right
        found = weigh(
            np.array(part.block.runs, dtype=np.int64),
            *(left.marks, right.marks, left.weights, right.weights, left.characters, right.characters),
            *(said, other_said, self._numbers),
        ).tolist()
        if found[PROOF] < SLIVER:
            return Weighed(replace(part, is_boilerplate=True), 0.0)
        known = self._known(part.block, both_quoted=found[BOTH_QUOTED])
        return Weighed(part, found[PROOF], known * found[ALONE], known * found[VERBATIM], int(found[NOTICES]))

    def _known(self, block: Block, *, both_quoted: float) -> float:
        """Return the factor by which a passage of a known form counts."""
        if is_teaser(block, *self._texts):
            return self._weights.teaser
        return self._weights.both_quote if both_quoted >= QUOTATION * block.matched else 1.0
