"""What two texts have in common that a third text lacks: shared wording, and shared departures from the third.

Textual criticism tells descent by shared innovations (Lachmann's common errors): what two copies share with their
source says nothing about each other, what they share beyond it does. Pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from fingerprint.characters.tables import code_points
from fingerprint.initials import to_initials
from fingerprint.model import FIRST_DIGIT, CodePoints, Hashes, Initials, Offsets, UnitCodes
from fingerprint.normalize import canonicalize
from matcher.alignment.align import Mask, true_stretches, unit_grams
from matcher.discounts.notices import notice_units
from matcher.discounts.units_within import units_within

Spans: TypeAlias = Sequence[tuple[int, int]]
"""Start and end of stretches of a text, in code points of the text as supplied."""

RUN: Final = 10
"""Units in a row that both texts have. Of 13 pairs of second translations the median has 15 % of its wording in such
runs; of 250 translations and their published revisions all but two have 70 % and more."""
THIRD_RUN: Final = 8
"""Units in a row that belong to the third text: shorter ones are chance, and each one left out counts against it."""
WINDOW: Final = 150
"""Units of free wording in which a copied paragraph shows inside a text that is otherwise worded independently."""
MARGIN: Final = 2
"""Grams at either end of a departure that hold too little of it to tell whether another text has it."""
WRITTEN_IN_HAN: Final = 0.3
"""Share of Han characters among the units from which a text is Chinese, and its words in other letters are terms."""
KEPT_TEXTS: Final = 12

_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
"""Odd, without a pattern in its bits."""
_NO_UNITS: Final = np.zeros(0, dtype=np.uint8)
_HAN: Final = (0x3400, 0x9FFF)


@dataclass(frozen=True, slots=True)
class SharedWording:
    """`free`: units of words inside the stretches that the third text lacks. `shared`: those in runs that the other
    text has. `densest`: the greatest share of shared ones among `WINDOW` free ones in a row, 0…1.
    """

    free: int
    shared: int
    densest: float

    @property
    def rate(self) -> float:
        return self.shared / self.free if self.free else 0.0


@dataclass(frozen=True, slots=True)
class Departures:
    """Places where a text departs from a third one: other words, or another order. `shared`: places where another text
    departs in the same way. `longest`: units of the longest shared one.
    """

    places: int
    shared: int
    longest: int


def wording_shared(left: str, right: str, spans: tuple[Spans, Spans], third: str = "") -> SharedWording:
    """Return the wording that two texts share beyond a third one, as seen from the side where it is denser.

    `spans`: the stretches of either text that say the same. Notices are left out, and so are words in other letters
    than the text's: names and terms come from the source. O(length), and the same for exchanged texts.
    """
    codes = units_of(third).codes if third else _NO_UNITS
    sides = ((left, spans[0], right), (right, spans[1], left))
    found = (_wording(units_of(text), part, units_of(other).codes, codes) for text, part, other in sides)
    return max(found, key=lambda one: (max(one.rate, one.densest), one.free))


def departures_shared(left: str, right: str, spans: Spans, third: str) -> Departures:
    """Return the departures of the left text from the third inside the stretches `spans`, and those that the right text
    shares: character by character, since a wrong character that sounds right is an error worth more than a word.

    Script, case, punctuation and white space are none. O(length).
    """
    one, other, source = (_characters(text) for text in (left, right, third))
    grams = _grams(one.chars)
    inside = _whole_grams(_within(one, spans))
    departs = inside & ~np.isin(grams, _grams(source.chars))
    in_right = np.isin(grams, _grams(other.chars))
    places = shared = longest = 0
    for start, size in true_stretches(departs):
        tested = in_right[start + MARGIN : start + size - MARGIN]
        if not len(tested):
            continue
        places += 1
        run = max((length for _, length in true_stretches(tested)), default=0)
        shared += bool(run)
        longest = max(longest, run + 2 * MARGIN - THIRD_RUN + 1 if run else 0)
    return Departures(places, shared, longest)


def cover_of(spans: Spans, by: Spans) -> float:
    """Return the share of the characters in `spans` that are also in `by`, 0…1; 0 without any."""
    size = max((end for part in (spans, by) for _, end in part), default=0)
    masks = [np.zeros(size, dtype=np.bool_) for _ in range(2)]
    for mask, part in zip(masks, (spans, by), strict=True):
        for start, end in part:
            mask[start:end] = True
    whole = int(masks[0].sum())
    return int((masks[0] & masks[1]).sum()) / whole if whole else 0.0


@lru_cache(maxsize=KEPT_TEXTS)
def units_of(text: str) -> Initials:
    return to_initials(canonicalize(text))


@dataclass(frozen=True, slots=True, eq=False)
class _Characters:
    """The letters and digits of a text in canonical form, and where each begins in the text as supplied."""

    chars: CodePoints
    starts: Offsets
    is_notice: Mask


@lru_cache(maxsize=KEPT_TEXTS)
def _characters(text: str) -> _Characters:
    units = units_of(text)
    canonical = units.canonical
    notices = np.zeros(len(canonical.text), dtype=np.int32)
    in_unit = np.zeros(len(canonical.text) + 1, dtype=np.int32)
    np.add.at(in_unit, units.chars_from, 1)
    np.add.at(in_unit, units.chars_to, -1)
    marked = notice_units(units)
    for start, end in zip(units.chars_from[marked].tolist(), units.chars_to[marked].tolist(), strict=True):
        notices[start:end] = 1
    letters = np.cumsum(in_unit)[:-1] > 0
    chars = code_points(canonical.text)[letters]
    return _Characters(chars, canonical.starts[letters], notices[letters] > 0)


def _within(text: _Characters, spans: Spans) -> Mask:
    """Return which characters begin inside one of the spans and outside of notices."""
    inside = ~text.is_notice
    in_span = np.zeros(len(inside), dtype=np.bool_)
    for start, end in spans:
        in_span |= (text.starts >= start) & (text.starts < end)
    both: Mask = inside & in_span
    return both


def _grams(chars: CodePoints) -> Hashes:
    """Return a hash of each run of `THIRD_RUN` characters, by position."""
    count = max(0, len(chars) - THIRD_RUN + 1)
    hashes = np.zeros(count, dtype=np.uint64)
    for place in range(THIRD_RUN):
        hashes *= _BASE
        hashes += chars[place : place + count]
    return hashes


def _wording(text: Initials, spans: Spans, other: UnitCodes, third: UnitCodes) -> SharedWording:
    free = _words(text) & units_within(text, spans) & ~notice_units(text)
    if len(third):
        free &= ~_in_runs(text.codes, third, THIRD_RUN)
    shared = _in_runs(text.codes, other, RUN)[free]
    return SharedWording(len(shared), int(shared.sum()), _densest(shared))


def _words(text: Initials) -> Mask:
    """Return the units of the text's own words: Han characters of a Chinese text, else all that are no digits."""
    if not len(text):
        return np.zeros(0, dtype=np.bool_)
    chars = code_points(text.canonical.text)[text.chars_from]
    han = (chars >= _HAN[0]) & (chars <= _HAN[1])
    words: Mask = han if han.mean() >= WRITTEN_IN_HAN else text.codes < FIRST_DIGIT
    return words


