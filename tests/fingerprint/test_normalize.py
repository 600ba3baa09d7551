import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.normalize import canonicalize

# Surrogates too: text decoded carelessly holds them, and nothing we are given may make us fail.
ANY_TEXT = st.text(st.characters(exclude_categories=()))
TRICKY = st.text(
    st.sampled_from(
        "aÉé\u0301\u200b\u00ad\x00\r\n\t 體体㎏ﬁ①Ⅳ한\ud83d\ude00😀\ufdfa㍿⼀豈ßİ゙がﾊﾟ\ufe0f\U000e0100１Ａ，—·"
    )
)


@pytest.mark.parametrize(
    ("raw", "canonical"),
    [
        ("", ""),
        ("Ｆｕｌｌ　Ｗｉｄｔｈ１２３", "full width123"),
        ("ﾃｽﾄ", "テスト"),
        ("é e\u0301 E\u0301", "e e e"),
        ("ﬁne ㎏ Ⅳ ①", "fine kg iv 1"),
        ("STRASSE straße", "strasse strasse"),
        ("繁體中文與簡體", "繁体中文与简体"),
        ("發展頭髮", "发展头发"),
        ("著名 看著", "着名 看着"),  # Taiwan's 著 is both; folded alike on both sides
        ("豈⼀", "岂一"),
        ("喫飯 吃饭", "吃饭 吃饭"),
        ("零\u200b宽\ufeff字\u2060符\u00ad", "零宽字符"),
        ("\u202e右到左\u202c", "右到左"),
        ("a\r\nb\u2028c", "a\nb\nc"),
        ("N\x00U\x00L\x07", "n\ufffdu\ufffdl"),
        ("\ud83d孤\udc00", "\ufffd孤\ufffd"),
        ("😀👨‍👩‍👧", "😀👨👩👧"),
        ("葛\U000e0100城❤\ufe0f", "葛城❤"),
        ("한글", "한글"),
        ("Ⓐ ℃ ½", "a °c 1⁄2"),
        ("٣ Ёж", "٣ еж"),
    ],
)
def test_text_has_one_canonical_form(raw: str, canonical: str) -> None:
    assert canonicalize(raw).text == canonical


def test_a_ligature_of_a_whole_phrase_does_not_blow_the_text_up() -> None:
    assert len(canonicalize("\ufdfa" * 1000).text) == 1000


@given(ANY_TEXT | TRICKY)
def test_every_character_leads_back_to_the_one_it_came_from(raw: str) -> None:
    canonical = canonicalize(raw)

    assert canonical.source == raw
    assert len(canonical.text) == len(canonical.starts) == len(canonical.ends)
    assert np.array_equal(canonical.ends, canonical.starts + 1)
    assert bool(np.all(np.diff(canonical.starts) >= 0))
    for char, start in zip(canonical.text, canonical.starts.tolist(), strict=True):
        assert char in canonicalize(raw[start]).text


@given(ANY_TEXT | TRICKY)
def test_canonical_text_is_its_own_canonical_form(raw: str) -> None:
    once = canonicalize(raw).text

    assert canonicalize(once).text == once


@given(ANY_TEXT | TRICKY, ANY_TEXT | TRICKY)
def test_each_character_is_folded_on_its_own(first: str, second: str) -> None:
    assert canonicalize(first + second).text == canonicalize(first).text + canonicalize(second).text


@given(TRICKY)
def test_composed_and_decomposed_accents_are_the_same(raw: str) -> None:
    without_hangul = raw.replace("한", "")  # composed syllables stay whole

    composed = unicodedata.normalize("NFC", without_hangul)
    decomposed = unicodedata.normalize("NFD", without_hangul)

    assert canonicalize(composed).text == canonicalize(decomposed).text


@given(ANY_TEXT | TRICKY)
def test_canonical_text_can_be_encoded(raw: str) -> None:
    canonicalize(raw).text.encode()


def test_a_million_nested_marks_vanish() -> None:
    assert canonicalize("a" + "\u0301" * 1_000_000).text == "a"
