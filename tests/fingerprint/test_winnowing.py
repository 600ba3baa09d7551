from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.errors import ParameterError
from fingerprint.initials import to_initials
from fingerprint.model import Initials
from fingerprint.normalize import canonicalize
from fingerprint.winnowing import (
    DEFAULT_SEEDS,
    SeedParameters,
    asked_seeds,
    gram_order,
    winnow_arrays,
    winnowed_positions,
)

SMALL = SeedParameters(k=3, window=5)
FEW_LETTERS = st.text(st.sampled_from("的是不"), max_size=80)
LETTERS = st.text(st.sampled_from("的是不了人我在有他这为之大来以个中上们1"), max_size=300)


def initials_of(text: str) -> Initials:
    return to_initials(canonicalize(text))


class Seed(NamedTuple):
    """A winnowed k-gram: its hash, and the unit it starts at."""

    hash: int
    position: int


def winnow(initials: Initials, parameters: SeedParameters = DEFAULT_SEEDS) -> tuple[Seed, ...]:
    seeds = winnow_arrays(initials, parameters)
    return tuple(map(Seed, seeds.hashes.tolist(), seeds.positions.tolist()))


def hashes(text: str, parameters: SeedParameters) -> set[int]:
    return {seed.hash for seed in winnow(initials_of(text), parameters)}


def winnowed_slowly(order: Sequence[int], window: int) -> list[int]:
    """Robust winnowing, written as it is defined: keep the last choice if it is still a minimum, else the rightmost."""
    chosen: list[int] = []
    for start in range(len(order) - window + 1):
        least = min(order[start : start + window])
        if chosen and chosen[-1] >= start and order[chosen[-1]] == least:
            continue
        chosen.append(max(place for place in range(start, start + window) if order[place] == least))
    return chosen


@given(FEW_LETTERS | LETTERS, st.integers(1, 5), st.integers(1, 12))
def test_winnowing_does_what_its_definition_says(text: str, k: int, window: int) -> None:
    order = gram_order(initials_of(text).codes, k)
    if len(order) < window:
        return

    assert winnowed_positions(order, window).tolist() == sorted(set(winnowed_slowly(order.tolist(), window)))


@given(LETTERS, LETTERS, LETTERS, LETTERS, st.text(st.sampled_from("的是不了人我在有他"), min_size=7, max_size=40))
def test_a_shared_run_of_w_plus_k_minus_1_units_shares_a_seed(a: str, b: str, c: str, d: str, run: str) -> None:
    assert hashes(f"{a}{run}{b}", SMALL) & hashes(f"{c}{run}{d}", SMALL)


@given(LETTERS, st.integers(1, 20), st.integers(1, 20))
def test_a_smaller_window_chooses_all_that_a_larger_one_does(text: str, one: int, other: int) -> None:
    smaller, larger = (SeedParameters(k=3, window=window) for window in sorted((one, other)))

    assert hashes(text, larger) <= hashes(text, smaller)


@given(LETTERS)
def test_seeds_stand_where_they_say(text: str) -> None:
    initials = initials_of(text)
    halves = gram_order(initials.codes, 3).astype(np.uint32).view(np.int32)

    for seed in winnow(initials, SMALL):
        assert halves[seed.position] == seed.hash


@given(LETTERS)
def test_stored_hashes_fit_a_signed_integer_column(text: str) -> None:
    assert all(-(2**31) <= seed.hash < 2**31 for seed in winnow(initials_of(text), SeedParameters(k=3, window=1)))


def test_seeds_are_of_long_words_where_there_are_any() -> None:
    short, long = "so we are all on it now as is he or me at a go ", "extraordinary circumstances notwithstanding "
    text = (short + long) * 12

    for seeds in (winnow(initials_of(text)), winnow(initials_of(text), SeedParameters(most_words=64))):
        initials = initials_of(text)
        starts = [initials.source_span(seed.position, seed.position + 8) for seed in seeds]
        words = [len(text[start:end].split()) for start, end in starts]
        if seeds == winnow(initials_of(text)):
            assert max(words) <= 4
        else:
            assert max(words) > 4


