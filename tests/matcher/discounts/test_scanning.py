"""The compiled scans of a text find what regular expressions find."""

import re
from itertools import groupby

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fingerprint.characters.tables import code_points
from matcher.alignment.blocks import Mask
from matcher.discounts import latin_scanning, quotations, scanning, title_lists
from matcher.discounts.long_names import _LONG_NAME, name_spans
from matcher.discounts.source_code import _figures

SIGN = re.compile(
    r"([{}\[\]<>=;$#\\|&])\1*|(?<=[A-Za-z0-9_])\("
    r"|(?<=[A-Za-z0-9_])[-_/.:@]+(?=[A-Za-z_])|(?<=[A-Za-z_])[-_/.:@]+(?=\d)"
    r"|(?<![A-Za-z0-9])[a-z]+(?=[A-Z][a-z])|@(?=[A-Z][a-z])"
)
LINE = re.compile(r"[^\n]+")
ENDS_SENTENCE = re.compile(r"[。！!；;，,：:…～~.][”’」』）)\]\"'\s]*\Z")
SENTENCE_END = re.compile(r"[。！？!?…\n]|\.(?=\s|$)")

CODE = st.text(st.sampled_from("aZbB_-/.:@(){}[]<>=;$#\\|&0９٣ 中\n"), max_size=60)
QUOTED = st.text(st.sampled_from("“”「」『』«»„中a"), max_size=40)
LINES = st.text(st.sampled_from("中a。！.…”)' \n\u3000\x1c\xa0"), max_size=80)
NAMES = st.lists(
    st.sampled_from(
        ["A", "Software", "as", "of", "the ", "Institute", " ", ", ", "(", "（", "SaaS", ")", "中", "-", "B2"]
    )
).map("".join)
HOSTILE = ["", "a", "_" * 1_000_000, "a-" * 500_000, "“" * 1_000_000, "\n" * 1_000_000, "@" * 1_000_000, "A" * 100_000]


def marked(spans: list[tuple[int, int]], length: int) -> list[bool]:
    return [any(start <= place < end for start, end in spans) for place in range(length)]


def empty(text: str) -> Mask:
    return np.zeros(len(text) + 1, dtype=np.bool_)


@settings(max_examples=500)
@given(CODE)
@example("a__。")
@example("aBc_.９")
def test_signs_of_code_are_those_of_the_expression(text: str) -> None:
    starts = {found.start() for found in SIGN.finditer(text)}

    before = latin_scanning.signs_before(code_points(text), _figures())

    assert before.tolist() == [sum(start < place for start in starts) for place in range(len(text) + 1)]


def test_figures_are_decimal() -> None:
    assert {chr(point) for point in _figures().tolist()} == {
        chr(point) for point in range(0x80, 0x110000) if chr(point).isdecimal()
    }


@given(st.lists(st.booleans(), max_size=40), st.integers(1, 9), st.sampled_from([0.055, 0.3, 1.0]))
def test_places_are_dense_where_enough_signs_are_near(signs: list[bool], reach: int, share: float) -> None:
    before = np.append(0, np.cumsum(signs)).astype(np.int32)
    expected = []
    for place in range(len(signs)):
        near = signs[max(place - reach, 0) : place + reach]
        expected.append(sum(near) >= share * len(near))

    places = np.arange(len(signs), dtype=np.int32)
    assert latin_scanning.dense_places(before, places, reach, share).tolist() == expected


@settings(max_examples=500)
@given(QUOTED | st.integers(395, 405).map(lambda count: f"「{'中' * count}」“”“中”"))
def test_quotations_are_those_of_the_expression(text: str) -> None:
    inside = empty(text)

    scanning.mark_quotations(code_points(text), quotations.LONGEST_QUOTATION, inside)

    assert inside[:-1].tolist() == marked(quotations.quoted_spans(text), len(text))


@settings(max_examples=500)
@given(LINES, st.integers(2, 9))
def test_lists_of_titles_are_the_lines_in_a_row_that_end_no_sentence(text: str, longest: int) -> None:
    lines = [line for line in LINE.finditer(text) if line[0].strip()]

    def is_title(line: re.Match[str]) -> bool:
        return len(line[0]) <= longest and ENDS_SENTENCE.search(line[0]) is None

    groups = [list(group) for is_list, group in groupby(lines, is_title) if is_list]
    spans = [(group[0].start(), group[-1].end()) for group in groups if len(group) >= title_lists.FEWEST]
    inside = empty(text)

    scanning.mark_title_lists(code_points(text), longest, title_lists.FEWEST, inside)

    assert inside[:-1].tolist() == marked(spans, len(text))


@settings(max_examples=500)
@given(LINES, st.integers(1, 4))
def test_sentences_begin_behind_the_ends_that_the_expression_finds(text: str, step: int) -> None:
    places = np.arange(0, len(text), step, dtype=np.int32)
    ends = [found.start() for found in SENTENCE_END.finditer(text)]
    firsts = [next((number for number, place in enumerate(places.tolist()) if place >= end), None) for end in ends]

    found = scanning.first_of_sentences(code_points(text), places)

    assert np.flatnonzero(found).tolist() == sorted({number for number in firsts if number is not None})


@settings(max_examples=500)
@given(NAMES)
@example(f"{'A' * 41},  of  the {'B' * 41}   for   and   C")
@example("Ab" + "b" * 39 + f" {'c' * 40}" * 6 + " (DeeeeeeeeE)")
def test_names_are_those_of_the_expression(text: str) -> None:
    assert list(name_spans(text)) == [found.span() for found in _LONG_NAME.finditer(text)]


@given(st.text(max_size=9), st.lists(st.tuples(st.integers(0, 8), st.integers(1, 3)), max_size=9))
def test_a_unit_has_the_number_of_its_characters(text: str, units: list[tuple[int, int]]) -> None:
    inside = [(start, start + length) for start, length in units if start + length <= len(text)]
    starts, ends = np.array(inside, dtype=np.int32).reshape(-1, 2).T.copy()

    numbers = scanning.numbers_of_units(code_points(text), starts, ends).tolist()

    first_last = [(ord(text[start]), ord(text[end - 1]), end - start - 1) for start, end in inside]
    assert numbers == [first | last << 21 | more << 42 for first, last, more in first_last]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_scanned(text: str) -> None:
    points, inside = code_points(text), empty(text)
    places = np.arange(len(text), dtype=np.int32)

    latin_scanning.dense_places(latin_scanning.signs_before(points, _figures()), places, 60, 0.1)
    scanning.mark_quotations(points, quotations.LONGEST_QUOTATION, inside)
    scanning.mark_title_lists(points, title_lists.LONGEST, title_lists.FEWEST, inside)
    scanning.first_of_sentences(points, places)
    scanning.numbers_of_units(points, places, places + np.int32(1))
    latin_scanning.capitals_in_threes(points, 400, 3)
