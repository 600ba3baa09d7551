"""Numbers that state no fact: the line numbers of listings, and the octets of percent-encoded addresses.

A site that numbers the lines of its listings shows them as a column of numbers before the code. A line more or less
changes all of them at once, and the numbers in which template news differ would be taken for changed.
"""

import re
from itertools import pairwise
from typing import Final

from fingerprint.model import Initials, UnitCodes
from matcher.discounts.units_within import units_within

FEWEST: Final = 3
"""Least lines of nothing but a number, one below the other, that are a column of line numbers."""
LARGEST_STEP: Final = 3
"""Most by which one line number is above that before it: an edited copy lacks some."""
LETTER: Final = 1
"""The code of a unit that is no digit."""

_COLUMN: Final = re.compile(rf"^[0-9]{{1,4}}+(?:\n[0-9]{{1,4}}+){{{FEWEST - 1},}}+$", re.MULTILINE)
_ENCODED: Final = re.compile(r"(?:%[0-9A-Fa-f]{2}){1,400}+")


def codes_of_facts(text: Initials) -> UnitCodes:
    """Return the unit codes of a text, with letters in place of the digits of numbers that state no fact."""
    source = text.canonical.source
    spans = [found.span() for found in _ENCODED.finditer(source)]
    spans += [found.span() for found in _COLUMN.finditer(source) if _is_rising(found[0])]
    if not spans:
        return text.codes
    codes = text.codes.copy()
    codes[units_within(text, spans)] = LETTER
    return codes


def _is_rising(column: str) -> bool:
    numbers = [int(line) for line in column.split("\n")]
    return all(0 < second - first <= LARGEST_STEP for first, second in pairwise(numbers))