@given(st.lists(st.sampled_from(["a", "so", "the", "passenger", "extraordinary", "2026", "的"]), max_size=200))
def test_a_run_of_words_shares_a_seed_whatever_stands_around_it(words: list[str]) -> None:
    run = " ".join(words)
    if len(initials_of(run)) < 78:
        return

    around = (
        ("now and then he goes there ", " notwithstanding the circumstances"),
        ("的是不了人我 ", " 在有他这为之大来"),
    )
    one, other = (hashes(f"{before}{run}{after}", SeedParameters()) for before, after in around)

    assert one & other


@pytest.mark.parametrize("length", [60, 90, 120, 200, 310])
def test_a_short_text_has_seeds_enough(length: int) -> None:
    letters = "的是不了人我在有他这为之大来以个中上们"
    text = "".join(letters[(number * number + number // 7) % len(letters)] for number in range(length))

    assert len(winnow(initials_of(text))) >= 3


@pytest.mark.parametrize(("units", "seeds"), [(0, 0), (8, 0), (9, 1), (10, 2), (11, 3)])
def test_the_shortest_texts_have_a_seed_for_every_gram(units: int, seeds: int) -> None:
    assert len(winnow(initials_of("的是不了人我在有他这为之大来"[:units]))) == seeds


def test_a_text_of_many_windows_is_winnowed_with_the_whole_one() -> None:
    parameters = SeedParameters()

    assert parameters.window_for(210) == 70
    assert parameters.window_for(10**6) == 70
    assert parameters.window_for(209) == 69
    assert parameters.window_for(1) == 1
    assert [parameters.asked_window_for(count) for count in (1, 30, 120, 10**6)] == [1, 10, 40, 40]


def test_a_text_that_repeats_itself_has_one_hash_and_a_seed_in_every_window() -> None:
    seeds = winnow(initials_of("的" * 100_000))

    positions = [seed.position for seed in seeds]
    assert len({seed.hash for seed in seeds}) == 1
    assert len(seeds) == 1 + (100_000 - 8 - 70) // 70
    assert max(np.diff(positions)) <= 70


def test_the_hash_of_a_gram_never_changes() -> None:
    assert winnow(initials_of("天地玄黄宇宙洪荒日")) == (Seed(hash=-178724728, position=0),)


@given(LETTERS)
def test_what_is_asked_for_holds_what_is_stored(text: str) -> None:
    initials = initials_of(text)
    for parameters in (SeedParameters(), SeedParameters(k=3, window=5, asked_window=2)):
        stored = set(winnow_arrays(initials, parameters).hashes.tolist())
        assert stored <= set(asked_seeds(initials, parameters).hashes.tolist())


def test_a_shared_run_shorter_than_the_window_is_met_by_asking_more_finely() -> None:
    letters, chance = "的是不了人我在有他这为之大来以个中上们", Random(5)  # noqa: S311  # repeatable, nothing secret
    met = {1: 0, 2: 0}
    for _ in range(150):
        source, host = ("".join(chance.choices(letters, k=800)) for _ in range(2))
        run = source[300:345]
        stored = set(winnow_arrays(initials_of(source)).hashes.tolist())
        asker = initials_of(host[:400] + run + host[400:])
        met[1] += bool(stored & set(winnow_arrays(asker).hashes.tolist()))
        met[2] += bool(stored & set(asked_seeds(asker).hashes.tolist()))

    assert met[2] > met[1] > 0


def test_grams_longer_than_a_number_holds_still_tell_texts_apart() -> None:
    parameters = SeedParameters(k=30, window=1)
    base = "的是不了人我在有他这为之大来以个中上们的是不了人我在有他这为"

    changed = [base[:place] + "高" + base[place + 1 :] for place in range(30)]

    assert len({hash_ for text in changed for hash_ in hashes(text, parameters)}) == 30


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 0}, "k=0: a seed has 1 to 64 units"),
        ({"k": 65}, "8 to 20 make sense"),
        ({"window": 0}, "window=0: choose 1"),
        ({"asked_window": 0}, "asked_window=0: choose 1"),
        ({"least": 0}, "least=0: choose 1"),
        ({"most_words": -1}, "most_words=-1: choose 0"),
    ],
)
def test_wrong_parameters_are_refused_with_the_way_out(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        SeedParameters(**arguments)
