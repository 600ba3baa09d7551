"""Line numbers and encoded addresses state no fact: they do not make a copy look like next week's template news."""

import pytest

from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from matcher.boilerplate.classifier import gram_index
from matcher.discounts.numbering import LETTER, codes_of_facts
from matcher.judgement.judge import Judgement, judge
from tests.support.factories import text_of


def digits_of(text: str) -> str:
    """The digits that are left as facts."""
    units = to_initials(canonicalize(text))
    codes = codes_of_facts(units)
    assert all(now in (before, LETTER) for now, before in zip(codes.tolist(), units.codes.tolist(), strict=True))
    return "".join(str(code - 27) for code in codes.tolist() if code >= 27)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("代码：\n1\n2\n3\n4\n函数 7 次", "7"),
        ("代码：\n1\n2\n5\n6\n函数 7 次", "7"),
        ("见 https://example.com/a?q=%5B%20%25%5D%20b 共 8 条", "8"),
        ("价格\n12\n9\n11\n8\n元", "129118"),
        ("价格\n12\n24\n36\n元", "122436"),
        ("温度\n1\n2\n度", "12"),
        ("涨 5% 跌 20%", "520"),
    ],
    ids=["lines", "a line less", "address", "prices", "rising prices", "two lines", "percentages"],
)
def test_columns_of_line_numbers_and_encoded_octets_are_no_facts(text: str, digits: str) -> None:
    assert digits_of(text) == digits


def article(numbers: list[str], *, cut: int = 0) -> str:
    """Prose with a column of numbers after each paragraph. `cut`: one line of each column is left out."""
    paragraphs = [text_of(number, chars=110) for number in range(8)]
    columns = ["\n".join(one for place, one in enumerate(numbers) if place != cut) for _ in paragraphs]
    return "\n".join(f"{paragraph}\n{column}" for paragraph, column in zip(paragraphs, columns, strict=True))


def test_a_copy_of_listings_with_a_line_less_is_a_copy_and_other_prices_are_other_news() -> None:
    lines = [str(number) for number in range(1, 31)]
    copied = judged(article(lines, cut=-1), article(lines, cut=12))
    prices = [str(37 * number % 83 + 11) for number in range(30)]
    later = [str(41 * number % 89 + 10) for number in range(30)]

    assert copied.score > 0.9
    assert judged(article(prices), article(later)).proof < copied.proof / 5


def judged(left: str, right: str) -> Judgement:
    return judge(to_initials(canonicalize(left)), to_initials(canonicalize(right)), boilerplate=gram_index(()))
