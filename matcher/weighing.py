"""What a shared stretch proves, in units: all of it that cannot be explained by anything but copying."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.model import FIRST_DIGIT, Initials, UnitCodes
from matcher.align import Block, Mask, Run
from matcher.code import is_code
from matcher.edges import at_same_edge
from matcher.parts import SLIVER, Part
from matcher.quotations import quoted_units


@dataclass(frozen=True, slots=True)
class ProofWeights:
    """What a matched unit counts where something else than copying may explain it, 0…1."""

    code: float = 0.35
    """Of a passage of program code: some 60 words of it prove what 22 words of prose do."""
    edge: float = 0.35
    """At the top of both texts or at the bottom of both: a masthead of 110 units proves what 40 of the body do."""
    facts: float = 0.1
    """Where the wording is shared and the numbers are not: last week's price list."""
    quoted: float = 0.5
    """Inside quotation marks: quoting is allowed, but not without end."""


DEFAULT_WEIGHTS: Final = ProofWeights()


@dataclass(frozen=True, slots=True)
class Weighed:
    """`proof` counts towards what two texts share in all, `alone` for the passage by itself."""

    part: Part
    proof: float
    alone: float = 0.0
    """Less than `proof` in code and at the edges: they prove less where they are not most of a text."""

    @property
    def block(self) -> Block:
        return self.part.block

    @property
    def is_boilerplate(self) -> bool:
        return self.part.is_boilerplate


class Scales:
    """Weighs the parts of one pair of texts. `of_all`: what every unit of the pair counts (0…1)."""

    def __init__(self, left: Initials, right: Initials, *, of_all: float, weights: ProofWeights) -> None:
        self._left, self._right = left, right
        self._of_all, self._weights = of_all, weights
        self._left_quoted, self._right_quoted = quoted_units(left), quoted_units(right)

    def weigh(self, part: Part) -> Weighed:
        """What proves next to nothing by itself (the line numbers of a listing) is shown as what it is."""
        if part.is_boilerplate:
            return Weighed(part, 0.0)
        unquoted = [self._unquoted(run) for run in part.block.runs]
        proof = self._of_all * _sum(part.block, self._left.codes, unquoted)
        if proof < SLIVER:
            return Weighed(Part(part.block, is_boilerplate=True), 0.0)
        if self._is_code(part.block):
            return Weighed(part, proof, self._weights.code * proof)
        inner = [counts * self._inner(run) for run, counts in zip(part.block.runs, unquoted, strict=True)]
        return Weighed(part, proof, self._of_all * _sum(part.block, self._left.codes, inner))

    def _unquoted(self, run: Run) -> npt.NDArray[np.float64]:
        # A quotation is what one side marks and the other does not: dialogue copied with its marks is copied.
        excused = self._left_quoted[run.left : run.left_end] ^ self._right_quoted[run.right : run.right_end]
        return self._counts(excused, self._weights.quoted)

    def _inner(self, run: Run) -> npt.NDArray[np.float64]:
        return self._counts(at_same_edge(run, len(self._left), len(self._right)), self._weights.edge)

    @staticmethod
    def _counts(marked: Mask, weight: float) -> npt.NDArray[np.float64]:
        return np.where(marked, weight, 1.0)

    def _is_code(self, block: Block) -> bool:
        start, end = self._left.source_span(block.left, block.left_end - 1)
        return is_code(self._left.canonical.source[start:end])


def _sum(block: Block, codes: UnitCodes, counts: list[npt.NDArray[np.float64]]) -> float:
    """The counts of a block's matched units, in which figures count no more than the words around them.

    The line numbers beside a listing run from 1 to 500 in any two listings.
    """
    words = figures = 0.0
    for run, count in zip(block.runs, counts, strict=True):
        is_figure = codes[run.left : run.left_end] >= FIRST_DIGIT
        words += float(count[~is_figure].sum())
        figures += float(count[is_figure].sum())
    return words + min(words, figures)
