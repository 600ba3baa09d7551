"""Names and figures that a translation keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.web_search.names import LONGEST, NAMES, SHORTEST, names_in, together
from crawler.web_search.phrases import LONGEST_PHRASE


def test_names_and_figures_of_a_text_are_chosen_by_length_and_number() -> None:
    text = "PostgreSQL 的作者说，PostgreSQL 与 SQLite 不同。测得 1,284.5 毫秒，其中 IO 占 40。"

    assert names_in(text) == ("PostgreSQL", "1,284.5", "SQLite")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ()),
        ("只有中文，没有名字，也没有数字。", ()),
        ("只有一个名字 Kubernetes。", ()),
        ("1998 年与 2026 年，100 人和 5000 人。", ()),  # years and round figures stand everywhere
        ("However, the river rose. Nobody left. However, it fell.", ()),  # capitals of sentences
        ("the Danube rose by 3.75 metres near Tulln", ("Danube", "Tulln", "3.75")),
        ("see https://example.org/Path/Name and mail@Example.org", ()),
        ("A\x00BCD \ud800 Ωmega <script>Alert</script>", ("Alert", "BCD")),
    ],
)
def test_what_is_no_name_is_left_out(text: str, found: tuple[str, ...]) -> None:
    assert set(names_in(text)) == set(found)


def test_services_quote_each_name_by_itself() -> None:
    assert f'"{together(("Danube", "3.75"))}"' == '"Danube" "3.75"'


@given(st.text(max_size=400) | st.text(alphabet="AbZ09.+-,、。 \n\"'", max_size=400))
def test_whatever_the_text_the_query_is_short_and_has_no_marks_of_its_own(text: str) -> None:
    names = names_in(text)

    assert len(names) <= NAMES
    for name in names:
        assert name in text
        assert SHORTEST <= len(name) <= LONGEST
        assert '"' not in name
    assert len(together(names)) <= LONGEST_PHRASE


def test_a_text_made_to_take_long_does_not() -> None:
    for text in ("A." * 100_000, "1,1" * 70_000, "Aa-" * 70_000, "A" * 200_000):
        assert len(names_in(text)) <= NAMES
