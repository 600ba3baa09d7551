from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.errors import ParameterError
from fingerprint.model import Fingerprint
from fingerprint.simhash import bands, blocks, distance, probe_neighbours, sign_bits, simhash_of

SIMHASHES = st.integers(0, 2**64 - 1)
# (feature hash of three bits, its sign vector, its weight): the five features of the published worked example.
FIVE_FEATURES = [((1, -1, 1), 1), ((-1, 1, 1), 2), ((1, -1, -1), 0), ((-1, -1, 1), 3), ((1, 1, -1), 0)]


def flip(simhash: int, positions: set[int]) -> int:
    for position in positions:
        simhash ^= 1 << position
    return simhash


def test_the_published_six_bit_sums_give_their_simhash() -> None:
    assert format(sign_bits([13, 108, -22, -5, -32, 55]), "06b") == "110001"


def test_the_published_five_features_give_their_simhash() -> None:
    signs = np.array([vector for vector, _ in FIVE_FEATURES], dtype=float)
    sums = np.array([weight for _, weight in FIVE_FEATURES], dtype=float) @ signs

    assert sums.tolist() == [-4, -2, 6]
    assert format(sign_bits(sums), "03b") == "001"


def test_the_published_five_bit_vectors_give_their_simhash() -> None:
    sums = np.array([[2, -2, 2, 2, -2], [3, 3, -3, 3, 3]]).sum(axis=0)

    assert sums.tolist() == [5, 1, -1, 5, 1]
    assert format(sign_bits(sums), "05b") == "11011"


def test_the_published_five_features_give_the_same_through_packed_hashes() -> None:
    hashes = [sum((bit > 0) << (2 - place) for place, bit in enumerate(vector)) for vector, _ in FIVE_FEATURES]
    weights = [weight for _, weight in FIVE_FEATURES]

    assert simhash_of(np.array(hashes, dtype=np.uint64), np.array(weights, dtype=float)) & 0b111 == 0b001


def test_a_sum_of_zero_is_a_zero_bit() -> None:
    opposite = np.array([0, 2**64 - 1], dtype=np.uint64)

    assert simhash_of(opposite, np.array([3.0, 3.0])) == 0
    assert simhash_of(opposite, np.array([3.0, 4.0])) == 2**64 - 1


@given(SIMHASHES, st.integers(1, 1000))
def test_one_feature_is_its_own_simhash(feature: int, weight: int) -> None:
    assert simhash_of(np.array([feature], dtype=np.uint64), np.array([float(weight)])) == feature


@given(st.lists(st.tuples(SIMHASHES, st.integers(1, 50_000)), min_size=1, max_size=40), st.randoms())
def test_the_order_of_features_makes_no_difference(features: list[tuple[int, int]], random: Random) -> None:
    def of(chosen: list[tuple[int, int]]) -> int:
        hashes, weights = zip(*chosen, strict=True)
        return simhash_of(np.array(hashes, dtype=np.uint64), np.array(weights, dtype=float))

    shuffled = list(features)
    random.shuffle(shuffled)

    assert of(shuffled) == of(features)


def test_the_published_distances() -> None:
    assert distance(0b10101, 0b00110) == 3
    assert distance(0b00000, 0b10000) == 1


@given(SIMHASHES, SIMHASHES, SIMHASHES)
def test_distance_is_a_metric(a: int, b: int, c: int) -> None:
    assert distance(a, a) == 0
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert 0 <= distance(a, b) <= 64


def test_bands_are_read_from_the_left() -> None:
    assert bands(0x0123_4567_89AB_CDEF) == (0x0123, 0x4567, 0x89AB, 0xCDEF)


@given(SIMHASHES)
def test_the_fingerprint_has_the_same_bands(simhash: int) -> None:
    assert Fingerprint(algorithm_version=1, simhash=simhash, feature_count=9, unit_count=9).bands == bands(simhash)


@given(SIMHASHES, st.integers(1, 64))
def test_blocks_put_together_again_are_the_simhash(simhash: int, count: int) -> None:
    narrow, wider = divmod(64, count)
    widths = [narrow + (index < wider) for index in range(count)]
    together = 0
    for value, width in zip(blocks(simhash, count), widths, strict=True):
        assert value < 1 << width
        together = together << width | value

    assert together == simhash


@given(SIMHASHES, st.integers(0, 20), st.data())
def test_within_d_bits_one_of_d_plus_one_blocks_is_shared(simhash: int, d: int, data: st.DataObject) -> None:
    near = flip(simhash, data.draw(st.sets(st.integers(0, 63), max_size=d)))

    assert any(one == other for one, other in zip(blocks(simhash, d + 1), blocks(near, d + 1), strict=True))


@given(SIMHASHES, st.sets(st.integers(0, 63), max_size=3))
def test_within_three_bits_a_band_is_shared(simhash: int, flipped: set[int]) -> None:
    assert any(one == other for one, other in zip(bands(simhash), bands(flip(simhash, flipped)), strict=True))


@given(SIMHASHES, st.sets(st.integers(0, 63), max_size=7))
def test_within_seven_bits_a_neighbour_of_a_band_is_found(simhash: int, flipped: set[int]) -> None:
    stored = bands(flip(simhash, flipped))

    assert any(band in wanted for band, wanted in zip(stored, probe_neighbours(simhash), strict=True))


@given(SIMHASHES)
def test_probing_takes_sixty_eight_look_ups_of_different_values(simhash: int) -> None:
    assert [len(set(values)) for values in probe_neighbours(simhash)] == [17, 17, 17, 17]


def test_no_blocks_or_too_many_are_refused() -> None:
    with pytest.raises(ParameterError, match="choose 1 to 64"):
        blocks(0, 0)
    with pytest.raises(ParameterError, match="choose 1 to 64"):
        blocks(0, 65)
