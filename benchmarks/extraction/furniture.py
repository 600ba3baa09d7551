"""What a theme puts into its own article container: titles, dates, licences, neighbours, “enable JavaScript”. Pure.

Gold that was cut out by a container's name holds it too. To find it again is no merit, so recall is also measured on
the gold without it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

REACH: Final = 15
"""Lines from the end of a text in which furniture stands."""
LEAST_SHARE: Final = 0.2
LEAST_PAGES: Final = 5
"""Pages of a site that have a line among their last, for it to be furniture."""

SHORTEST: Final = 3
"""Characters of a line; shorter ones are list numbers and braces."""

_DIGITS: Final = re.compile(r"\d+")


def without_furniture(golds: Sequence[str], *, titles: Sequence[str]) -> list[str]:
    """The texts of one site, each cut at the first of its last lines that many of them have, and below its title and
    the lines under it that many have.
    """
    split = [_below_title(gold, title) for gold, title in zip(golds, titles, strict=True)]
    least = max(LEAST_PAGES, LEAST_SHARE * len(golds))
    starts = Counter(_shape(lines[0]) for lines in split if lines)
    split = [lines[1:] if len(lines) > 1 and starts[_shape(lines[0])] >= least else lines for lines in split]
    counts = Counter(line for lines in split for line in set(map(_shape, lines[-REACH:])))
    return [
        "\n".join(_cut(lines, {line for line, count in counts.items() if count >= least and len(line) >= SHORTEST}))
        for lines in split
    ]


def _below_title(gold: str, title: str) -> list[str]:
    lines = [line.strip() for line in gold.splitlines() if line.strip()]
    return lines[1:] if len(lines) > 1 and title.strip().startswith(lines[0]) else lines


def _cut(lines: Sequence[str], furniture: set[str]) -> Sequence[str]:
    start = max(0, len(lines) - REACH)
    end = next((place for place in range(start, len(lines)) if _shape(lines[place]) in furniture), len(lines))
    return lines[:end] or lines


def _shape(line: str) -> str:
    return _DIGITS.sub("0", line)
