"""Lists of titles: parts of a series, further reading, the issues of a year. They name works and prove nothing.

Two articles of one series list its parts, two pages on one subject recommend the same reading. A title ends no
sentence; three consecutive lines that end none are a list. Code is detected elsewhere, and copied verse is most of its
page.
"""

import re
from itertools import groupby
from typing import Final

from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.units_within import units_within

FEWEST: Final = 3
"""Least titles one below the other. A heading above a subheading is not a list."""
LONGEST: Final = 80
"""Most characters of a line. A longer one is a paragraph, however it ends."""

_LINES: Final = re.compile(r"[^\n]+")
_ENDS_SENTENCE: Final = re.compile(r"[。！!；;，,：:…～~.][”’」』）)\]\"'\s]*\Z")
"""Ends of a sentence or a part of one. A title may be a question."""


def title_units(text: Initials) -> Mask:
    """Return which units are in a list of titles, in the text as published."""
    lines = (line for line in _LINES.finditer(text.canonical.source) if line[0].strip())
    lists = [list(group) for is_title, group in groupby(lines, _is_title) if is_title]
    return units_within(text, ((some[0].start(), some[-1].end()) for some in lists if len(some) >= FEWEST))


def _is_title(line: re.Match[str]) -> bool:
    return len(line[0]) <= LONGEST and _ENDS_SENTENCE.search(line[0]) is None
