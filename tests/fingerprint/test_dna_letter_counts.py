import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.characters.tables import CONSONANTS, LAST_UNIT
from fingerprint.dna_letter_counts import LETTERS, WIDEST_PAIRED, by_lane, cells_of_windows, running_sums

UNITS = st.lists(st.integers(1, LAST_UNIT), max_size=400).map(lambda codes: np.array(codes, dtype=np.uint8))


def counts_of(window: list[int]) -> list[int]:
    return [window.count(ord(letter) - ord("a") + 1) for letter in CONSONANTS]


@given(UNITS, st.integers(1, 40) | st.integers(WIDEST_PAIRED - 2, WIDEST_PAIRED + 20))
def test_a_table_is_read_at_the_counts_of_every_window(codes: npt.NDArray[np.uint8], n: int) -> None:
    table = np.arange(LETTERS)[:, np.newaxis] * 1_000 + np.arange(n + 1) ** 2
    starts = np.arange(max(0, len(codes) - n + 1), dtype=np.int32)

    cells, counted = cells_of_windows(running_sums(codes, n), starts, n)

    expected = [counts_of(codes[start : start + n].tolist()) for start in starts.tolist()]
    found = by_lane(table).take(cells).sum(axis=0).tolist()
    assert found == [sum(int(table[row, count]) for row, count in enumerate(counts)) for counts in expected]
    assert counted.tolist() == [sum(counts) for counts in expected]


@pytest.mark.parametrize("n", [64, WIDEST_PAIRED, WIDEST_PAIRED + 1, 2_000])
def test_sums_that_overflow_leave_the_counts_as_they_are(n: int) -> None:
    """300,000 units of one letter are far more than a lane holds."""
    codes = np.full(300_000, ord(CONSONANTS[-1]) - ord("a") + 1, dtype=np.uint8)
    start = np.array([len(codes) - n], dtype=np.int32)

    cells, counted = cells_of_windows(running_sums(codes, n), start, n)

    counts = np.zeros((LETTERS, n + 1), dtype=np.int64)
    counts[-1] = np.arange(n + 1)
    assert by_lane(counts).take(cells).sum() == n
    assert counted.tolist() == [n]
