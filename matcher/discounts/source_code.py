"""Program code, settings and logs: idioms, headers, commands, paths and getters are the same in any program.

Its signs are ASCII only: Chinese prose has full-width brackets and semicolons. Parentheses count in calls only.
Characters that join names into paths, options and addresses count too: prose has a space after a full stop, and a
hyphen in one word of a hundred. Camel case is frequent in names of variables, in prose only in brands. A repeated
character counts once: lines of them underline headings. `latin_scanning.end_of_sign` has the forms.

Names of classes and words of messages are part of the listing around them. Lines of names with their values have few
signs, and are recognised by their form.
"""

import itertools
import re
from functools import cache
from typing import Final

import numpy as np

from fingerprint.characters.tables import code_points
from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.latin_scanning import dense_places, signs_before
from matcher.discounts.scanning import Places, Points

REACH: Final = 60
"""Characters on either side of a position by which it is classified as code."""
SIGN_SHARE: Final = 0.055
"""Least such characters among these. In real articles about 1 unit in 100 (Chinese) or 160 (English) has as many."""
LONGEST_GAP: Final = 60
"""Characters between two stretches of code, or to the end of a line, that belong to the same listing, if three quarters
of them are ASCII.
"""
ASCII: Final = 0x80
LAST_FIGURE: Final = 0x1FC00
"""Code points from here on are no decimal figures."""

_SETTINGS: Final = re.compile(
    r"""(?:^[ \t]{0,40}+ (?:-[ ]{1,3}+)?+                        # of a list, or not
        (?: [A-Za-z_][A-Za-z0-9_./-]{0,60}+ [ ]?+ :             # a name
            (?: [ ]{1,3}+ [!-~] [ -~]{0,80}+ )?+ (?<![.!?,])    # its value: no sentence
          | ["'A-Za-z0-9_./:-]{1,80}+ )                         # or one word of a list
        $\n?+){4,}+""",
    re.VERBOSE | re.MULTILINE,
)
"""Four or more lines of settings: YAML, fields of a header."""
_FEWEST_NAMES: Final = 3


def code_units(text: Initials) -> Mask:
    """Return which units are in program code."""
    source = text.canonical
    points = code_points(source.source)
    places = source.starts.take(text.chars_from)
    code = dense_places(signs_before(points, _figures()), places, REACH, SIGN_SHARE)
    _mark_settings(code, places, source.source)
    _join_listings(code, places, source.source, points)
    return code


def _mark_settings(code: Mask, places: Places, source: str) -> None:
    for found in _SETTINGS.finditer(source):
        if found[0].count(":") >= _FEWEST_NAMES:
            first, last = np.searchsorted(places, found.span())
            code[first:last] = True


def _join_listings(code: Mask, places: Places, source: str, points: Points) -> None:
    """Mark short gaps between two stretches of code, and the rest of the lines at the ends of a stretch."""
    changes = [0, *(np.flatnonzero(code[1:] != code[:-1]) + 1).tolist(), len(code)]
    for first, last in itertools.pairwise(changes):
        if first == last or code[first]:
            continue
        start, end = int(places[first]), int(places[last]) if last < len(code) else len(points)
        is_between = first > 0 and last < len(code)
        if is_between and _is_of_listing(points[start:end]):
            code[first:last] = True
            continue
        line_end, line_start = source.find("\n", start, end), source.rfind("\n", start, end) + 1
        if first > 0 and line_end >= 0 and _is_of_listing(points[start:line_end]):
            code[first : np.searchsorted(places, line_end)] = True
        if last < len(code) and line_start and _is_of_listing(points[line_start:end]):
            code[np.searchsorted(places, line_start) : last] = True


def _is_of_listing(gap: Points) -> bool:
    return len(gap) <= LONGEST_GAP and 4 * int((gap >= ASCII).sum()) <= len(gap)


@cache
def _figures() -> Points:
    """Return the decimal figures beyond ASCII."""
    return np.array([point for point in range(0x80, LAST_FIGURE) if chr(point).isdecimal()], dtype=np.uint32)
