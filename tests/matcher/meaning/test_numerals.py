import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.meaning.numbers.numerals import numbers_in


@pytest.mark.parametrize(
    "said", ["共3000万元", "三千万", "3,000万", "30 million yuan", "30,000,000", "3000.0 万", "叁仟万元整"]
)
def test_one_value_has_many_spellings(said: str) -> None:
    assert [value for _, _, value in numbers_in(said)] == ["30000000"]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("一九九五年1月8日", ["1995"]),
        ("二〇二六年，二十三人", ["2026", "23"]),
        ("两百零五", ["205"]),
        ("1.5亿", ["150000000"]),
        ("十二", ["12"]),
        ("91.3公斤", ["91.3"]),
        ("version 1.2.3 of 10.20.30.40", []),
        ("三五成群，一时之间", []),
        ("百万", ["1000000"]),
        ("万一", []),
        ("", []),
    ],
)
def test_numbers_are_read_and_what_is_none_is_left(said: str, values: list[str]) -> None:
    assert [value for _, _, value in numbers_in(said)] == values


@given(st.text(alphabet="〇零一二两三十百千万亿0123456789.,a 年million", max_size=60))
def test_any_text_gives_spans_of_itself(text: str) -> None:
    for start, end, value in numbers_in(text):
        assert 0 <= start < end <= len(text)
        assert float(value) >= 0


def test_a_long_row_of_digits_is_no_trap() -> None:
    assert len(numbers_in("9" * 100_000)) <= 1
    assert len(numbers_in("一万" * 50_000)) <= 50_000
