"""Languages by script and commonest words; letters are counted, signs are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.extraction.metadata.language import language_of, letters_by_script
from tests.support.factories import story

RANGES = {
    "han": ("\u3400", "\u9fff"),
    "kana": ("\u3040", "\u30ff"),
    "hangul": ("\uac00", "\ud7a3"),
    "cyrillic": ("\u0400", "\u04ff"),
    "latin": ("\u0000", "\u024f"),
}


@given(
    st.text(
        st.one_of(*(st.characters(min_codepoint=ord(low), max_codepoint=ord(high)) for low, high in RANGES.values()))
    )
)
def test_letters_are_those_that_unicode_calls_so(text: str) -> None:
    expected = {
        script: sum(low <= sign <= high and sign.isalpha() for sign in text) for script, (low, high) in RANGES.items()
    }

    assert letters_by_script(text) == expected


@given(st.text())
def test_any_text_has_some_answer(text: str) -> None:
    assert language_of(text) in ("zh", "zh-Hant", "ja", "ko", "ru", "en", "")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (story(), "zh"),
        ("這個電視節目對學生來說為時過早，無論從開頭還是結尾。", "zh-Hant"),
        ("これは日本語の文章です。漢字とかなが混ざっています。", "ja"),
        ("이것은 한국어 문장입니다", "ko"),
        ("Это русский текст о погоде", "ru"),
        ("The bus was late and it is not the first time that this has happened to us", "en"),
        ("𠀀𠀁𠀂 一二三", "zh"),
        ("1234 —— ！？", ""),
        ("", ""),
    ],
)
def test_languages_are_distinguished(text: str, language: str) -> None:
    assert language_of(text) == language


GERMAN = "Der Bus war schon wieder zu spät, und das ist nicht das erste Mal, dass es mit dieser Linie so ist."
SPANISH = "El autobús llegó tarde y no es la primera vez que pasa con esta línea de la ciudad, como dicen."


@pytest.mark.parametrize(("text", "language"), [(GERMAN, "de"), (SPANISH, "es")])
@pytest.mark.parametrize("declared", ["", "en", "en-US", "zh"])
def test_a_text_is_in_its_language_whatever_a_template_declares(text: str, language: str, declared: str) -> None:
    assert language_of(text, declared=declared) == language


def test_a_declaration_decides_where_a_text_does_not() -> None:
    assert language_of("Øl", declared="da-DK") == "da"
    nordic = "Det var en god dag og han er med i det hele som en av de som har for og på den i dag til en av"
    assert {language_of(nordic, declared=stated) for stated in ("da", "no")} == {"da", "no"}
