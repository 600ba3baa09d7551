"""Units of texts, kept by the characters of these texts."""

from hypothesis import given
from hypothesis import strategies as st

from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from matcher.comparison.text_units import TextUnits

ONE, OTHER = "春风又绿江南岸", "明月何时照我还"


def test_a_text_has_the_same_units_as_by_itself() -> None:
    assert TextUnits().of(ONE).codes.tolist() == to_initials(canonicalize(ONE)).codes.tolist()


def test_units_are_kept() -> None:
    units = TextUnits()

    assert units.of(ONE) is units.of(ONE)


def test_the_text_asked_for_longest_ago_is_dropped_first() -> None:
    units = TextUnits(most_chars=2 * len(ONE))
    first, second = units.of(ONE), units.of(OTHER)
    units.of(ONE)
    units.of("京口瓜洲一水间")

    assert units.of(ONE) is first
    assert units.of(OTHER) is not second


def test_a_text_longer_than_the_bound_is_kept_alone() -> None:
    units = TextUnits(most_chars=1)
    long = units.of(ONE)

    assert units.of(ONE) is long
    units.of(OTHER)
    assert units.of(ONE) is not long


@given(st.lists(st.text(st.characters(codec=None), max_size=40), max_size=8), st.integers(0, 60), st.integers(0, 60))
def test_what_is_dropped_is_computed_again(texts: list[str], most_chars: int, most_placed: int) -> None:
    units = TextUnits(most_chars=most_chars, most_placed=most_placed)
    kept = [units.of(text) for text in texts]

    for text, one in zip(texts, kept, strict=True):
        whole = to_initials(canonicalize(text))
        assert one.canonical.text == whole.canonical.text
        for name in ("codes", "classes", "chars_from", "chars_to"):
            assert getattr(one, name).tolist() == getattr(whole, name).tolist()
        assert all(one.source_span(place, place) == whole.source_span(place, place) for place in range(len(whole)))
