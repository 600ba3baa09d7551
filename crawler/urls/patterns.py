"""A site's patterns for addresses: regular expressions that are given a bounded time for each address.

`re` has no bound: some patterns take practically forever on an address of forty characters, and block the interpreter
meanwhile. `regex` reads the same patterns and has a timeout.
"""

import re
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Final

import regex

from crawler.outcomes.errors import BadScope

LONGEST: Final = 1_000
"""Characters of a pattern."""

FIRST_LOOK_S: Final = 0.05
SECOND_LOOK_S: Final = 0.5
"""For one address. A match takes microseconds, but on a busy machine a process may pause for longer."""

MOST_LOST: Final = 10
"""Addresses that a pattern may take too long for in one run. After that it is not tried any more, so all addresses
together cost it some seconds at most.
"""

TRIED_S: Final = 2.0
"""For all trials of a pattern, some hundred; a harmless one takes milliseconds."""

REPEATED: Final = 200
MOST_PLACES: Final = 60
_MISMATCHES: Final = ("!", "\x01")
_CLASSES: Final = {"d": "1", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a"}


class TooSlow(Exception):
    """The pattern takes too long for an address."""


class AddressPattern:
    """One pattern, for one run."""

    def __init__(self, written: str) -> None:
        """Raises BadScope if it is not a regular expression."""
        if len(written) > LONGEST:
            raise BadScope(f"{written[:60]}…", f"it is longer than {LONGEST:,} characters")
        try:
            self._compiled = regex.compile(written)
        except (regex.error, RecursionError, OverflowError) as error:
            raise BadScope(written, f"it is not a regular expression: {error}") from error
        self.written = written
        self._lost = 0

    def is_in(self, url: str) -> bool:
        """Raises TooSlow."""
        for seconds in (FIRST_LOOK_S, SECOND_LOOK_S) if self._lost < MOST_LOST else ():
            try:
                return self._compiled.search(url, timeout=seconds) is not None
            except TimeoutError:
                continue
        self._lost += 1
        raise TooSlow(self.written)


def check_patterns(patterns: Iterable[str]) -> None:
    """Raises BadScope for the first that cannot be used, or that takes too long on addresses made to slow it down.

    No trial finds all slow patterns: the bound for each address holds for those that it does not find.
    """
    for written in patterns:
        compiled, end = AddressPattern(written)._compiled, monotonic() + TRIED_S
        for address in _slow_addresses(written):
            try:
                compiled.search(address, timeout=max(0.001, end - monotonic()))
            except TimeoutError as error:
                cause = "it takes too long on some addresses; write it without a repetition inside a repetition"
                raise BadScope(written, cause) from error


def _slow_addresses(written: str) -> Iterator[str]:
    """Addresses that match the pattern but for their end, in which one or two characters are repeated:
    a pattern with many ways to split the repeated ones tries them all.
    """
    example = _example(written)
    for place in range(min(len(example), MOST_PLACES)):
        for width in (1, 2):
            repeated = example[place : place + width] * (REPEATED // width)
            yield from (f"http://site.example/{example[:place]}{repeated}{end}" for end in _MISMATCHES)


def _example(written: str) -> str:
    """A string that the pattern may match, each part of it once. Only approximate: alternatives follow one another."""
    out: list[str] = []
    characters = iter(re.sub(r"\{[\d,]*\}|\(\?[a-zA-Z:=!<]*", "", written))
    for character in characters:
        if character == "\\":
            escaped = next(characters, "")
            out.append(_CLASSES.get(escaped, escaped))
        elif character not in "^$?:|()+*]":
            out.append("a" if character in ".[" else character)
    return "".join(out)
