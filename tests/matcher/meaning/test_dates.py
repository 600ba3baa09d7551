import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.meaning.numbers.dates import dates_in


@pytest.mark.parametrize(
    "said",
    [
        "3月5日",
        "2021年3月5日",
        "2021 年 3 月 5 日",
        "三月五号",
        "march 5",
        "march 5th, 2021",
        "mar. 5",
        "5 march 2021",
        "the 5th of march",
        "2021-03-05",
        "2021/3/5",
    ],
)
def test_one_day_has_many_spellings(said: str) -> None:
    assert [date.key for date in dates_in(f"on {said}, 他说")] == ["--03-05"]


@pytest.mark.parametrize(
    ("said", "keys"),
    [
        ("十二月三十一日", ["--12-31"]),
        ("二月二十日", ["--02-20"]),
        ("十月十日", ["--10-10"]),
        ("2021年12月，", ["2021-12"]),
        ("in december 2021", ["2021-12"]),
        ("he may come, and 12 marched", []),
        ("13月1日, 3月32日, 2021-13-01", []),
        ("version 1.2.3, 10.20.30.40, at 10:30", []),
        ("12月", []),
        ("", []),
    ],
)
def test_dates_are_read_and_what_is_none_is_left(said: str, keys: list[str]) -> None:
    assert [date.key for date in dates_in(said)] == keys


@given(st.text(alphabet="0123456789一二三十月日号年 -/.,marchmay st", max_size=60))
def test_any_text_gives_days_and_months_inside_itself(text: str) -> None:
    for date in dates_in(text):
        assert 0 <= date.start <= date.month[0] < date.month[1] <= date.end <= len(text)
        assert 1 <= int(date.key.replace("--", "0000-").split("-")[1]) <= 12


def test_a_long_text_is_no_trap() -> None:
    for part in ("1月", "march ", "2021-", "5 of ", "十"):
        assert len(dates_in(part * 20_000)) <= 20_000
