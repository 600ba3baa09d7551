"""The passage measures against cases worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.corpus.model import Span
from benchmarks.quality.scoring.passages import PassageScore, score_of

TRUE = Span(100, 200, "a", 0, 100)


def test_an_exact_find_has_full_marks() -> None:
    score = score_of([TRUE], [TRUE])
    assert (score.precision, score.recall, score.granularity, score.plagdet) == (1.0, 1.0, 1.0, 1.0)


def test_half_of_a_passage_found_is_half_the_recall_and_all_the_precision() -> None:
    score = score_of([TRUE], [Span(100, 150, "a", 0, 50)])
    assert (score.precision, score.recall, score.granularity) == (1.0, 0.5, 1.0)
    assert score.plagdet == pytest.approx(2 / 3)


def test_a_find_twice_as_long_as_the_passage_is_half_right() -> None:
    score = score_of([TRUE], [Span(50, 250, "a", 0, 200)])
    assert (score.precision, score.recall) == (0.5, 1.0)


def test_a_passage_found_in_two_pieces_costs_granularity() -> None:
    score = score_of([TRUE], [Span(100, 150, "a", 0, 50), Span(150, 200, "a", 50, 100)])
    assert (score.precision, score.recall, score.granularity) == (1.0, 1.0, 2.0)
    assert score.plagdet == pytest.approx(0.6309, abs=1e-4)  # 1 / log2(3)


def test_the_right_place_with_the_wrong_source_is_no_find() -> None:
    score = score_of([TRUE], [Span(100, 200, "b", 0, 100)])
    assert (score.precision, score.recall, score.plagdet) == (0.0, 0.0, 0.0)


def test_the_right_source_at_the_wrong_place_of_it_is_no_find() -> None:
    score = score_of([TRUE], [Span(100, 200, "a", 500, 600)])
    assert (score.precision, score.recall) == (0.0, 0.0)


def test_a_missed_passage_halves_the_recall_and_leaves_granularity_alone() -> None:
    score = score_of([TRUE, Span(300, 310, "b", 0, 10)], [TRUE])
    assert (score.precision, score.recall, score.granularity) == (1.0, 0.5, 1.0)
    assert score.pooled_recall == pytest.approx(200 / 220)


def test_a_short_false_find_weighs_as_much_as_a_long_right_one() -> None:
    score = score_of([TRUE], [TRUE, Span(0, 10, "a", 900, 910)])
    assert score.precision == 0.5
    assert score.pooled_precision == pytest.approx(200 / 220)


def test_overlapping_finds_are_not_counted_twice() -> None:
    score = score_of([TRUE], [Span(100, 180, "a", 0, 80), Span(120, 200, "a", 20, 100)])
    assert score.recall == 1.0
    assert score.caught_chars == TRUE.size


def test_nothing_true_and_nothing_found_is_worth_nothing_and_does_not_fail() -> None:
    score = score_of([], [])
    assert (score.precision, score.recall, score.granularity, score.plagdet) == (0.0, 0.0, 1.0, 0.0)


@st.composite
def _placed(draw: st.DrawFn) -> Span:
    start, source_start = draw(st.integers(0, 80)), draw(st.integers(0, 80))
    length = draw(st.integers(1, 40))
    return Span(start, start + length, draw(st.sampled_from("ab")), source_start, source_start + length)


@given(st.lists(_placed(), max_size=5), st.lists(_placed(), max_size=5))
def test_measures_stay_in_their_bounds_and_agree_with_sets_of_characters(true: list[Span], found: list[Span]) -> None:
    score = score_of(true, found)
    for share in (score.precision, score.recall, score.pooled_precision, score.pooled_recall, score.plagdet):
        assert 0.0 <= share <= 1.0
    assert score.granularity >= 1.0
    assert score.recall_sum == pytest.approx(sum(_caught(item, found) for item in true))
    assert score.precision_sum == pytest.approx(sum(_caught(item, true) for item in found))


def _characters(item: Span) -> set[tuple[str, int]]:
    copied = {("copy", place) for place in range(item.start, item.end)}
    return copied | {("source", place) for place in range(item.source_start, item.source_end)}


def _caught(item: Span, others: list[Span]) -> float:
    mine = _characters(item)
    shared = [mine & _characters(other) for other in others if other.source == item.source]
    touching = [part for part in shared if {kind for kind, _ in part} == {"copy", "source"}]
    return len(set().union(*touching)) / len(mine)


@given(st.lists(st.tuples(st.lists(_placed(), max_size=3), st.lists(_placed(), max_size=3)), max_size=4))
def test_scores_add_up(copies: list[tuple[list[Span], list[Span]]]) -> None:
    total = PassageScore()
    for true, found in copies:
        total = total.plus(score_of(true, found))
    assert total.true == sum(len(true) for true, _ in copies)
    assert total.recall_sum == pytest.approx(sum(score_of(true, found).recall_sum for true, found in copies))
