"""The compiled loops over the holders of a run, each beside a few lines of Python that are obviously right."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.boilerplate import spread_loops

CODES = st.lists(st.integers(1, 36), max_size=30)
FEW_CODES = st.lists(st.integers(1, 3), max_size=30)


@pytest.fixture(params=["compiled", "with bounds checked"], scope="module")
def loops(request: pytest.FixtureRequest) -> dict[str, object]:
    names = ("agreed_units", "shared_numbers")
    found = {name: getattr(spread_loops, name) for name in names}
    if request.param == "compiled":
        return found
    return {name: numba.njit(one.py_func, boundscheck=True) for name, one in found.items()}


def numbers(values: list[int], kind: type[np.generic]) -> "np.ndarray[tuple[int], np.dtype[np.generic]]":
    return np.array(values, dtype=kind)


@given(
    stretches=st.lists(FEW_CODES, min_size=1, max_size=6), least=st.sampled_from([2.0, 2.4, 3.0]), back=st.booleans()
)
def test_units_are_agreed_up_to_the_first_that_too_few_hold(
    loops: dict[str, object], stretches: list[list[int]], least: float, back: bool
) -> None:
    reach = 20
    agreed: list[int] = []
    for column in range(reach):
        held = [stretch[column] for stretch in stretches if column < len(stretch)]
        votes = [held.count(code) for code in range(1, 37)]
        if max(votes) < least:
            break
        agreed.append(votes.index(max(votes)) + 1)
    ends = np.cumsum([len(stretch) for stretch in stretches])
    begins = ends - [len(stretch) for stretch in stretches]
    units = numbers([code for stretch in stretches for code in (stretch[::-1] if back else stretch)], np.uint8)

    between = (ends - 1, begins - 1, -1) if back else (begins, ends, 1)
    found = loops["agreed_units"](units, *between, least, reach)  # type: ignore[operator]  # a compiled function

    assert found.tolist() == agreed


@given(st.lists(st.frozensets(st.integers(-9, 9), max_size=8), max_size=5))
def test_shared_numbers_are_those_of_both_sets(loops: dict[str, object], sets: list[frozenset[int]]) -> None:
    begins = np.cumsum([0, *map(len, sets)])

    shared = loops["shared_numbers"](numbers([n for some in sets for n in sorted(some)], np.int32), begins)  # type: ignore[operator]

    wanted = [
        [0 if one == other else len(sets[one] & sets[other]) for other in range(len(sets))] for one in range(len(sets))
    ]
    assert shared.tolist() == wanted


def test_a_million_equal_units_take_no_longer_than_others() -> None:
    units = np.full(1_000_000, 7, dtype=np.uint8)
    starts, ends = np.zeros(1, dtype=np.int64), np.full(1, len(units))

    assert len(spread_loops.agreed_units(units, starts, ends, 1, 1.0, 2_000)) == 2_000
