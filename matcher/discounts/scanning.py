"""Compiled scans of a text as published, character by character, for the forms that count less.

`points`: code points of the source. Masks have an entry per character.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled
from matcher.alignment.blocks import Mask
from matcher.alignment.kgrams import Grams

Points: TypeAlias = npt.NDArray[np.uint32]
Places: TypeAlias = npt.NDArray[np.int32]

_OPENING = np.array([ord(char) for char in "“「『«„"], dtype=np.uint32)
_CLOSING = np.array([ord(char) for char in "”」』»“"], dtype=np.uint32)
_ENDS_OF_TITLES = np.array([ord(char) for char in "。！!；;，,：:…～~."], dtype=np.uint32)
_AFTER_THE_END = np.array([ord(char) for char in "”’」』）)]\"'"], dtype=np.uint32)
_SENTENCE_ENDS = np.array([ord(char) for char in "。！？!?…\n"], dtype=np.uint32)
_SPACES = np.array([point for point in range(0x3001) if chr(point).isspace()], dtype=np.uint32)
_FIRST_MARK = ord("«")
_IDEOGRAPHS = 0x3400, 0xFF00
_NEW_LINE = ord("\n")
_POINT = ord(".")
_POINT_BITS = 21
_POINTS_BITS = 42


@compiled("boolean(uint32, Array(uint32, 1, 'C', True))")
def is_among(point: int, points: Points) -> bool:
    """Return whether a character is one of some."""
    for other in points:  # noqa: SIM110  # no generators in compiled code
        if point == other:
            return True
    return False


@compiled("void(Array(uint32, 1, 'C', True), int64, boolean[::1])")
def mark_quotations(points: Points, longest: int, inside: Mask) -> None:
    """Mark quotations with their marks: 1 to `longest` characters in a pair of marks, neither of them in between."""
    start = 0
    while start < len(points):
        end = start
        for pair in range(len(_OPENING) if points[start] >= _FIRST_MARK else 0):
            if points[start] == _OPENING[pair]:
                place = start + 1
                while (
                    place < len(points)
                    and place - start <= longest
                    and points[place] != _OPENING[pair]
                    and points[place] != _CLOSING[pair]
                ):
                    place += 1
                if place < len(points) and place > start + 1 and points[place] == _CLOSING[pair]:
                    end = place
        if end > start:
            inside[start : end + 1] = True
        start = end + 1


@compiled("void(Array(uint32, 1, 'C', True), int64, int64, boolean[::1])")
def mark_title_lists(points: Points, longest: int, fewest: int, inside: Mask) -> None:
    """Mark `fewest` and more lines of up to `longest` characters below each other that end no sentence.

    Lines of spaces count as no lines.
    """
    start = first = last = titles = 0
    while start <= len(points):
        end = start
        while end < len(points) and points[end] != _NEW_LINE:
            end += 1
        rest = end
        while rest > start and is_among(points[rest - 1], _SPACES):
            rest -= 1
        if rest > start:
            while rest > start and (is_among(points[rest - 1], _SPACES) or is_among(points[rest - 1], _AFTER_THE_END)):
                rest -= 1
            ends_sentence = rest > start and is_among(points[rest - 1], _ENDS_OF_TITLES)
            if end - start <= longest and not ends_sentence:
                first = start if titles == 0 else first
                last = end
                titles += 1
            else:
                if titles >= fewest:
                    inside[first:last] = True
                titles = 0
        start = end + 1
    if titles >= fewest:
        inside[first:last] = True


@compiled("boolean[::1](Array(uint32, 1, 'C', True), Array(int32, 1, 'C', True))")
def first_of_sentences(points: Points, places: Places) -> Mask:
    """Return which of the ascending places is the first at or behind the end of a sentence or a line."""
    found = np.zeros(len(places), dtype=np.bool_)
    number = 0
    for place in range(len(points)):
        if _IDEOGRAPHS[0] <= points[place] < _IDEOGRAPHS[1]:  # as most: no sign is there
            continue
        is_end = is_among(points[place], _SENTENCE_ENDS)
        if points[place] == _POINT:
            is_end = place + 1 == len(points) or is_among(points[place + 1], _SPACES)
        if is_end:
            while number < len(places) and places[number] < place:
                number += 1
            if number < len(places):
                found[number] = True
    return found


@compiled("uint64[::1](Array(uint32, 1, 'C', True), Array(int32, 1, 'C', True), Array(int32, 1, 'C', True))")
def numbers_of_units(points: Points, starts: Places, ends: Places) -> Grams:
    """Return a number for each unit of canonical characters: its first, its last, and how many it has beyond one."""
    numbers = np.empty(len(starts), dtype=np.uint64)
    for unit in range(len(starts)):
        last = ends[unit] - 1
        more = np.uint64(last - starts[unit])
        numbers[unit] = np.uint64(points[starts[unit]]) | np.uint64(points[last]) << np.uint64(_POINT_BITS)
        numbers[unit] |= more << np.uint64(_POINTS_BITS)
    return numbers
