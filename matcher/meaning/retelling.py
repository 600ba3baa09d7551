"""Decides whether one text retells another, and says why.

A similarity is no proof. What independent writers do not share is the order of what is said, the particulars, and above
all the figures: template news has the sentences of another and not its figures. The weights are those of a logistic
regression on 113 true pairs (rewritten by a language model, condensed, used in half, translated by people and by
machine) and 396 pairs of texts on the same subject.
"""

from collections.abc import Collection
from dataclasses import dataclass
from math import exp, log1p
from typing import Final

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.particulars import Contrast, spelled_out
from matcher.meaning.sentence_pairs import sentence_pairs
from matcher.meaning.stretches import Stretch, heaviest_stretch

RETOLD_FROM: Final = 0.6
"""Least score of a retelling. Of the pairs above, none of the 396 reached .37; two of the 113 stayed below .67."""
RARE: Final = 0.75
"""Share of the greatest rarity from which a particular counts in the score: at most one text of thirty has it."""
MANY_FIGURES: Final = 8
"""Figures from which those that differ count against a retelling. In nine true pairs with so many, three in four or
more agree; in two template notices, 5 of 10 and 1 of 12."""
FEWEST_SENTENCES: Final = 3
"""Sentences of the shorter text that the score assumes at least."""

_WEIGHT, _ORDER, _RARITY, _LENGTH, _FIGURES, _BASE = 1.655, 1.722, 0.776, -1.773, 7.123, -5.114


@dataclass(frozen=True, slots=True)
class Retelling:
    """`score`: 0…1, the probability among pairs like those of the regression. `left_share`, `right_share`: share of the
    sentences of each text that are paired in the stretch. `particulars`: as they read in the left text. `figures`: the
    figures that both have in paired sentences, and the most that they could have.
    """

    stretch: Stretch
    score: float
    left_share: float
    right_share: float
    particulars: tuple[str, ...]
    figures: tuple[int, int]

    @property
    def is_retold(self) -> bool:
        return self.score >= RETOLD_FROM and not self.has_other_figures

    @property
    def has_other_figures(self) -> bool:
        """Whether there are many figures that could agree, and half of them or more do not: a weather report or a list
        of prices says with other figures what the one of last week says.
        """
        shared, most = self.figures
        return most >= MANY_FIGURES and 2 * shared <= most


def retelling_of(
    left: EncodedText,
    right: EncodedText,
    contrast: Contrast,
    *,
    ignored_left: Collection[int] = (),
    ignored_right: Collection[int] = (),
) -> Retelling | None:
    """Return the stretch that one text retells of the other, with its score; None if no sentences are alike.

    Ignored sentences are those with the same wording, which the literal proof has.
    """
    pairs = sentence_pairs(left, right, contrast, ignored_left=ignored_left, ignored_right=ignored_right)
    stretch = heaviest_stretch(pairs, len(left), len(right))
    if stretch is None or not stretch.pairs:
        return None
    figures = _figures(stretch, left, right)
    shorter = min(len(left) - len(ignored_left), len(right) - len(ignored_right))
    return Retelling(
        stretch,
        _score(stretch, contrast, figures, shorter),
        len(stretch.pairs) / len(left),
        len(stretch.pairs) / len(right),
        _particulars(stretch, left),
        figures,
    )


def _score(stretch: Stretch, contrast: Contrast, figures: tuple[int, int], shorter: int) -> float:
    rarities = [contrast.rarity(key) for key in {key for pair in stretch.pairs for key in pair.particulars}]
    rare = sum(rarity for rarity in rarities if rarity > RARE * contrast.rarest)
    shared, most = figures
    logit = (
        _BASE
        + _WEIGHT * log1p(stretch.weight)
        + _ORDER * log1p(stretch.in_order)
        + _RARITY * log1p(rare)
        + _LENGTH * log1p(max(FEWEST_SENTENCES, shorter))
        # Without figures on either side nothing is known, which is half.
        + _FIGURES * (shared + 0.5) / (most + 1)
    )
    return 1 / (1 + exp(-max(-500.0, min(500.0, logit))))


def _figures(stretch: Stretch, left: EncodedText, right: EncodedText) -> tuple[int, int]:
    one = {key for pair in stretch.pairs for key in left.particulars[pair.left] if key[0].isdecimal()}
    other = {key for pair in stretch.pairs for key in right.particulars[pair.right] if key[0].isdecimal()}
    return len(one & other), min(len(one), len(other))


def _particulars(stretch: Stretch, left: EncodedText) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for pair in stretch.pairs:
        found.update(dict.fromkeys(spelled_out(pair.particulars, left.sentence(pair.left))))
    return tuple(found)
