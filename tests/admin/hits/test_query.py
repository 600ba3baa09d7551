"""The query string of the list of hits, and its pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin.hits.query import HitQuery, parse_hit_query
from admin.web.pagination import Paging
from storage.records.matches import HitFilter
from storage.types import Credit, MatchKind, SiteRole


def test_every_filter_is_understood() -> None:
    asked = {
        **{"site": "县报", "owner": "县报社", "kind": "mosaic", "credit": "named", "role": "original"},
        **{"share": "30", "text": "老桥", "page": "3"},
    }

    query = parse_hit_query(asked)

    assert query.where == HitFilter(
        site="县报",
        owner="县报社",
        kind=MatchKind.MOSAIC,
        credit=Credit.NAMED,
        role=SiteRole.ORIGINAL,
        min_share=0.3,
        text="老桥",
    )
    assert (query.page, query.not_understood) == (3, ())
    assert query.fields == {name: value for name, value in asked.items() if name != "page"}


def test_nothing_asked_filters_nothing() -> None:
    assert parse_hit_query({}) == HitQuery(HitFilter(), 1, {}, ())
    assert parse_hit_query({"site": " ", "kind": "", "share": ""}) == HitQuery(HitFilter(), 1, {}, ())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "nonsense"),
        ("credit", "1"),
        ("role", "ours"),
        ("share", "-3"),
        ("share", "101"),
        ("share", "٣"),
        ("share", "x"),
    ],
)
def test_a_value_that_means_nothing_is_reported_and_left_out(name: str, value: str) -> None:
    query = parse_hit_query({name: value})

    assert (query.where, query.not_understood, query.fields) == (HitFilter(), (name,), {})


@pytest.mark.parametrize("page", ["", "-1", "x", "9" * 40, "²"])
def test_a_page_number_that_is_none_means_the_first(page: str) -> None:
    assert parse_hit_query({"page": page}).page == 1


def test_no_nul_reaches_the_database() -> None:
    assert parse_hit_query({"text": "a\0b", "site": "\0"}).where == HitFilter(text="ab")


def test_a_percent_sign_after_the_share_is_accepted() -> None:
    assert parse_hit_query({"share": "30 %"}).where.min_share == 0.3


@given(st.dictionaries(st.sampled_from(["site", "kind", "credit", "role", "share", "text", "page"]), st.text()))
def test_no_query_string_breaks_it(arguments: dict[str, str]) -> None:
    query = parse_hit_query(arguments)

    assert query.page >= 0
    assert 0 <= query.where.min_share <= 1


def test_pages_cover_the_list() -> None:
    pages = [Paging(number, 120) for number in (1, 2, 3)]

    assert [(page.offset, page.first, page.last) for page in pages] == [(0, 1, 50), (50, 51, 100), (100, 101, 120)]


def test_a_number_out_of_range_moves_to_the_nearest_page() -> None:
    assert Paging(0, 120).number == 1
    assert Paging(99, 120).number == 3
    assert Paging(7, 0).number == 1
    assert Paging(7, 0).first == 0


def test_the_window_offers_the_ends_and_the_neighbours() -> None:
    assert list(Paging(10, 1_000).window()) == [1, None, 8, 9, 10, 11, 12, None, 20]
    assert list(Paging(1, 100).window()) == [1, 2]
    assert list(Paging(1, 0).window()) == [1]
