"""Program code: idioms, headers, commands, paths and getters are the same in any program."""

import re
from typing import Final

import numpy as np

from fingerprint.model import Initials
from matcher.alignment.align import Mask

# ASCII only: Chinese prose writes its brackets and semicolons full-width. Of parentheses those of a call. And what
# joins names into paths, options and addresses: prose puts a space behind a full stop, and a hyphen into one word of a
# hundred. Names of variables have a hump, in prose only brands do. A sign that is repeated is one: lines of them are
# drawn under headings.
_SIGN: Final = re.compile(
    r"([{}\[\]<>=;$#\\|&])\1*|(?<=[A-Za-z0-9_])\("
    r"|(?<=[A-Za-z0-9_])[-_/.:@]+(?=[A-Za-z_])|(?<=[A-Za-z_])[-_/.:@]+(?=\d)"
    r"|(?<![A-Za-z0-9])[a-z]+(?=[A-Z][a-z])|@(?=[A-Z][a-z])"
)

REACH: Final = 60
"""Characters to either side of a place that are looked at to tell whether it is code."""
SIGN_SHARE: Final = 0.055
"""Of those characters. In real articles about 1 unit in 100 (Chinese) or 160 (English) has as many around it."""


def code_units(text: Initials) -> Mask:
    """Which units stand in program code."""
    source = text.canonical.source
    signs = np.zeros(len(source) + 1, dtype=np.int64)
    signs[[found.start() + 1 for found in _SIGN.finditer(source)]] = 1
    before = np.cumsum(signs)
    place = text.canonical.starts[text.chars_from].astype(np.int64)
    start, end = np.maximum(place - REACH, 0), np.minimum(place + REACH, len(source))
    mask: Mask = before[end] - before[start] >= SIGN_SHARE * (end - start)
    return mask
