"""Long names in letters: pages of one institute share its address, pages on one subject its terms."""

import re
from collections.abc import Iterator
from typing import Final

from fingerprint.characters.tables import code_points
from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.latin_scanning import capitals_in_threes
from matcher.discounts.units_within import units_within

# Both parts are bounded, so that they are linear: three or more capitalised words in a row, with the small words that
# names contain; and a term before its abbreviation in brackets, "Software as a Service (SaaS)".
_LONG_NAME: Final = re.compile(
    r"\b[A-Z]\w{0,40}(?:[\s,]{1,3}(?:(?:of|for|and|the|in|&)\s{1,3}){0,2}[A-Z]\w{0,40}){2,40}"
    r"|\b[A-Z][a-z]{1,40}(?:[ -][A-Za-z]{1,40}){1,6} ?[(（][A-Z][A-Za-z]{0,8}[A-Z][)）]"
)


REACH: Final = 400
"""Characters in which a name has its first three capitals: seven words of 41 letters, brackets and abbreviation."""
CAPITALS: Final = 3
"""Least capitals of both forms."""


def name_units(text: Initials) -> Mask:
    """Return the units of names of three or more capitalised words, and of terms followed by their abbreviation."""
    return units_within(text, name_spans(text.canonical.source))


def name_spans(source: str) -> Iterator[tuple[int, int]]:
    """Yield the names in order: start and end in code points.

    A name begins with a capital that has others near it, so that it is looked for at these places only.
    """
    end = 0
    for place in capitals_in_threes(code_points(source), REACH, CAPITALS).tolist():
        found = _LONG_NAME.match(source, place) if place >= end else None
        if found is not None:
            end = found.end()
            yield found.span()
