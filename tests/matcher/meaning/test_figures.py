import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.normalize import canonicalize
from matcher.meaning.numbers.english_numerals import english_numbers_in
from matcher.meaning.numbers.figures import figures_in, is_figure


def _keys(text: str) -> list[str]:
    return [key for _, _, key in figures_in(canonicalize(text).text)]


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("增长了30%", "grew by 30 percent"),
        ("三成受访者", "30% of those asked"),
        ("百分之五点三", "5.3 per cent"),
        ("下降2个百分点", "fell 2%"),
        ("花了八美元", "cost 8 dollars"),
        ("花了8美元", "cost $8"),
        ("走了3公里", "walked three kilometres"),
        ("五岁的男孩", "a 5-year-old boy"),
        ("3月15日", "March 15"),
        ("三千多万人", "thirty million people"),
        ("35亿元", "3.5bn yuan"),
        ("二十三名学生", "twenty-three students"),
        ("2021年12月", "in December 2021"),
    ],
)
def test_a_figure_is_the_same_in_both_languages(chinese: str, english: str) -> None:
    assert _keys(chinese)
    assert set(_keys(chinese)) == set(_keys(english))


@pytest.mark.parametrize("said", ["他说了3次", "one of them", "三个人", "2 people", "说一不二", ""])
def test_single_digits_without_a_rare_unit_are_left(said: str) -> None:
    assert _keys(said) == []


def test_every_key_is_a_figure_and_words_are_none() -> None:
    assert all(is_figure(key) for key in _keys("3月5日 30% 3000万 8美元 2021年12月"))
    assert not any(is_figure(key) for key in ("", "陈尚", "linux", "example.org/2"))


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("two hundred and five", [205]),
        ("one hundred thousand", [100_000]),
        ("ninety-nine", [99]),
        ("twenty ten", []),
        ("3.5 million", []),
        ("nine", []),
        ("seventeen often", [17]),
    ],
)
def test_english_numbers(said: str, values: list[int]) -> None:
    assert [value for _, _, value in english_numbers_in(said)] == values


@given(st.text(alphabet="0123456789一二两三十百千万亿成点%$.,年月日元 twenty-million percent", max_size=60))
def test_any_text_gives_spans_of_itself(text: str) -> None:
    for start, end, key in figures_in(text):
        assert 0 <= start < end <= len(text)
        assert is_figure(key)


@pytest.mark.parametrize("part", ["百分之", "一成", "$9", "twenty-", "3 ", "9%"])
def test_a_long_text_is_no_trap(part: str) -> None:
    assert len(figures_in(part * 10_000)) <= 40_000
