"""Teasers: the beginning of one text, cut off in the other with an ellipsis, as on a list page."""

import re
from typing import Final

from fingerprint.model import Initials
from matcher.alignment.align import Block

FROM_THE_START: Final = 60
"""Most units above the passage: a masthead or a date may precede the listed text."""
LONGEST: Final = 200
"""Most units of a teaser. A longer one is an excerpt, however it ends."""
BEFORE: Final = 8
"""Characters before the end of the passage: a unit or two after the mark may agree by chance."""
BEHIND: Final = 40
"""Characters after the end: the last words before the mark may have been changed."""

_BROKEN_OFF: Final = re.compile(r"…|\.\.\.|。。。|\[\+\]")


def is_teaser(block: Block, left: Initials, right: Initials) -> bool:
    """Return whether either text lists the other; exchanging the texts changes nothing."""
    if max(block.left_end - block.left, block.right_end - block.right) > LONGEST:
        return False
    lists_right = block.right <= FROM_THE_START and _breaks_off(left, block.left_end)
    lists_left = block.left <= FROM_THE_START and _breaks_off(right, block.right_end)
    return lists_right or lists_left


def _breaks_off(text: Initials, end: int) -> bool:
    """Return whether the text has an ellipsis about where the units before `end` end."""
    _, place = text.source_span(end - 1, end - 1)
    return _BROKEN_OFF.search(text.canonical.source, max(place - BEFORE, 0), place + BEHIND) is not None
