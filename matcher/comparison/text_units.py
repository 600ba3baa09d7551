"""Units of stored texts, kept for the next comparisons: a text is a candidate of many, mostly of its neighbours."""

from collections import OrderedDict
from threading import Lock
from typing import Final

from fingerprint.initials import to_initials
from fingerprint.model import Initials
from fingerprint.normalize import canonicalize

MOST_CHARS: Final = 1_000_000
"""Characters of the texts that are kept: some 20 MB. Of the comparisons of 9,000 real articles, half then find them."""


class TextUnits:
    """Units by text, those asked for last, up to `most_chars` characters together and at least the last one. Threads
    may share it.
    """

    def __init__(self, *, most_chars: int = MOST_CHARS) -> None:
        self._most_chars = most_chars
        self._kept: OrderedDict[str, Initials] = OrderedDict()
        self._chars = 0
        self._lock = Lock()

    def of(self, body: str) -> Initials:
        with self._lock:
            if (kept := self._kept.get(body)) is not None:
                self._kept.move_to_end(body)
                return kept
        units = to_initials(canonicalize(body))
        with self._lock:
            if body not in self._kept:
                self._kept[body] = units
                self._chars += len(body)
            while self._chars > self._most_chars and len(self._kept) > 1:
                self._chars -= len(self._kept.popitem(last=False)[0])
        return units


units_of: Final = TextUnits().of
"""Return the units of a text as stored."""
