"""Furniture of a theme in its article container: titles, dates, licences, neighbours, “enable JavaScript”. Pure.

Gold that was cut out by a container's name contains it. To extract it is no merit, so recall is also measured on the
gold without it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote, urlsplit

from benchmarks.crawl.web_copies import FRONT_PAGE

REACH: Final = 15
"""Lines from the end of a text that may be furniture."""
LEAST_SHARE: Final = 0.2
LEAST_PAGES: Final = 5
"""Pages of a site that have a line among their last, for it to be furniture."""

SHORTEST: Final = 3
"""Characters of a line; shorter ones are list numbers and braces."""

_DIGITS: Final = re.compile(r"\d+")
_TIME_OF_DAY: Final = re.compile("凌晨|清晨|早晨|上午|中午|下午|傍晚|晚上|深夜")


def without_furniture(golds: Sequence[str], *, titles: Sequence[str], paths: Sequence[str]) -> list[str]:
    """The texts of one site, each cut at the first of its last lines that many of them have, and below its title and
    the lines under it that many have. `paths`: where the pages stand below the front page.
    """
    split = [_below_title(gold, title) for gold, title in zip(golds, titles, strict=True)]
    least = max(LEAST_PAGES, LEAST_SHARE * len(golds))
    starts = Counter(_shape(lines[0]) for lines in split if lines)
    split = [lines[1:] if len(lines) > 1 and starts[_shape(lines[0])] >= least else lines for lines in split]
    ends = [
        [_own(line, title, path) or _shape(line) for line in lines[-REACH:]]
        for lines, title, path in zip(split, titles, paths, strict=True)
    ]
    counts = Counter(shape for shapes in ends for shape in set(shapes))
    furniture = {shape for shape, count in counts.items() if count >= least and len(shape) >= SHORTEST}
    return ["\n".join(_cut(lines, shapes, furniture)) for lines, shapes in zip(split, ends, strict=True)]


def _below_title(gold: str, title: str) -> list[str]:
    lines = [line.strip() for line in gold.splitlines() if line.strip()]
    return lines[1:] if len(lines) > 1 and title.strip().startswith(lines[0]) else lines


def _cut(lines: Sequence[str], shapes: Sequence[str], furniture: set[str]) -> Sequence[str]:
    start = len(lines) - len(shapes)
    end = next((start + place for place, shape in enumerate(shapes) if shape in furniture), len(lines))
    return lines[:end] or lines


def _own(line: str, title: str, path: str) -> str:
    """A placeholder for a line that repeats the page's title or address, which differs on every page."""
    if line == title.strip():
        return "the title"
    is_address = line.startswith(("http://", "https://"))
    own = path.removesuffix(FRONT_PAGE).strip("/")
    return "the address" if is_address and unquote(urlsplit(line).path).strip("/") == own else ""


def _shape(line: str) -> str:
    """The line without figures: equal for lines that differ in figures and times only."""
    return _DIGITS.sub("0", _TIME_OF_DAY.sub("早上", line))
