"""Program code: idioms, headers, commands, paths and getters are the same in any program."""

import re
from typing import Final

import numpy as np

from fingerprint.model import Initials
from matcher.alignment.align import Mask

# ASCII only: Chinese prose has full-width brackets and semicolons. Parentheses count in calls only. Characters that
# join names into paths, options and addresses count too: prose has a space after a full stop, and a hyphen in one word
# of a hundred. Camel case is frequent in names of variables, in prose only in brands. A repeated character counts once:
# lines of them underline headings.
_SIGN: Final = re.compile(
    r"([{}\[\]<>=;$#\\|&])\1*|(?<=[A-Za-z0-9_])\("
    r"|(?<=[A-Za-z0-9_])[-_/.:@]+(?=[A-Za-z_])|(?<=[A-Za-z_])[-_/.:@]+(?=\d)"
    r"|(?<![A-Za-z0-9])[a-z]+(?=[A-Z][a-z])|@(?=[A-Z][a-z])"
)

REACH: Final = 60
"""Characters on either side of a position by which it is classified as code."""
SIGN_SHARE: Final = 0.055
"""Least such characters among these. In real articles about 1 unit in 100 (Chinese) or 160 (English) has as many."""


def code_units(text: Initials) -> Mask:
    """Return which units are in program code."""
    source = text.canonical.source
    signs = np.zeros(len(source) + 1, dtype=np.int64)
    signs[[found.start() + 1 for found in _SIGN.finditer(source)]] = 1
    before = np.cumsum(signs)
    place = text.canonical.starts[text.chars_from].astype(np.int64)
    start, end = np.maximum(place - REACH, 0), np.minimum(place + REACH, len(source))
    mask: Mask = before[end] - before[start] >= SIGN_SHARE * (end - start)
    return mask
