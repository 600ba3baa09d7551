"""Records read side by side: their results in order, few ahead, and nothing swallowed."""

import threading
from collections.abc import Iterator
from functools import partial

import pytest

from crawler.importers.parallel import Ready, Work, in_order


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_results_come_in_the_order_of_the_works(at_once: int) -> None:
    works = [partial(pow, number, 2) for number in range(50)]

    assert list(in_order(works, at_once=at_once)) == [number**2 for number in range(50)]
    assert list(in_order([], at_once=at_once)) == []
    assert list(in_order([Ready(3)], at_once=at_once)) == [3]


def test_works_are_at_hand_side_by_side() -> None:
    met = threading.Barrier(3, timeout=60)

    assert sorted(in_order([met.wait] * 3, at_once=3)) == [0, 1, 2]


def test_few_are_taken_ahead_of_what_was_given_out() -> None:
    taken: list[int] = []

    def source() -> Iterator[Work[int]]:
        for number in range(1_000):
            taken.append(number)
            yield Ready(number)

    results = in_order(source(), at_once=2)
    next(results)

    assert len(taken) <= 6


@pytest.mark.parametrize("at_once", [1, 3])
def test_an_error_of_a_work_reaches_whoever_asks_for_its_result(at_once: int) -> None:
    def bad() -> int:
        raise ZeroDivisionError

    works: list[Work[int]] = [Ready(1), bad, Ready(3)]
    results = in_order(works, at_once=at_once)

    assert next(results) == 1
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_whoever_leaves_early_leaves_nothing_behind() -> None:
    before = threading.active_count()
    results = in_order((Ready(number) for number in range(1_000)), at_once=4)
    next(results)

    results.close()  # type: ignore[attr-defined]  # a generator

    assert threading.active_count() == before