def _in_runs(codes: UnitCodes, other: UnitCodes, run: int) -> Mask:
    """Return the units inside a run of `run` units that the other text has anywhere."""
    known = np.isin(unit_grams(codes, run), unit_grams(other, run))
    ends = np.zeros(len(codes) + 1, dtype=np.int32)
    ends[: len(known)] += known
    ends[run : run + len(known)] -= known
    inside: Mask = np.cumsum(ends)[: len(codes)] > 0
    return inside


def _whole_grams(units: Mask) -> Mask:
    """Return, for each gram of `THIRD_RUN` units, whether all of its units are marked."""
    if len(units) < THIRD_RUN:
        return np.zeros(0, dtype=np.bool_)
    sums = np.concatenate(([0], np.cumsum(units)))
    whole: Mask = sums[THIRD_RUN:] - sums[:-THIRD_RUN] == THIRD_RUN
    return whole


def _densest(shared: Mask) -> float:
    if not len(shared):
        return 0.0
    sums = np.concatenate(([0], np.cumsum(shared)))
    if len(shared) <= WINDOW:
        return float(sums[-1]) / WINDOW
    return float((sums[WINDOW:] - sums[:-WINDOW]).max()) / WINDOW


def joined_spans(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans in order, those that touch or overlap joined."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)
