"""Lists of titles: the parts of a series, further reading, the issues of a year. They name works and tell nothing.

Two articles of one series list its parts, two pages on one subject what else to read on it. A title ends no sentence;
three lines in a row that end none are a list. Code is seen elsewhere, and verse that is copied is most of its page.
"""

import re
from typing import Final

import numpy as np

from fingerprint.model import Initials
from matcher.alignment.align import Mask

FEWEST: Final = 3
"""Titles one below the other. A heading above a subheading is no list."""
LONGEST: Final = 80
"""Characters of a line. What is longer is a paragraph, however it ends."""

_LINES: Final = re.compile(r"[^\n]+")
_ENDS_SENTENCE: Final = re.compile(r"[。！!；;，,：:…～~.][”’」』）)\]\"'\s]*\Z")
"""What a sentence or a part of one ends with. A title may ask."""


def title_units(text: Initials) -> Mask:
    """Which units stand in a list of titles, in the text as published."""
    source = text.canonical.source
    inside = np.zeros(len(source) + 1, dtype=np.bool_)
    listed: list[re.Match[str]] = []
    for line in _LINES.finditer(source):
        if not line[0].strip():
            continue
        if _is_title(line[0]):
            listed.append(line)
            continue
        _mark(inside, listed)
        listed = []
    _mark(inside, listed)
    return inside[text.canonical.starts[text.chars_from]]


def _is_title(line: str) -> bool:
    return len(line) <= LONGEST and _ENDS_SENTENCE.search(line) is None


def _mark(inside: Mask, listed: list[re.Match[str]]) -> None:
    if len(listed) >= FEWEST:
        inside[listed[0].start() : listed[-1].end()] = True
