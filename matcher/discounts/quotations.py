"""Quotations: units between quotation marks."""

import re
from typing import Final

from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.units_within import units_within

LONGEST_QUOTATION: Final = 400
"""Characters: a mark that opens and does not close within this was a slip, or the whole page is a quotation."""

# One pair of marks each, nothing nested, and a bound on the length so that a stray mark costs no long scan.
_QUOTATION = re.compile(
    "|".join(
        f"{opening}[^{opening}{closing}]{{1,{LONGEST_QUOTATION}}}{closing}"
        for opening, closing in ("“”", "「」", "『』", "«»", "„“")
    )
)


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Where marked quotations stand, marks included, in order: start and end in code points."""
    return [found.span() for found in _QUOTATION.finditer(text)]


def quoted_units(text: Initials) -> Mask:
    """Which units stand inside a marked quotation no longer than `LONGEST_QUOTATION` characters of the source."""
    return units_within(text, quoted_spans(text.canonical.source))
