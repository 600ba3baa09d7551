"""Long names in letters: pages of one institute share its address, pages on one subject its terms."""

import re
from typing import Final

from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.units_within import units_within

# Both parts are bounded, so that they are linear: three or more capitalised words in a row, with the small words that
# names contain; and a term before its abbreviation in brackets, "Software as a Service (SaaS)".
_LONG_NAME: Final = re.compile(
    r"\b[A-Z]\w{0,40}(?:[\s,]{1,3}(?:(?:of|for|and|the|in|&)\s{1,3}){0,2}[A-Z]\w{0,40}){2,40}"
    r"|\b[A-Z][a-z]{1,40}(?:[ -][A-Za-z]{1,40}){1,6} ?[(（][A-Z][A-Za-z]{0,8}[A-Z][)）]"
)


def name_units(text: Initials) -> Mask:
    """Return the units of names of three or more capitalised words, and of terms followed by their abbreviation."""
    return units_within(text, (found.span() for found in _LONG_NAME.finditer(text.canonical.source)))
