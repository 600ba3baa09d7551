"""The query without quotation marks: names and figures with the words of phrases, from any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.web_search.keywords import MOST_CHARS, key_words
from crawler.web_search.phrases import Phrase, choose_phrases
from tests.support.factories import story

TEXT = (
    "The river rose. 昨天Redis 7.2在Debian上跑了3600秒，内存用了98.5%。Redis的人说Kafka也可以，the redis一样。"
    "However, the river rose."
)
PHRASES = (Phrase("内存用了的不多", 30), Phrase("也可以的说一样", 50))


def test_names_and_figures_stand_before_the_words_of_the_phrases() -> None:
    query = key_words(TEXT, PHRASES)

    *names, first, second = query.split(" ")
    assert (first, second) == ("内存用了的不多", "也可以的说一样")
    assert set(names) == {"Redis", "Debian", "Kafka", "3600", "98.5%"}


def test_the_first_word_of_a_sentence_is_no_name() -> None:
    assert "However" not in key_words("However, it rose. However, it fell. 河水。", PHRASES)


def test_what_is_boilerplate_is_left_out() -> None:
    start = TEXT.index("Debian")

    assert "Debian" not in key_words(TEXT, PHRASES, avoid=[(start, start + 6)])


def test_a_text_without_phrases_has_no_query_and_one_without_names_its_phrases_alone() -> None:
    assert key_words(TEXT, ()) == ""
    assert key_words("河水漫过了旧码头", PHRASES) == "内存用了的不多 也可以的说一样"


def test_the_words_of_a_story_fit_into_a_query() -> None:
    text = story()
    query = key_words(text, choose_phrases(text, count=3, salt="1"))

    assert 30 <= len(query) <= MOST_CHARS


@given(st.text(max_size=600))
def test_any_text_gives_a_query_on_one_line_without_quotation_marks(text: str) -> None:
    query = key_words(text, (Phrase(text[:80], 0),))

    assert len(query) <= MOST_CHARS
    assert '"' not in query
    assert query == " ".join(query.split())


@pytest.mark.parametrize(
    "hostile", ["a" * 200_000, "1." * 100_000, "a-" * 100_000, "\ud800A" * 50_000, "Ab. " * 50_000]
)
def test_hostile_texts_have_a_query(hostile: str) -> None:
    assert key_words(hostile, PHRASES).endswith("内存用了的不多 也可以的说一样")
