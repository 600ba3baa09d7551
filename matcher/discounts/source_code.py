"""Program code: idioms, headers, commands, paths and getters are the same in any program.

Its signs are ASCII only: Chinese prose has full-width brackets and semicolons. Parentheses count in calls only.
Characters that join names into paths, options and addresses count too: prose has a space after a full stop, and a
hyphen in one word of a hundred. Camel case is frequent in names of variables, in prose only in brands. A repeated
character counts once: lines of them underline headings. `latin_scanning.end_of_sign` has the forms.
"""

from functools import cache
from typing import Final

import numpy as np

from fingerprint.characters.tables import code_points
from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.latin_scanning import dense_places, signs_before
from matcher.discounts.scanning import Points

REACH: Final = 60
"""Characters on either side of a position by which it is classified as code."""
SIGN_SHARE: Final = 0.055
"""Least such characters among these. In real articles about 1 unit in 100 (Chinese) or 160 (English) has as many."""


LAST_FIGURE: Final = 0x1FC00
"""Code points from here on are no decimal figures."""


def code_units(text: Initials) -> Mask:
    """Return which units are in program code."""
    source = text.canonical
    before = signs_before(code_points(source.source), _figures())
    return dense_places(before, source.starts.take(text.chars_from), REACH, SIGN_SHARE)


@cache
def _figures() -> Points:
    """Return the decimal figures beyond ASCII."""
    return np.array([point for point in range(0x80, LAST_FIGURE) if chr(point).isdecimal()], dtype=np.uint32)
