"""Lists of titles: parts of a series, further reading, the issues of a year. They name works and prove nothing.

Two articles of one series list its parts, two pages on one subject recommend the same reading. A title ends no
sentence, though it may be a question; three consecutive lines that end none are a list. Code is detected elsewhere, and
copied verse is most of its page.
"""

from typing import Final

from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.scanning import mark_title_lists
from matcher.discounts.units_within import units_marked

FEWEST: Final = 3
"""Least titles one below the other. A heading above a subheading is not a list."""
LONGEST: Final = 80
"""Most characters of a line. A longer one is a paragraph, however it ends."""


def title_units(text: Initials) -> Mask:
    """Return which units are in a list of titles, in the text as published."""
    return units_marked(text, lambda points, inside: mark_title_lists(points, LONGEST, FEWEST, inside))
