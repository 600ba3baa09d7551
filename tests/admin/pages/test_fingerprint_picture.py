"""The picture of a fingerprint shows what is stored, and bears any text."""

import re

from hypothesis import given
from hypothesis import strategies as st

from admin.pages.fingerprint_picture import PICTURED_CHARS, SHOWN_SLICES, WIDTH, bands, picture
from fingerprint.compute import analyse
from tests.support.factories import text_of

MOVES = re.compile(r"M(\d+) (\d+)")


@given(st.integers(0, 2**64 - 1))
def test_the_bands_put_together_are_the_simhash(simhash: int) -> None:
    shown = bands(simhash)

    assert "".join(band.hexadecimal for band in shown) == f"{simhash:016x}"
    assert [len(band.bits) for band in shown] == [16] * 4


def test_seeds_and_slices_are_those_that_are_stored() -> None:
    text = text_of(3)
    drawn, found = picture(text), analyse(text)

    assert (drawn.units, drawn.seeds, drawn.slices) == (
        len(found.initials),
        len(found.seeds.positions),
        len(found.stored_slices.positions),
    )
    assert len(MOVES.findall(drawn.seed_path)) == len(
        {round(WIDTH * at / drawn.units) for at in found.seeds.positions.tolist()}
    )
    assert [column.position for column in drawn.columns] == found.stored_slices.positions.tolist()


def test_every_square_stands_where_its_digit_is() -> None:
    drawn = picture(text_of(3))

    squares = {
        (int(column), int(row), level)
        for level, path in enumerate(drawn.level_paths, start=1)
        for column, row in MOVES.findall(path)
    }
    digits = {
        (number, row, digit)
        for number, column in enumerate(drawn.columns)
        for row, digit in enumerate(column.digits)
        if digit
    }
    assert squares == digits
    assert all(len(column.dna) == len(drawn.letters) == 20 for column in drawn.columns)


def test_a_long_text_is_drawn_in_part() -> None:
    drawn = picture(text_of(3) * 1_000)

    assert drawn.units <= PICTURED_CHARS
    assert 0 < len(drawn.columns) <= SHOWN_SLICES
    assert len(MOVES.findall(drawn.seed_path)) <= WIDTH + 1


def test_a_text_too_short_for_any_key_has_an_empty_picture() -> None:
    for text in ("", "老桥", "\u200b", "!!!"):
        drawn = picture(text)
        assert (drawn.seeds, drawn.slices, drawn.columns, drawn.level_paths) == (0, 0, (), ())
        assert (drawn.seed_path, drawn.slice_path) == ("", "")
