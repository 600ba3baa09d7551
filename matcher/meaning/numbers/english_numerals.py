"""Numbers spelled out in English: twenty-three, two hundred and five, thirty million."""

import re
from collections.abc import Sequence
from typing import Final

ONES: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS: Final = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES: Final = {
    **{word: value for value, word in enumerate((*ONES, *_TEENS), start=1)},
    **{word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)},
}
_SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_HUNDRED: Final = 100

_WORD: Final = "|".join(sorted((*_VALUES, "hundred", *_SCALES), key=len, reverse=True))
_FIRST: Final = "|".join(sorted((*_VALUES, "hundred"), key=len, reverse=True))
# "3.5 million" is no "million": a scale never begins a number.
_SPELLED: Final = re.compile(rf"\b(?:{_FIRST})(?:(?: and |[ -])(?:{_WORD})){{0,11}}\b")
_SMALLEST: Final = 10
"""Smaller ones are left out, as single digits are: everybody writes them."""


def english_numbers_in(text: str) -> list[tuple[int, int, int]]:
    """Return the numbers spelled out in a text in lower case as (start, end, value); none below 10.

    >>> english_numbers_in("two hundred and five of thirty million, one day")
    [(0, 20, 205), (24, 38, 30000000)]
    """
    found = []
    for match in _SPELLED.finditer(text):
        value = _value(re.split(r"[ -]+", match[0].replace(" and ", " ")))
        if value is not None and value >= _SMALLEST:
            found.append((match.start(), match.end(), value))
    return found


def _value(words: Sequence[str]) -> int | None:
    """Return the value of number words; None where they do not make one number, such as "twenty ten"."""
    total = section = 0
    for word in words:
        if word == "hundred":
            section = (section or 1) * _HUNDRED
        elif word in _SCALES:
            total += (section or 1) * _SCALES[word]
            section = 0
        else:
            value = _VALUES[word]
            # A word goes on only where the place below it is free: twenty-three, but not "three twenty".
            if section % (_HUNDRED if value >= _SMALLEST else 10) or section % _HUNDRED in range(_SMALLEST, 20):
                return None
            section += value
    return total + section
