"""How near two mixtures of topics are; what PLSA and LDA have in common."""

from typing import Final

import numpy as np
import numpy.typing as npt

from matcher.measures.model import Measured

TOPICS: Final = 50
"""Enough to tell subjects apart, few enough to be fitted on some hundred texts."""

Mixture = npt.NDArray[np.float64]


def mixtures_agree(left: Mixture, right: Mixture) -> Measured:
    """1 less the Hellinger distance of the two mixtures, each brought to a sum of 1: 0…1, symmetric."""
    if not left.sum() or not right.sum():
        return Measured(None, "a text has no part in any topic")
    one, other = (np.sqrt(mixture / mixture.sum()) for mixture in (left, right))
    distance = float(np.sqrt(((one - other) ** 2).sum() / 2))
    # Rounding may lift the distance of two mixtures without a common topic a hair above 1.
    return Measured(max(0.0, 1 - distance), figures={"topics": len(left)})
