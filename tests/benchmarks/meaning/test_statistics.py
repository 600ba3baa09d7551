import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.meaning.statistics import Judged, Rate, brier, curve, reliability, threshold_at


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"), [(0, 8, 0.0, 0.3244), (28, 28, 0.8794, 1.0), (5, 10, 0.2366, 0.7634)]
)
def test_intervals_are_those_of_wilson(hits: int, count: int, low: float, high: float) -> None:
    rate = Rate(hits, count)
    assert (round(rate.low, 4), round(rate.high, 4)) == (low, high)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_an_interval_holds_its_share(hits: int, more: int) -> None:
    rate = Rate(hits, hits + more)
    assert 0 <= rate.low <= rate.share + 1e-9
    assert rate.share - 1e-9 <= rate.high <= 1 or not rate.count


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60))
def test_every_pair_is_in_one_bin(pairs: list[tuple[float, bool]]) -> None:
    judged = [Judged(*pair) for pair in pairs]
    bins = reliability(judged)
    assert sum(one.rate.count for one in bins) == len(judged)
    assert sum(one.rate.hits for one in bins) == sum(is_true for _, is_true in pairs)
    score = brier(judged)
    assert (score is None) == (not judged)
    assert score is None or 0 <= score <= 1


def test_the_brier_score_of_a_coin_is_a_quarter() -> None:
    assert math.isclose(brier([Judged(0.5, True), Judged(0.5, False)]) or 0, 0.25)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.floats(0, 0.5))
def test_a_threshold_lets_no_more_pass_than_allowed(false: list[float], most: float) -> None:
    threshold = threshold_at(false, most)
    assert sum(score > threshold for score in false) <= most * len(false)


def test_a_higher_threshold_finds_and_names_fewer() -> None:
    points = list(curve([0.9, 0.5, 0.0], [0.6, 0.0], [0.4, 0.7]))
    assert [(point.found.hits, point.false.hits) for point in points] == [(2, 1), (1, 0)]
    assert points[0].false.count == 2
