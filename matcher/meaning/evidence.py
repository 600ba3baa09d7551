"""What speaks for a retelling, as numbers, and the score that these numbers make.

Two logistic regressions, fitted by `python -m benchmarks.meaning.fit`: one for stretches of longer texts, one for pairs
of short texts, which have too few sentences for an order. `docs/measures.md` says what they were fitted on.
"""

from collections.abc import Sequence
from math import exp, log1p
from typing import Final, NamedTuple

from matcher.meaning.in_common import NOTHING_IN_COMMON, InCommon
from matcher.meaning.rivals import NOTHING_WON, Won
from matcher.meaning.wholes import NOTHING_ALIKE, Wholes

FEWEST_SENTENCES: Final = 3
"""Sentences of the shorter text that the score assumes at least."""
ALIKE_FROM: Final = 0.5
"""Similarity of both sides as wholes from which a pair may be one. Of 697 retellings that are named none has less."""
UNLIKE: Final = 0.1
"""Score of a pair with less at most: in a small store much is rare and no rival near, whatever two texts share."""
_MOST_LOGIT: Final = 500.0


class Evidence(NamedTuple):
    """Of a stretch of sentence pairs. `weight`, `in_order`: of the stretch. `rare`: summed rarity of the particulars of
    the pairs that hardly any other text has. `shorter`: sentences of the shorter text. `figures`: those that agree, and
    the most that could. `gain`: mean of the pairs. `density`: pairs per sentence of the stretch. `is_translated`: the
    pairs are in two languages, which share no words and of which unrelated sentences are less alike: the same evidence
    proves more. `wholes`: both sides of the stretch, each read as one. `common`: what both sides name that is rare.
    `won`: what rivals leave to the other text. Its lead counts across languages, where sentences say less.
    """

    weight: float
    in_order: int
    rare: float
    shorter: int
    figures: tuple[int, int]
    gain: float
    density: float
    is_translated: bool = False
    wholes: Wholes = NOTHING_ALIKE
    common: InCommon = NOTHING_IN_COMMON
    won: Won = NOTHING_WON

    def features(self) -> tuple[float, ...]:
        """Return the variables of the regression, in the order of `LONG_WEIGHTS`."""
        common = NOTHING_IN_COMMON if self.is_translated else self.common
        return (
            log1p(self.weight),
            log1p(self.in_order),
            log1p(self.rare),
            log1p(max(FEWEST_SENTENCES, self.shorter)),
            agreement(self.figures),
            self.gain,
            self.density,
            float(self.is_translated),
            self.wholes.similarity,
            self.wholes.rest,
            self.wholes.rival,
            log1p(self.wholes.length),
            log1p(common.rarity),
            common.share,
            self.common.share if self.is_translated else 0.0,
            log1p(self.won.sentences),
            self.won.margin,
            self.won.lead if self.is_translated else 0.0,
        )


NO_EVIDENCE: Final = Evidence(0.0, 0, 0.0, 0, (0, 0), 0.0, 0.0)


class ShortEvidence(NamedTuple):
    """Of two short texts as a whole. `gain`: their similarity above what their sentences have in common with unrelated
    ones. `rare`: summed rarity of shared particulars; `rare_share`: its share of what the poorer text has. `figures` as
    above. `length_ratio`: of the longer to the shorter text, 1 or more.
    """

    gain: float
    rare: float
    rare_share: float
    figures: tuple[int, int]
    length_ratio: float

    def features(self) -> tuple[float, ...]:
        """Return the variables of the regression, in the order of `SHORT_WEIGHTS`."""
        return (self.gain, log1p(self.rare), self.rare_share, agreement(self.figures), log1p(self.length_ratio - 1))


LONG_WEIGHTS: Final = (
    *(1.159, 1.758, 0.590, -2.288, 1.974, 0.234, 2.563, 2.188),
    *(1.591, -5.711, -3.202, 0.274),
    *(0.473, -9.587, 5.949),
    *(0.975, 3.907, 2.075),
)
LONG_BASE: Final = -3.825
"""Fit on 753 true pairs and 1,414 of other texts; standard deviations over eight folds: .19, .27, .05, .06, .32, .26,
.34, .07, .73, .69, .37, .18, .07, .69, .59, .24, .29, .21, and .96 of the base.
"""
SHORT_WEIGHTS: Final = (8.340, 0.425, 17.925, 7.138, -0.795)
SHORT_BASE: Final = -14.245
"""Fit on 397 true pairs and 232 of other short texts; standard deviations: .16, .10, .70, .61, .48, and .53."""


def score(evidence: Evidence | ShortEvidence) -> float:
    """Return the probability of a retelling among pairs like those of the fit, 0 to 1."""
    if isinstance(evidence, Evidence):
        found = logistic(evidence.features(), LONG_WEIGHTS, LONG_BASE)
        return found if evidence.wholes.similarity >= ALIKE_FROM else min(found, UNLIKE)
    return logistic(evidence.features(), SHORT_WEIGHTS, SHORT_BASE)


def logistic(features: Sequence[float], weights: Sequence[float], base: float) -> float:
    logit = base + sum(weight * feature for weight, feature in zip(weights, features, strict=True))
    return 1 / (1 + exp(-max(-_MOST_LOGIT, min(_MOST_LOGIT, logit))))


def agreement(figures: tuple[int, int]) -> float:
    """Return the share of figures that agree; without figures on either side nothing is known, which is half."""
    shared, most = figures
    return (shared + 0.5) / (most + 1)
