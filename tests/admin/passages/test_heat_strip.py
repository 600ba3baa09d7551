"""Where in a text the copied parts are, in cells."""

from hypothesis import given
from hypothesis import strategies as st

from admin.passages.heat_strip import CELLS, heat_strip


def test_a_whole_text_is_one_run() -> None:
    assert heat_strip([(0, 900)], 900) == ((0, CELLS),)


def test_a_short_stretch_still_darkens_a_cell() -> None:
    assert heat_strip([(500, 501)], 60_000) == ((0, 1),)


def test_runs_that_touch_are_one() -> None:
    assert heat_strip([(0, 100), (100, 200), (400, 600)], 600) == ((0, 20), (40, 20))


def test_nothing_gives_nothing() -> None:
    assert heat_strip([], 10) == heat_strip([(0, 5)], 0) == heat_strip([(7, 7), (20, 30)], 10) == ()


@given(st.lists(st.tuples(st.integers(-5, 400), st.integers(-5, 400)), max_size=20), st.integers(1, 300))
def test_runs_are_apart_in_order_and_inside(stretches: list[tuple[int, int]], chars: int) -> None:
    runs = heat_strip(stretches, chars)

    ends = [0, *(start + width for start, width in runs)]
    assert all(width > 0 for _start, width in runs)
    assert all(
        start > end or (number == 0 and start >= end)
        for number, ((start, _), end) in enumerate(zip(runs, ends, strict=False))
    )
    assert ends[-1] <= CELLS
