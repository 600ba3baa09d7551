"""Weighting: how much a shared stretch proves, in units, after all discounts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from fingerprint.characters.tables import code_points
from fingerprint.model import FIRST_DIGIT, Initials
from matcher.alignment.align import Block, Grams, Mask
from matcher.discounts.long_names import name_units
from matcher.discounts.notices import notice_units
from matcher.discounts.page_edges import at_same_edge
from matcher.discounts.quotations import quoted_units
from matcher.discounts.repetitions import said_before
from matcher.discounts.source_code import code_units
from matcher.discounts.teasers import is_teaser
from matcher.discounts.title_lists import title_units
from matcher.discounts.verbatim import BESIDE, LEAST, characters_of, sentence_starts
from matcher.judgement.run_units import Counts, RunUnits, Stretch, Tally
from matcher.judgement.segments import SLIVER, Part

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
"""Texts whose unit properties are cached: one text is judged against many, with up to three sets of weights."""

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

    is_figure: Mask
    quoted: Mask
    titles: Mask
    notices: Mask
    each: Counts
    """Weight of a unit towards the whole."""
    alone: Counts
    """Weight of a unit for its passage."""
    code: Mask
    characters: Grams
    begins: Mask
    """Start of a sentence."""


@lru_cache(maxsize=KEPT_SIDES)
def _side(text: Initials, weights: ProofWeights) -> _Side:
    is_figure = text.codes >= FIRST_DIGIT
    is_word = (code_points(text.canonical.text)[text.chars_from] < FIRST_IDEOGRAPH) & ~is_figure
    is_name = is_word & name_units(text)
    each = np.where(is_name, weights.name, np.where(is_word, weights.word, 1.0))
    code = code_units(text)
    return _Side(
        is_figure=is_figure,
        quoted=quoted_units(text),
        titles=title_units(text),
        notices=notice_units(text),
        each=each,
        alone=np.where(code, weights.code, each),
        code=code,
        characters=characters_of(text),
        begins=sentence_starts(text),
    )


class Scales:
    """Weighs the parts of one pair of texts. `of_all`: the factor of every unit of the pair (0…1)."""

    def __init__(self, left: Initials, right: Initials, *, of_all: float, weights: ProofWeights) -> None:
        self._texts = left, right
        self._lengths = len(left), len(right)
        self._left, self._right = _side(left, weights), _side(right, weights)
        self._of_all, self._weights = of_all, weights

    def weigh(self, parts: Sequence[Part]) -> list[Weighed]:
        """Return what each part proves, given those before it."""
        left, right = self._texts
        blocks = [part.block for part in parts if not part.is_boilerplate]
        before = said_before(left.codes, [(block.left, block.left_end) for block in blocks])
        other = said_before(right.codes, [(block.right, block.right_end) for block in blocks])
        said = zip(before, other, strict=True)
        return [Weighed(part, 0.0) if part.is_boilerplate else self._weigh(part, *next(said)) for part in parts]

    def _weigh(self, part: Part, before: Mask, other: Mask) -> Weighed:
        """Weigh a part. One that proves next to nothing by itself (line numbers of a listing) becomes boilerplate."""
        block = part.block
        units = RunUnits.of(block.runs)
        is_figure = self._left.is_figure.take(units.left)
        quoted = self._left.quoted.take(units.left), self._right.quoted.take(units.right)
        # A quotation is marked on one side only: dialogue copied with its marks is a copy.
        excused = np.where(np.logical_xor(*quoted), self._weights.quoted, 1.0)
        each = excused * np.minimum(self._left.each.take(units.left), self._right.each.take(units.right))
        proof = self._proof(Tally(each, is_figure), units.runs)
        if proof < SLIVER:
            return Weighed(replace(part, is_boilerplate=True), 0.0)
        again = before.take(units.left - block.left) | other.take(units.right - block.right)
        alone = excused * np.minimum(self._left.alone.take(units.left), self._right.alone.take(units.right))
        alone = self._alone(units, alone) * np.where(again, self._weights.again, 1.0)
        is_code = self._is_bounded_code(units)
        prose, code = Tally(np.where(is_code, 0.0, alone), is_figure), Tally(np.where(is_code, alone, 0.0), is_figure)
        unchanged = self._left.characters.take(units.left) == self._right.characters.take(units.right)
        begins = self._left.begins.take(units.left) | self._right.begins.take(units.right)
        verbatim = [
            self._alone_proof(prose, code, [(start, end)])
            for start, end in units.stretches(unchanged, LEAST)
            if begins[start + BESIDE : end - BESIDE + 1].any()
        ]
        known = self._known(block, both_quoted=int(np.logical_and(*quoted).sum()))
        by_itself = self._alone_proof(prose, code, units.runs)
        return Weighed(
            part, proof, known * by_itself, known * max(verbatim, default=0.0), int(self._in_notices(units).sum())
        )

    def _is_bounded_code(self, units: RunUnits) -> Mask:
        """Return the units of code; none if code counts as much as prose, and is not bounded by the prose around it."""
        is_code: Mask = self._left.code.take(units.left) | self._right.code.take(units.right)
        return is_code if self._weights.code < 1.0 else np.zeros_like(is_code)

    def _alone(self, units: RunUnits, each: Counts) -> Counts:
        """Return what units count for their passage after the discounts of their position."""
        at_edge = at_same_edge(units.left, units.right, *self._lengths)
        each = np.where(at_edge, np.minimum(each, self._weights.edge), each)
        listed = self._left.titles.take(units.left) & self._right.titles.take(units.right)
        each = np.where(listed, np.minimum(each, self._weights.titles), each)
        return np.where(self._in_notices(units), np.minimum(each, self._weights.notice), each)

    def _in_notices(self, units: RunUnits) -> Mask:
        inside: Mask = self._left.notices.take(units.left) & self._right.notices.take(units.right)
        return inside

    def _known(self, block: Block, *, both_quoted: int) -> float:
        """Return the factor by which a passage of a known form counts."""
        if is_teaser(block, *self._texts):
            return self._weights.teaser
        return self._weights.both_quote if both_quoted >= QUOTATION * block.matched else 1.0

    def _alone_proof(self, prose: Tally, code: Tally, stretches: Sequence[Stretch]) -> float:
        """Return what stretches of a passage prove by themselves; code counts no more than the prose around it."""
        in_words = self._proof(prose, stretches)
        return in_words + min(in_words, self._proof(code, stretches))

    def _proof(self, tally: Tally, stretches: Sequence[Stretch]) -> float:
        """Return what stretches count; figures count no more than the words around them.

        The line numbers beside a listing run from 1 to 500 in any two listings.
        """
        words, figures = tally.of(stretches)
        return self._of_all * (words + min(words, figures))
