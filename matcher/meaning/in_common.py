"""How much of what is rare both sides of a stretch name: particulars in one language, terms and names across two."""

from collections.abc import Callable, Iterable, Set
from typing import Final, NamedTuple

from matcher.meaning.languages import language_of
from matcher.meaning.particulars import Contrast
from matcher.meaning.terms.terms import terms_of

COUNTED: Final = 0.5
"""Share of the greatest rarity from which a particular counts."""
LITTLE: Final = 8.0
"""Rarity that is added to what a side names: of two or three particulars the share says little."""
MOST_SHARE: Final = 0.3
"""Share that counts at most. Retellings have .03 to .37, second translations up to .41; notices of one template, whose
wording is common, up to .76.
"""
WORD_LIST: Final = frozenset({"han", "en"})
"""The languages of the word list."""


class InCommon(NamedTuple):
    """`rarity`: summed over what both sides name; `share`: of what the poorer side names, 0 to .3."""

    rarity: float
    share: float


NOTHING_IN_COMMON: Final = InCommon(0.0, 0.0)
NOT_KNOWN: Final = InCommon(10.0, 0.15)
"""What is assumed of two languages without a word list, so that nothing speaks for or against them."""


def in_common(left: Set[str], right: Set[str], contrast: Contrast) -> InCommon:
    """Return what two sets of particulars have in common."""
    shared = _rarity(left & right, contrast)
    poorer = min(_rarity(left, contrast), _rarity(right, contrast))
    return InCommon(shared, min(MOST_SHARE, shared / (poorer + LITTLE)))


def shared_terms(left: Iterable[str], right: Iterable[str]) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the terms of the sentences of both sides; None if there is no word list of their languages."""
    one, other = list(left), list(right)
    if {language_of(one), language_of(other)} != WORD_LIST:
        return None
    found = terms_of("\n".join(one)), terms_of("\n".join(other))
    return found if all(found) else None


def terms_in_common(left: Iterable[str], right: Iterable[str], contrast: Callable[[], Contrast] | None) -> InCommon:
    """Return what the sentences of two sides in two languages name alike. `contrast`: of the terms of other texts."""
    terms = None if contrast is None else shared_terms(left, right)
    return NOT_KNOWN if terms is None or contrast is None else in_common(*terms, contrast())


def _rarity(particulars: Iterable[str], contrast: Contrast) -> float:
    least = COUNTED * contrast.rarest
    # Sorted, so that the same sets give the same sum.
    return sum(rarity for rarity in map(contrast.rarity, sorted(particulars)) if rarity > least)
