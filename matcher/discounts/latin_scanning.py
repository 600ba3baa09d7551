"""Compiled scans of a text as published for what only Latin letters make: program code, and capitals near each other.

`points`: code points of the source.
"""

from typing import Final

import numpy as np

from fingerprint.compiling import compiled
from matcher.alignment.blocks import Mask
from matcher.alignment.kgrams import Indices
from matcher.discounts.scanning import Places, Points

_SIGNS = np.array([ord(char) for char in r"{}[]<>=;$#\|&"], dtype=np.uint32)
_JOINERS = np.array([ord(char) for char in "-_/.:@"], dtype=np.uint32)
_CAPITALS: Final = (ord("A"), ord("Z"))
_SMALL: Final = (ord("a"), ord("z"))
_FIGURES: Final = (ord("0"), ord("9"))
_AT: Final = ord("@")
_BRACKET: Final = ord("(")
_UNDERSCORE: Final = ord("_")
_ASCII: Final = 0x80
_IDEOGRAPHS: Final = (0x4E00, 0x9FA5)


@compiled("int64(Array(uint32, 1, 'C', True), int64)")
def point_at(points: Points, place: int) -> int:
    """Return the character at a place; 0 outside of the text."""
    return int(points[place]) if 0 <= place < len(points) else 0


@compiled("boolean(int64, Array(uint32, 1, 'C', True))")
def is_among(point: int, points: Points) -> bool:
    """Return whether a character is one of some."""
    for other in points:  # noqa: SIM110  # no generators in compiled code
        if point == other:
            return True
    return False


@compiled("boolean(int64)")
def is_capital(point: int) -> bool:
    """Return whether a character is one of A to Z."""
    return _CAPITALS[0] <= point <= _CAPITALS[1]


@compiled("boolean(int64)")
def is_small(point: int) -> bool:
    """Return whether a character is one of a to z."""
    return _SMALL[0] <= point <= _SMALL[1]


@compiled("boolean(int64)")
def is_letter(point: int) -> bool:
    """Return whether a character is a letter of ASCII or an underscore."""
    return is_capital(point) or is_small(point) or point == _UNDERSCORE


@compiled("boolean(int64)")
def is_figure(point: int) -> bool:
    """Return whether a character is one of 0 to 9."""
    return _FIGURES[0] <= point <= _FIGURES[1]


@compiled("int64(Array(uint32, 1, 'C', True), int64, Array(uint32, 1, 'C', True))")
def end_of_joint(points: Points, start: int, figures: Points) -> int:
    """Return where the characters end that join what is before them to a name, or a name to a number; or `start`."""
    count, end = len(points), start
    before = point_at(points, start - 1)
    if not is_letter(before) and not is_figure(before):
        return start
    while end < count and is_among(points[end], _JOINERS):
        end += 1
    # What follows a joint may begin with an underscore, which is also one of those that join.
    kept = end
    while kept > start + 1 and not (kept < count and is_letter(points[kept])):
        kept -= 1
    if kept < count and is_letter(points[kept]):
        return kept
    after = point_at(points, end)
    is_number = is_figure(after) or (after >= _ASCII and is_among(after, figures))
    return end if is_letter(before) and is_number else start


@compiled("int64(Array(uint32, 1, 'C', True), int64, Array(uint32, 1, 'C', True))")
def end_of_sign(points: Points, start: int, figures: Points) -> int:
    """Return where the sign of program code that starts here ends; `start` if none does.

    The forms, in order: a bracket or the like, repeated or not; the parenthesis of a call; what joins names or numbers
    to a name; the small part of a name in camel case; the mark before a name. `figures`: those beyond ASCII.
    """
    count, point = len(points), point_at(points, start)
    before = point_at(points, start - 1)
    then = point_at(points, start + 1)
    end = start + 1
    if is_among(point, _SIGNS):
        while end < count and points[end] == point:
            end += 1
        return end
    if point == _BRACKET:
        return end if is_letter(before) or is_figure(before) else start
    if is_among(point, _JOINERS):
        after = point_at(points, start + 2)
        end = end_of_joint(points, start, figures)
        is_mark = end == start and point == _AT and is_capital(then) and is_small(after)
        return start + 1 if is_mark else end
    if is_small(point) and not (is_capital(before) or is_small(before) or is_figure(before)):
        while end < count and is_small(points[end]):
            end += 1
        if end + 1 < count and is_capital(points[end]) and is_small(points[end + 1]):
            return end
    return start


@compiled("int32[::1](Array(uint32, 1, 'C', True), Array(uint32, 1, 'C', True))")
def signs_before(points: Points, figures: Points) -> Places:
    """Return how many signs of program code start before each character, and before the end."""
    before = np.zeros(len(points) + 1, dtype=np.int32)
    place = 0
    while place < len(points):
        end = end_of_sign(points, place, figures) if points[place] < _ASCII else place
        before[place + 1] = before[place] + (end > place)
        for step in range(place + 1, end):
            before[step + 1] = before[step]
        place = max(end, place + 1)
    return before


@compiled("boolean[::1](int32[::1], Array(int32, 1, 'C', True), int64, float64)")
def dense_places(before: Places, places: Places, reach: int, share: float) -> Mask:
    """Return at which places at least this share of the characters within reach are counted in `before`."""
    chars = len(before) - 1
    dense = np.empty(len(places), dtype=np.bool_)
    for number in range(len(places)):
        start, end = max(places[number] - reach, 0), min(places[number] + reach, chars)
        dense[number] = before[end] - before[start] >= share * (end - start)
    return dense


@compiled("boolean(int64)")
def is_in_word(point: int) -> bool:
    """Return whether no word begins behind this character: behind a letter or figure of ASCII, or an ideograph."""
    return is_letter(point) or is_figure(point) or _IDEOGRAPHS[0] <= point <= _IDEOGRAPHS[1]


@compiled("int64[::1](Array(uint32, 1, 'C', True), int64, int64)")
def capitals_in_threes(points: Points, reach: int, fewest: int) -> Indices:
    """Return the places of capitals A to Z that may begin a word, with `fewest` - 1 further ones within `reach`."""
    places = np.empty(len(points), dtype=np.int64)
    capitals = count = 0
    for place in range(len(points)):
        if is_capital(points[place]):
            places[capitals] = place
            capitals += 1
    for number in range(capitals - fewest + 1):
        first = places[number]
        if places[number + fewest - 1] - first <= reach and not is_in_word(point_at(points, first - 1)):
            places[count] = first
            count += 1
    return places[:count].copy()
