import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.initials import to_initials
from fingerprint.model import Initials
from fingerprint.normalize import canonicalize

ANY_TEXT = st.text(st.characters(exclude_categories=()))
TRICKY = st.text(st.sampled_from("abcdef'’ ，中国重庆1２かハ한กΩя\u0301\u200b\ud800😀é㎏"))


def initials_of(text: str) -> Initials:
    return to_initials(canonicalize(text))


def letters(text: str) -> str:
    return "".join("?abcdefghijklmnopqrstuvwxyz0123456789"[code] for code in initials_of(text).codes)


def pieces(text: str) -> list[str]:
    found = initials_of(text)
    return [found.canonical.text[a:b] for a, b in zip(found.chars_from, found.chars_to, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("指纹追踪", "zwzz"),
        ("指紋追蹤", "zwzz"),
        ("我们中出了一个叛徒。", "wmzclygpt"),
        ("二〇二六年3月15日", "eleln3y15r"),
        ("绿女略", "lnl"),
        ("，。！？ \n\t", ""),
        ("", ""),
        ("a an the", "aat"),
        ("GPU 很快", "ghk"),
        ("٣१３", "313"),
        ("æon øre", "ao"),
    ],
)
def test_units_of_a_text(text: str, expected: str) -> None:
    assert letters(text) == expected


def test_a_long_word_is_several_units_that_share_it() -> None:
    assert pieces("ink print finger fingerprints") == ["ink", "pr", "int", "fi", "ng", "er", "fin", "ger", "pri", "nts"]
    assert letters("finger")[0] == "f"


def test_words_with_the_same_first_letter_differ_in_their_second_unit() -> None:
    words = ["house", "horse", "human", "hotel", "hover", "heart", "hedge"]

    assert len({letters(word)[1] for word in words}) > 3


def test_an_apostrophe_neither_splits_a_word_nor_changes_it() -> None:
    assert letters("don't") == letters("don’t") == letters("dont") == letters("DON'T")
    assert pieces("'quoted' it's") == ["qu", "ot", "ed", "it's"]


def test_two_apostrophes_split() -> None:
    assert pieces("rock''roll") == ["ro", "ck", "ro", "ll"]


def test_scripts_without_spaces_have_a_unit_for_every_letter() -> None:
    assert len(initials_of("カタカナ")) == 4
    assert len(initials_of("ひらがな")) == 4
    assert len(initials_of("한국어")) == 3
    assert len(initials_of("กขค")) == 3


def test_words_of_other_alphabets_are_words() -> None:
    assert pieces("Привет, мир! Ελληνικά") == ["пр", "ив", "ет", "мир", "ελ", "λην", "ικα"]


def test_letters_of_other_scripts_that_pass_for_latin_ones_are_read_as_a_reader_reads_them() -> None:
    plain = "The quick elephant ran across HONEY TOWN and bought nothing to sell"

    assert letters("Тhе quісk еlеphаnt rаn асrоѕѕ НΟΝЕΥ ТОԜN аnd bоught nоthіng tо ѕеll") == letters(plain)
    assert letters("tһe queеn") == letters("the queen")


def test_words_of_a_text_in_another_script_stay_what_they_are() -> None:
    assert letters("Рост цен в Москве") != letters("Poct цен в Mockве")
    assert letters("мороз") != letters("mopos")


def test_an_accent_makes_no_difference() -> None:
    assert letters("Café déjà") == letters("cafe deja") == letters("cafe\u0301 de\u0301ja\u0300")


@given(ANY_TEXT | TRICKY)
def test_units_are_in_order_and_do_not_overlap(text: str) -> None:
    found = initials_of(text)

    assert len(found.codes) == len(found.chars_from) == len(found.chars_to)
    assert bool(np.all(found.chars_from < found.chars_to))
    assert bool(np.all(found.chars_to[:-1] <= found.chars_from[1:]))
    assert bool(np.all((found.codes >= 1) & (found.codes <= 36)))


@given(ANY_TEXT | TRICKY)
def test_the_span_of_a_unit_canonicalizes_to_text_that_holds_it(text: str) -> None:
    found = initials_of(text)

    for unit, piece in enumerate(pieces(text)):
        start, end = found.source_span(unit, unit)
        assert 0 <= start < end <= len(text)
        assert piece in canonicalize(text[start:end]).text


@given(TRICKY, TRICKY)
def test_separated_texts_have_the_units_of_both(first: str, second: str) -> None:
    together = initials_of(f"{first}\n{second}").codes.tolist()

    assert together == initials_of(first).codes.tolist() + initials_of(second).codes.tolist()


@pytest.mark.parametrize("letter", ["a", "'", "中", "1", "a'", "а"])
def test_a_very_long_run_of_one_thing_is_handled(letter: str) -> None:
    found = initials_of(letter * 300_000)

    assert len(found) in (0, 4, 300_000)
