"""What two texts share beyond a third: wording in runs, and departures of one kind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matcher.provenance.shared_wording import cover_of, departures_shared, wording_shared
from tests.support.disguises import swap_homophones, to_traditional
from tests.support.factories import STORIES, story, text_of

TEXTS = st.text(
    st.characters() | st.sampled_from("的一是在不了有和人这中大为上个国\n。，《》0123abc\0\ud800\u202e"), max_size=300
)


def whole(text: str) -> list[tuple[int, int]]:
    return [(0, len(text))]


def wording(left: str, right: str, third: str = "") -> tuple[float, float]:
    found = wording_shared(left, right, (whole(left), whole(right)), third)
    return round(found.rate, 2), round(found.densest, 2)


def test_a_copy_shares_all_of_its_wording_whatever_sounds_alike() -> None:
    copy = swap_homophones(story(), share=0.2, seed=1)

    assert wording(story(), copy) == (1.0, 1.0)
    assert wording(to_traditional(story()), copy) == (1.0, 1.0)


def test_unrelated_texts_share_none() -> None:
    assert wording(story(), story(STORIES[1])) == (0.0, 0.0)


def test_what_the_third_has_counts_for_nothing() -> None:
    found = wording_shared(story(), story(), (whole(story()), whole(story())), story())

    assert (found.free, found.rate) == (0, 0.0)


def test_words_in_other_letters_are_not_the_texts_own() -> None:
    terms = "".join(f"{text_of(number, chars=30)}Kubernetes Pod Autoscaler version 1.{number} " for number in range(9))
    other = "".join(
        f"{text_of(number, chars=30)}Kubernetes Pod Autoscaler version 1.{number} " for number in range(9, 18)
    )

    assert wording(terms, other)[0] < 0.05


def test_a_copied_paragraph_shows_in_the_densest_window() -> None:
    own = text_of(1, chars=2_000)
    mixed = text_of(2, chars=900) + own[600:900] + text_of(3, chars=900)

    rate, densest = wording(own, mixed)

    assert rate < 0.25
    assert densest == 1.0


def test_a_faithful_copy_of_the_third_has_no_departures() -> None:
    found = departures_shared(story(), story(), whole(story()), to_traditional(story()))

    assert (found.places, found.shared) == (0, 0)


def test_errors_that_both_share_are_departures_and_those_of_one_are_not_shared() -> None:
    first = swap_homophones(story(), share=0.1, seed=1)
    second_hand = swap_homophones(first, share=0.05, seed=2)
    independent = swap_homophones(story(), share=0.1, seed=3)

    copied = departures_shared(first, second_hand, whole(first), story())
    other = departures_shared(first, independent, whole(first), story())

    assert copied.shared > copied.places / 2
    assert other.places == copied.places > 10
    assert other.shared < other.places / 5


def test_a_common_insertion_and_a_common_order_are_departures() -> None:
    sentences = [f"{part}。" for part in story().split("。") if part]
    inserted = "".join([*sentences[:4], text_of(5, chars=60), *sentences[4:]])
    turned = "".join([*sentences[6:], *sentences[:6]])

    found = departures_shared(inserted, inserted, whole(inserted), story())
    assert (found.places, found.shared) == (1, 1)
    assert found.longest == pytest.approx(60, abs=12)
    assert departures_shared(turned, turned, whole(turned), story()).shared == 1
    assert departures_shared(turned, story(), whole(turned), story()).shared == 0


def test_only_the_shared_stretches_are_read() -> None:
    departing = story() + text_of(5, chars=200)

    assert departures_shared(departing, departing, [(0, len(story()))], story()).places == 0


@settings(max_examples=60)
@given(TEXTS, TEXTS, TEXTS)
def test_any_texts_can_be_asked_about_in_either_order(left: str, right: str, third: str) -> None:
    spans = whole(left), whole(right)
    forth, back = wording_shared(left, right, spans, third), wording_shared(right, left, spans[::-1], third)

    assert (forth.rate, forth.densest) == (back.rate, back.densest)
    assert 0 <= forth.shared <= forth.free
    found = departures_shared(left, right, spans[0], third)
    assert 0 <= found.shared <= found.places


SPANS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(sorted).map(tuple), max_size=5)


@given(SPANS, SPANS)
def test_cover_is_a_share_and_whole_with_oneself(spans: list[tuple[int, int]], by: list[tuple[int, int]]) -> None:
    assert 0 <= cover_of(spans, by) <= 1
    assert cover_of(spans, [*by, *spans]) == (1.0 if any(start < end for start, end in spans) else 0.0)


def test_a_long_text_without_sense_takes_no_long() -> None:
    endless = "的" * 200_000
    assert wording(endless, endless)[0] == 1.0
    assert departures_shared(endless, endless, whole(endless), "").places == 1
