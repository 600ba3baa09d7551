"""Which parts of a text stand between quotation marks."""

import re
from typing import Final

import numpy as np

from fingerprint.model import Initials
from matcher.align import Mask

LONGEST_QUOTATION: Final = 400
"""Characters: a mark that opens and does not close within this was a slip, or the whole page is a quotation."""

# One pair of marks each, nothing nested, and a bound on the length so that a stray mark costs no long scan.
_QUOTATION = re.compile(
    "|".join(
        f"{opening}[^{opening}{closing}]{{1,{LONGEST_QUOTATION}}}{closing}"
        for opening, closing in ("“”", "「」", "『』", "«»", "„“")
    )
)


def quoted_units(text: Initials) -> Mask:
    """Which units stand inside a marked quotation no longer than `LONGEST_QUOTATION` characters of the source."""
    source = text.canonical.source
    inside = np.zeros(len(source) + 1, dtype=np.bool_)
    for found in _QUOTATION.finditer(source):
        inside[found.start() : found.end()] = True
    return inside[text.canonical.starts[text.chars_from]] if len(text) else np.zeros(0, dtype=np.bool_)
