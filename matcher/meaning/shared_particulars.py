"""The particulars of a sentence as they read, each whole: a name, a term, a figure that the other sentence has, too.

Two Han characters that both have may be the end of one word and the beginning of the next. Shown are whole words around
them, as far as both sentences have the same ones there.
"""

from collections.abc import Iterable, Iterator, Set
from itertools import accumulate
from typing import Final

from fingerprint.normalize import canonicalize
from fingerprint.tokens import tokens_of
from matcher.meaning.numbers.figures import figures_in
from matcher.meaning.particulars import han_pairs, named_in
from matcher.meaning.terms.terms import is_term, shown_terms

PAIR: Final = 2
_EDGE: Final = frozenset(
    "的了与和及或在是有为从对将把被让向给也都还又就再才很更最不没到于以而但并则之其这那此该各每个们着过地得你我他她它说比像如由"
)
"""Words of one character that are no part of a name or term at its edge."""


def shared_particulars(particulars: Iterable[str], left: str, right: str) -> tuple[str, ...]:
    """Return these particulars, which both sentences have, as they read on the left, in order of appearance.

    Numbers and dates, which are the same in whatever form, are shown as written on the left; terms of two languages as
    both have them, after the others.
    """
    every = set(particulars)
    terms = {key for key in every if is_term(key)}
    keys = every - terms
    one = canonicalize(left)
    spans = [(start, end) for start, end, key in (*figures_in(one.text), *named_in(one.text)) if key in keys]
    spans += _whole_words(one.text, canonicalize(right).text, keys)
    shown = (left[int(one.starts[start]) : int(one.starts[end - 1]) + 1] for start, end in _outermost(spans))
    return (*dict.fromkeys(shown), *(shown_terms(terms, left, right) if terms else ()))


def _outermost(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    reached = 0
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if end > reached:
            reached = end
            yield start, end


def _whole_words(one: str, other: str, keys: set[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the first text that are whole words of both, around the pairs of Han characters among keys."""
    rare = dict.fromkeys(start for start, key in han_pairs(one) if key in keys)
    if not rare:
        return
    words, others = _Words(one), _Words(other)
    reached = 0
    for start in rare:
        if start + PAIR <= reached:
            continue
        end = start + PAIR
        while end - 1 in rare and one[start : end + 1] in other:
            end += 1
        whole = words.whole(start, end, others)
        if whole is not None:
            reached = whole[1]
            yield whole


class _Words:
    """A text with the places between its words. `long`: those where a word of several characters begins."""

    def __init__(self, text: str) -> None:
        # A token is a line, so the text may have none.
        tokens = tokens_of(text.replace("\n", " ")).split("\n")
        ends = list(accumulate(map(len, tokens)))
        self.text = text
        self.bounds = {0, *ends}
        self.long = {end - len(token) for end, token in zip(ends, tokens, strict=True) if len(token) >= PAIR}

    def whole(self, start: int, end: int, other: "_Words") -> tuple[int, int] | None:
        """Return the least span around this one that is whole words in both texts; else, one with a word of several
        characters that is whole words in either, since one text may have it in a longer name; else None.
        """
        shifts = [place - start for place in _places(other.text, self.text[start:end])]
        for shift in shifts:
            found = self._widened(start, end, other.text, shift, self.bounds & _moved(other.bounds, shift))
            if found is not None:
                return found
        for shift in shifts:
            for bounds, long in (
                (self.bounds, self.long),
                (_moved(other.bounds, shift), _moved(other.long, shift)),
            ):
                found = self._widened(start, end, other.text, shift, bounds)
                if found is not None and not long.isdisjoint(range(*found)):
                    return found
        return None

    def _widened(self, start: int, end: int, other: str, shift: int, bounds: Set[int]) -> tuple[int, int] | None:
        """Return the least span between these bounds that is the same in the other text, `shift` places further."""
        first = max((at for at in bounds if at <= start), default=-1)
        last = min((at for at in bounds if at >= end), default=-1)
        if min(first, last, first + shift) < 0 or self.text[first:last] != other[first + shift : last + shift]:
            return None
        while last - first >= PAIR and self.text[first] in _EDGE and first + 1 in bounds:
            first += 1
        while last - first >= PAIR and self.text[last - 1] in _EDGE and last - 1 in bounds:
            last -= 1
        return (first, last) if last - first >= PAIR else None


def _places(text: str, piece: str) -> Iterator[int]:
    place = text.find(piece)
    while place >= 0:
        yield place
        place = text.find(piece, place + 1)


def _moved(places: Set[int], shift: int) -> set[int]:
    return {at - shift for at in places}
