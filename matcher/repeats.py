"""What a passage says that it has said before: a form that is filled in line by line is proved once, not five times.

"On Fedora, install it with DNF. On Debian, install it with APT": whoever lists five systems repeats five times the
same words, and shares all five with everybody who ever listed them. Prose hardly repeats five units within a passage.
"""

from typing import Final

import numpy as np

from fingerprint.model import UnitCodes
from matcher.align import Mask, unit_grams

GRAM: Final = 5
"""Units. Of 3,000 real passages of 120 units half repeat none so long, and one in twenty as much as a sixth of it."""


def said_before(codes: UnitCodes) -> Mask:
    """Which units of a stretch stand in a gram that the stretch holds further up, in time linear but for sorting."""
    mask = np.zeros(len(codes), dtype=np.bool_)
    grams = unit_grams(codes, GRAM)
    if not len(grams):
        return mask
    again = np.ones(len(grams), dtype=np.bool_)
    again[np.unique(grams, return_index=True)[1]] = False
    for offset in range(GRAM):
        mask[offset : offset + len(grams)] |= again
    return mask
