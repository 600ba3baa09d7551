from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from matcher.meaning.sentence_pairs import SentencePair
from matcher.meaning.stretches import IN_ORDER, STEP, UNPAIRED_COST, heaviest_stretch

COUNT = 12


@st.composite
def some_pairs(draw: st.DrawFn) -> list[SentencePair]:
    left = draw(st.lists(st.integers(0, COUNT - 1), unique=True, max_size=COUNT))
    right = draw(st.permutations(range(COUNT)))
    gains = draw(st.lists(st.floats(0.01, 2), min_size=len(left), max_size=len(left)))
    return [SentencePair(one, other, gain, ()) for one, other, gain in zip(sorted(left), right, gains, strict=False)]


def _weight_of_best(pairs: list[SentencePair]) -> float:
    """Try every run of sentences of the left text."""
    best = 0.0
    for first in range(COUNT):
        for last in range(first + 1, COUNT + 1):
            inside = [pair for pair in pairs if first <= pair.left < last]
            weight = sum(pair.gain for pair in inside) - UNPAIRED_COST * (last - first)
            # The first pair inside may follow one outside, and then gains by it.
            for one, other in pairwise(pairs):
                follows = other.left - one.left <= STEP and 0 < other.right - one.right <= STEP
                weight += IN_ORDER * (other in inside and follows)
            best = max(best, weight)
    return best


@given(some_pairs())
def test_the_stretch_is_the_heaviest_of_all_as_seen_from_either_text(pairs: list[SentencePair]) -> None:
    found = heaviest_stretch(pairs, COUNT, COUNT)
    mirrored = sorted(pair.mirrored() for pair in pairs)
    best = max(_weight_of_best(pairs), _weight_of_best(mirrored))
    assert (found.weight if found else 0.0) - best < 1e-6
    assert best - (found.weight if found else 0.0) < 1e-6


@given(some_pairs())
def test_it_is_the_same_from_the_other_text(pairs: list[SentencePair]) -> None:
    found = heaviest_stretch(pairs, COUNT, COUNT)
    back = heaviest_stretch([pair.mirrored() for pair in pairs], COUNT, COUNT)
    assert (found is None) == (back is None)
    if found and back:
        assert abs(found.weight - back.weight) < 1e-6


def test_no_pairs_are_no_stretch() -> None:
    assert heaviest_stretch([], 3, 3) is None
