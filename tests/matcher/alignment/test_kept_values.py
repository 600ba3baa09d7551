from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.alignment.kept_values import KeptValues, kept


def test_those_asked_for_last_are_kept_up_to_a_size() -> None:
    values = KeptValues[str, int](5)
    for number, key in enumerate("abc"):
        values.keep(key, number, size=2)

    assert [values.get(key) for key in "abc"] == [None, 1, 2]
    values.get("b")
    values.keep("d", 3, size=2)
    assert [values.get(key) for key in "bcd"] == [1, None, 3]


def test_one_that_is_larger_than_all_may_be_is_kept_alone() -> None:
    values = KeptValues[str, int](5)
    values.keep("a", 1, size=2)
    values.keep("huge", 2, size=1_000)

    assert (values.get("a"), values.get("huge")) == (None, 2)
    values.keep("b", 3, size=2)
    assert (values.get("huge"), values.get("b")) == (None, 3)


def test_a_value_that_another_thread_has_kept_meanwhile_stays() -> None:
    values = KeptValues[str, list[int]](5)
    first = values.keep("a", [1], size=1)

    assert values.keep("a", [1], size=1) is first


def test_what_a_function_returns_is_kept_by_its_arguments() -> None:
    asked: list[tuple[str, str]] = []

    @kept(10, size=lambda one, other: len(one) + len(other))
    def joined(one: str, other: str) -> str:
        """Join both."""
        asked.append((one, other))
        return one + other

    assert [joined("a", "bc"), joined("a", "bc"), joined("ab", "c")] == ["abc"] * 3
    assert asked == [("a", "bc"), ("ab", "c")]
    joined("12345", "67890")
    joined("a", "bc")
    assert asked[2:] == [("12345", "67890"), ("a", "bc")]
    assert joined.__doc__ == "Join both."


def test_a_failure_is_not_kept() -> None:
    outcomes = iter([ValueError, None])

    @kept(10, size=len)
    def fails_once(_text: str) -> int:
        outcome = next(outcomes)
        if outcome is not None:
            raise outcome
        return 1

    with pytest.raises(ValueError):  # noqa: PT011  # ours
        fails_once("a")
    assert fails_once("a") == 1


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4)), max_size=60), st.integers(1, 12))
def test_the_sizes_of_all_kept_stay_within_the_bound(asked: Sequence[tuple[int, int]], most: int) -> None:
    values = KeptValues[int, int](most)
    sizes: dict[int, int] = {}
    for key, size in asked:
        if values.get(key) is None:
            sizes[key] = size
            values.keep(key, key, size=size)
        held = [key for key in sizes if values.get(key) == key]
        assert sum(sizes[key] for key in held) <= most or len(held) == 1
