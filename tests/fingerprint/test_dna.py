from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.characters.tables import CONSONANTS, tables
from fingerprint.dna import (
    DIGITS,
    Normalisation,
    SliceParameters,
    digits_of,
    dna_text,
    keys_of,
    packed,
    sliced_units,
    slices_at_every_offset,
    slices_at_stride,
    windows,
)
from fingerprint.errors import ParameterError
from fingerprint.initials import to_initials
from fingerprint.model import Initials
from fingerprint.normalize import canonicalize

LETTERS = st.text(st.sampled_from("八次的发个和级可了吗你平去人是他我小一在啊3，"), max_size=200)

ONE_OF_EACH = "八从的发个和家可了吗你平去人是他我小一在"
"""A character for each consonant, in their order."""


def initials_of(text: str) -> Initials:
    return to_initials(canonicalize(text))


def parameters(n: int, stride: int, radix: int = 4, normalisation: str = "zscore") -> SliceParameters:
    return SliceParameters(n=n, stride=stride, radix=radix, normalisation=Normalisation(normalisation), spelled=True)


@pytest.mark.parametrize("n", [10, 50, 1000])
def test_a_text_of_2n_at_half_overlap_has_the_three_published_windows(n: int) -> None:
    stride = SliceParameters.with_overlap(n, 0.5).stride

    first, second, third = ((start, start + n) for start in windows(2 * n, n, stride).tolist())

    assert (first, second, third) == ((0, n), (n // 2, 3 * n // 2), (n, 2 * n))


@given(st.integers(0, 500), st.integers(1, 100), st.integers(1, 100))
def test_windows_cover_a_text_to_its_end(length: int, size: int, stride: int) -> None:
    starts = windows(length, size, min(stride, size)).tolist()

    if length < size:
        assert starts == []
        return
    assert starts[0] == 0
    assert starts[-1] == length - size
    assert all(later - earlier <= size for earlier, later in pairwise(starts))


@pytest.mark.parametrize(("radix", "bits", "size_bytes"), [(2, 20, 3), (4, 40, 5), (8, 60, 8)])
def test_twenty_digits_take_the_published_bytes(radix: int, bits: int, size_bytes: int) -> None:
    largest = radix**DIGITS - 1

    assert largest.bit_length() == bits
    assert -(-bits // 8) == size_bytes


def test_twenty_decimal_digits_do_not_fit_the_published_eight_bytes() -> None:
    assert 10**DIGITS - 1 > 2**64

    with pytest.raises(ParameterError, match="does not fit 64 bits; use dna_text"):
        slices_at_stride(initials_of("的" * 100), parameters(50, 50, 10))


def test_decimal_dna_is_text() -> None:
    text = dna_text(initials_of("的是不了人我在有他这" * 10), 0, parameters(50, 50, 10))

    assert len(text) == DIGITS
    assert text.isdecimal()


def test_the_reference_is_that_of_running_chinese() -> None:
    by_letter = dict(zip(CONSONANTS, tables().reference.tolist(), strict=True))

    assert len(by_letter) == DIGITS
    assert 0.98 < sum(by_letter.values()) < 1
    assert max(by_letter, key=lambda letter: by_letter[letter]) == "z"
    assert min(by_letter, key=lambda letter: by_letter[letter]) == "p"


def test_a_letter_that_is_never_used_is_low_and_one_that_is_always_used_is_high() -> None:
    digits = digits_of(initials_of("的" * 64), 0)

    assert digits[CONSONANTS.index("d")] == 3
    assert digits[CONSONANTS.index("z")] == 0


def test_what_running_text_has_is_the_middle_of_a_digit() -> None:
    text = "".join(char * round(64 * share) for char, share in zip(ONE_OF_EACH, tables().reference, strict=True))

    assert digits_of(initials_of(text), 0, SliceParameters(n=len(text))) == (2,) * DIGITS


def test_the_published_correction_clamps_to_the_range() -> None:
    digits = digits_of(initials_of("的" * 50), 0, parameters(50, 50, 8, "datagrand2016"))

    assert digits == tuple(7 if letter == "d" else 0 for letter in CONSONANTS)


def test_the_published_normalisation_counts_what_exceeds_the_reference() -> None:
    # Of 50 units 12 are 的; running text leads one to expect 50 × .074 = 3.7: 12 - 3.7 rounds to 8.
    text = "的" * 12 + "一" * 38

    digits = digits_of(initials_of(text), 0, parameters(50, 50, 10, "datagrand2016"))

    assert digits[CONSONANTS.index("d")] == 8


@pytest.mark.parametrize("radix", [2, 4, 8])
@pytest.mark.parametrize("normalisation", Normalisation)
@pytest.mark.parametrize("spelled", [False, True])
@given(LETTERS)
def test_the_number_is_the_digits_in_letter_order(
    radix: int, normalisation: Normalisation, spelled: bool, text: str
) -> None:
    chosen = SliceParameters(n=20, stride=7, radix=radix, normalisation=normalisation, spelled=spelled)
    initials = initials_of(text)

    found = slices_at_every_offset(initials, chosen)

    for dna, position in zip(found.dna.tolist(), found.positions.tolist(), strict=True):
        assert dna == int(dna_text(initials, position, chosen), radix)


@given(LETTERS, st.integers(1, 20), st.integers(2, 9), st.booleans())
def test_stored_slices_are_among_the_asked_and_one_stands_in_every_stride(
    text: str, stride: int, choices: int, spelled: bool
) -> None:
    chosen = SliceParameters(n=20, stride=stride, widest=None, choices=choices, spelled=spelled)
    initials = initials_of(text)

    asked = slices_at_every_offset(initials, chosen)
    stored = slices_at_stride(initials, chosen)

    at = dict(zip(asked.positions.tolist(), asked.dna.tolist(), strict=True))
    places = {unit: place for place, unit in enumerate(sliced_units(initials, chosen).tolist())}
    possible = chosen.stored_at(len(places)).tolist()
    assert stored.dna.tolist() == [at[start] for start in stored.positions.tolist()]
    assert [places[start] // stride for start in stored.positions.tolist()] == sorted(
        {places[start] // stride for start in at if places[start] in possible}
    )


@given(LETTERS, st.integers(1, 20))
def test_without_a_choice_the_grid_is_stored(text: str, stride: int) -> None:
    chosen = SliceParameters(n=20, stride=stride, widest=None, choices=1, spelled=True)
    initials = initials_of(text)

    asked = slices_at_every_offset(initials, chosen).positions.tolist()

    wanted = [start for start in windows(len(initials), 20, stride).tolist() if start in asked]
    assert slices_at_stride(initials, chosen).positions.tolist() == wanted


def test_the_slice_that_is_stored_outlasts_exchanged_characters_more_often_than_the_first() -> None:
    chance, often = Random(3), tables().reference.tolist()  # noqa: S311  # repeatable, nothing secret
    kept = {1: 0, 8: 0}
    for _ in range(60):
        chars = chance.choices(ONE_OF_EACH, often, k=600)
        others = chance.choices(ONE_OF_EACH, often, k=600)
        changed = [others[place] if place % 16 == 0 else char for place, char in enumerate(chars)]
        asked = set(slices_at_every_offset(initials_of("".join(changed))).dna.tolist())
        for choices in kept:
            stored = slices_at_stride(initials_of("".join(chars)), SliceParameters(choices=choices)).dna.tolist()
            kept[choices] += len(asked.intersection(stored))

    assert kept[8] > 1.2 * kept[1] > 0


def test_words_of_letters_make_no_slice_of_a_chinese_text() -> None:
    letters = "的是不了人我在有他这为之大来以个中上们"
    chars = [letters[(number * number) % len(letters)] for number in range(300)]
    plain, mixed = initials_of("".join(chars)), initials_of(" linux 2026 ".join(chars))

    assert slices_at_every_offset(mixed).dna.tolist() == slices_at_every_offset(plain).dna.tolist()
    assert slices_at_stride(mixed).dna.tolist() == slices_at_stride(plain).dna.tolist()
    assert {mixed.canonical.text[mixed.chars_from[unit]] for unit in sliced_units(mixed).tolist()} == set(chars)


def test_an_english_text_is_sliced_by_its_words() -> None:
    text = initials_of("The passenger-only trains which use the tunnel are run by a separate company. " * 9 + "的" * 63)

    assert len(sliced_units(text)) == len(text)
    assert len(slices_at_stride(text).dna) > 0


@given(st.text(st.sampled_from("的是不了人我"), min_size=60, max_size=120), LETTERS)
def test_a_shared_run_is_found_whatever_stands_before_it(run: str, before: str) -> None:
    chosen = parameters(20, 20)

    stored = slices_at_stride(initials_of(run), chosen).dna
    asked = slices_at_every_offset(initials_of(f"{before}，{run}"), chosen).dna

    assert set(stored.tolist()) <= set(asked.tolist())


@given(st.text(st.sampled_from("的是不了人我"), min_size=20, max_size=20), st.randoms())
def test_scrambling_inside_a_window_changes_nothing(text: str, random: Random) -> None:
    chars = list(text)
    random.shuffle(chars)
    chosen = parameters(20, 20)

    before = slices_at_stride(initials_of(text), chosen).dna
    after = slices_at_stride(initials_of("".join(chars)), chosen).dna

    assert before.tolist() == after.tolist()


def test_a_long_text_is_worked_through_in_blocks_without_a_seam() -> None:
    letters = "的是不了人我在有他这为之大来以个中上们"
    text = "".join(letters[(number * number) % len(letters)] for number in range(70_000))

    found = slices_at_every_offset(initials_of(text))
    seam = slices_at_every_offset(initials_of(text[65_000:66_000]))

    assert found.positions.tolist() == list(range(70_000 - 63))
    assert found.dna[65_000:65_937].tolist() == seam.dna.tolist()


def test_figures_make_no_slices() -> None:
    assert len(slices_at_every_offset(initials_of("20261121" * 50)).dna) == 0


@pytest.mark.parametrize("text", ["", "短", "的" * 49])
def test_a_text_shorter_than_a_slice_has_none(text: str) -> None:
    initials = initials_of(text)

    assert len(slices_at_every_offset(initials).dna) == 0
    assert len(slices_at_stride(initials).dna) == 0


def test_five_digits_are_packed_as_published() -> None:
    assert packed(0b11111_00000_00001_10000, 2) == "v01g"
    assert packed(4**DIGITS - 1, 4) == "v" * 8
    assert packed(8**5 - 1, 8) == "0" * 9 + "vvv"
    assert len(packed(0, 8)) == 12
    with pytest.raises(ParameterError, match="base 32"):
        packed(0, 10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n=0: a slice has 1 to"),
        ({"n": 10**9}, "20 to 200 make sense"),
        ({"stride": 0}, "choose 1 to n=64"),
        ({"stride": 65}, "some units would be in no slice"),
        ({"radix": 3}, "choose one of 2, 4, 8, 10"),
        ({"choices": 0}, "choices=0: choose 1"),
    ],
)
def test_wrong_parameters_are_refused_with_the_way_out(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        SliceParameters(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("overlap", [-0.1, 1.0, 7.0, float("nan")])
def test_an_overlap_outside_its_range_is_refused(overlap: float) -> None:
    with pytest.raises(ParameterError, match="overlap="):
        SliceParameters.with_overlap(50, overlap)


def test_a_position_outside_the_text_is_refused() -> None:
    with pytest.raises(ParameterError, match="no slice of 64 units starts there"):
        digits_of(initials_of("的" * 50), 1)


def test_a_text_has_the_wanted_slices_as_far_as_the_stride_allows() -> None:
    parameters = SliceParameters(stride=20, widest=100, wanted=40, choices=1)

    assert [parameters.stride_for(length) for length in (0, 799, 800, 839, 840, 3_999, 4_000, 10**6)] == [
        *(20, 20, 20, 20, 21, 99, 100, 100),
    ]
    assert len(parameters.stored_at(2_000)) == 40
    assert parameters.stored_at(49).tolist() == []


def test_keys_fit_a_signed_integer_column_and_tell_numbers_apart() -> None:
    keys = np.unique(keys_of(np.arange(10_000, dtype=np.int64) * 100_000_007))

    assert len(keys) == 10_000
    assert keys.dtype == np.int32
