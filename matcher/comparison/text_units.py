"""Units of stored texts, kept for the next comparisons: a text is a candidate of many, mostly of its neighbours.

Most candidates are excluded by the codes of their units alone, at two bytes a character. Where the units stand in the
text takes ten times as much, and is kept of fewer texts.
"""

from collections.abc import Callable
from typing import Final

from fingerprint.initials import to_initials
from fingerprint.model import CanonicalText, Initials, Offsets
from fingerprint.normalize import canonicalize
from matcher.alignment.kept_values import KeptValues

MOST_CHARS: Final = 10_000_000
"""Characters of the texts whose codes are kept: some 20 MB, and as much for the texts. Of the comparisons of 9,000 real
articles, three quarters then find them; a tenth of the characters would serve half.
"""
MOST_PLACED: Final = 1_000_000
"""Characters of the texts whose places are kept: some 20 MB."""


class TextUnits:
    """Units by text, those asked for last, up to `most_chars` characters together and at least the last one. Threads
    may share it.
    """

    def __init__(self, *, most_chars: int = MOST_CHARS, most_placed: int = MOST_PLACED) -> None:
        self._units = KeptValues[str, Initials](most_chars)
        self._placed = KeptValues[str, Initials](most_placed)

    def of(self, body: str) -> Initials:
        """Return the units of a text as stored."""
        kept = self._units.get(body)
        return (
            self._units.keep(body, _StoredUnits(body, self._placed_units(body), self._placed_units), size=len(body))
            if kept is None
            else kept
        )

    def _placed_units(self, body: str) -> Initials:
        kept = self._placed.get(body)
        return self._placed.keep(body, to_initials(canonicalize(body)), size=len(body)) if kept is None else kept


class _StoredUnits(Initials):
    """Units of which only the codes are kept; where they stand is computed again if it is asked for."""

    __slots__ = ("_body", "_placed")

    _body: str
    _placed: Callable[[str], Initials]

    def __init__(self, body: str, units: Initials, placed: Callable[[str], Initials]) -> None:
        for name, value in (("codes", units.codes), ("classes", units.classes), ("_body", body), ("_placed", placed)):
            object.__setattr__(self, name, value)

    @property
    def canonical(self) -> CanonicalText:
        return self._placed(self._body).canonical

    @property
    def chars_from(self) -> Offsets:
        return self._placed(self._body).chars_from

    @property
    def chars_to(self) -> Offsets:
        return self._placed(self._body).chars_to


units_of: Final = TextUnits().of
