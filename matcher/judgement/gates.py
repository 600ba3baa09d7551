"""The gates: conditions on what two texts share, one of which is enough for a match. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from matcher.judgement.weighting import Weighed


@dataclass(frozen=True, slots=True)
class MatchThresholds:
    """When shared passages make a match. Units are characters of Han text or parts of words."""

    dense: float = 0.5
    """A block with at least this share of its stretch matched is dense."""
    dense_proof: int = 50
    """Proof times the share matched, to the power of `thinning`, that one dense block must hold."""
    thinning: int = 2
    """50 characters in a row, or 70 of which one in ten was edited: what texts say alike by chance is never whole."""
    verbatim_proof: int = 44
    """The same of a stretch in which no character was changed: a passage of 60 with its punctuation and figures."""
    several_each: int = 25
    """The same of each of several dense blocks: set phrases and names of things are shorter."""
    several_proof: int = 70
    """What these must hold together: who took two sentences elsewhere took this one too."""
    sparse: float = 0.25
    sparse_proof: int = 120
    """A block that is heavily edited must be longer."""
    scattered_share: float = 0.15
    scattered_proof: int = 60
    """Many short passages are an article that was worked over, if together they are this much of the shorter text."""
    whole_share: float = 0.5
    whole_proof: int = 16
    """A short text that is mostly the other one is a copy although it is short."""


DEFAULT_THRESHOLDS: Final = MatchThresholds()
BESIDE_EDGES: Final = replace(DEFAULT_THRESHOLDS, dense_proof=DEFAULT_THRESHOLDS.several_each)
"""For what a match holds beside the edges that other pages of its hosts repeat: whatever is longer than a set phrase
keeps it a match, since pages that have no more than a footer in common have nothing there.
"""


class GateKind(StrEnum):
    """What a gate measures: units of proof, or a share of the shorter text."""

    DENSE = "dense"
    VERBATIM = "verbatim"
    SEVERAL = "several"
    EDITED = "edited"
    SCATTERED = "scattered"
    WHOLE = "whole"
    REORDERED = "reordered"


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition, what was measured, and what was needed."""

    kind: GateKind
    measured: float
    needed: float
    least: int = 0
    """Units of proof from which the measure counts at all, where there is such a bound."""

    @property
    def passed(self) -> bool:
        return self.measured >= self.needed

    @property
    def is_share(self) -> bool:
        """Whether it measures a share, 0…1, and not units."""
        return self.kind in {GateKind.SCATTERED, GateKind.WHOLE}


def gates_of(weighed: Sequence[Weighed], proof: float, shorter: int, thresholds: MatchThresholds) -> tuple[Gate, ...]:
    """The gates of aligned texts. `proof`: of all passages; `shorter`: units of the shorter text."""
    dense = [
        item.alone * item.block.density**thresholds.thinning
        for item in weighed
        if item.block.density >= thresholds.dense
    ]
    several = [proof for proof in dense if proof >= thresholds.several_each]
    sparse = max((item.alone for item in weighed if item.block.density >= thresholds.sparse), default=0.0)
    verbatim = max((item.verbatim for item in weighed), default=0.0)
    # Needs both: the share must be high and the text long enough to mean something.
    whole = proof / shorter if shorter and proof >= thresholds.whole_proof else 0.0
    pieces = sum(item.alone for item in weighed if item.block.density >= thresholds.sparse)
    scattered = pieces / shorter if shorter and pieces >= thresholds.scattered_proof else 0.0
    together = sum(several) if len(several) > 1 else 0.0
    return (
        Gate(GateKind.DENSE, max(dense, default=0.0), thresholds.dense_proof),
        Gate(GateKind.VERBATIM, verbatim, thresholds.verbatim_proof),
        Gate(GateKind.SEVERAL, together, thresholds.several_proof, thresholds.several_each),
        Gate(GateKind.EDITED, sparse, thresholds.sparse_proof),
        Gate(GateKind.SCATTERED, scattered, thresholds.scattered_share, thresholds.scattered_proof),
        Gate(GateKind.WHOLE, whole, thresholds.whole_share, thresholds.whole_proof),
    )
