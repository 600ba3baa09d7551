"""Quotations: units between quotation marks."""

import re
from typing import Final

from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.scanning import mark_quotations
from matcher.discounts.units_within import units_marked

LONGEST_QUOTATION: Final = 400
"""Characters. A mark without a closing one within this distance is a slip, or the whole page is a quotation."""

# One pair of marks each, no nesting, and a bound on the length so that a stray mark costs no long scan.
_QUOTATION = re.compile(
    "|".join(
        f"{opening}[^{opening}{closing}]{{1,{LONGEST_QUOTATION}}}{closing}"
        for opening, closing in ("“”", "「」", "『』", "«»", "„“")
    )
)


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Return the marked quotations, marks included, in order: start and end in code points."""
    return [found.span() for found in _QUOTATION.finditer(text)]


def quoted_units(text: Initials) -> Mask:
    """Return which units are inside a marked quotation of at most `LONGEST_QUOTATION` characters of the source."""
    return units_marked(text, lambda points, inside: mark_quotations(points, LONGEST_QUOTATION, inside))
