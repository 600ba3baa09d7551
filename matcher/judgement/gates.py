"""The gates: conditions on the shared passages, one of which is enough for a match. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from matcher.judgement.weighting import Weighed


@dataclass(frozen=True, slots=True)
class MatchThresholds:
    """When shared passages make a match. Units are characters of Han text or parts of words."""

    dense: float = 0.5
    """Least share of matched units in the stretch of a dense block."""
    dense_proof: int = 50
    """Proof times the matched share to the power of `thinning` that one dense block must have."""
    thinning: int = 2
    """50 characters in a row, or 70 with one in ten edited: text that is shared by chance is never unbroken."""
    verbatim_proof: int = 44
    """The same for a stretch with no character changed: a passage of 60 with its punctuation and figures."""
    several_each: int = 25
    """The same for each of several dense blocks: set phrases and names of things are shorter."""
    several_proof: int = 70
    """Least proof of these together: two sentences copied elsewhere make a third one likely."""
    sparse: float = 0.25
    sparse_proof: int = 120
    """Least proof of a heavily edited block: it must be longer."""
    scattered_share: float = 0.15
    scattered_proof: int = 60
    """Least share of the shorter text for many short passages: a heavily edited article."""
    whole_share: float = 0.5
    whole_proof: int = 16
    """Least share of a short text: a short text that is mostly the other one is a copy although it is short."""


DEFAULT_THRESHOLDS: Final = MatchThresholds()
BESIDE_EDGES: Final = replace(DEFAULT_THRESHOLDS, dense_proof=DEFAULT_THRESHOLDS.several_each)
"""For a match without the edges that other pages of its hosts repeat: anything longer than a set phrase keeps it a
match, since pages with only a footer in common have nothing left.
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
    """One condition: the value measured and the value needed."""

    kind: GateKind
    measured: float
    needed: float
    least: int = 0
    """Least units of proof for the measure to count, if there is such a bound."""

    @property
    def passed(self) -> bool:
        return self.measured >= self.needed

    @property
    def is_share(self) -> bool:
        """Whether the gate measures a share, 0…1, instead of units."""
        return self.kind in {GateKind.SCATTERED, GateKind.WHOLE}


def gates_of(weighed: Sequence["Weighed"], proof: float, shorter: int, thresholds: MatchThresholds) -> tuple[Gate, ...]:
    """Return the gates of two aligned texts. `proof`: of all passages; `shorter`: units of the shorter text."""
    dense = [
        item.alone * item.block.density**thresholds.thinning
        for item in weighed
        if item.block.density >= thresholds.dense
    ]
    several = [proof for proof in dense if proof >= thresholds.several_each]
    sparse = max((item.alone for item in weighed if item.block.density >= thresholds.sparse), default=0.0)
    verbatim = max((item.verbatim for item in weighed), default=0.0)
    # Both are required: a high share, and a text long enough for it to mean something.
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
