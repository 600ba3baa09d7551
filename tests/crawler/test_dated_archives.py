"""Lists by their addresses: archives of days and months, further pages, and when either is due again."""

from datetime import UTC, date, datetime

import lxml.html
import pytest

from crawler.extraction.list_pagination import next_list, page_number
from crawler.spider import revisit_policy
from crawler.urls.dated_archives import Period, current_lists, period_of
from storage.records.crawl import UrlKind

HOST = "http://news.example"
NOW = datetime(2026, 11, 21, tzinfo=UTC)
TODAY = NOW.date()


@pytest.mark.parametrize(
    ("path", "first", "last"),
    [
        ("/2026/11/21/", (2026, 11, 21), (2026, 11, 21)),
        ("/html/2026-11/21/node_1.htm", (2026, 11, 21), (2026, 11, 21)),
        ("/archive/20261121.html", (2026, 11, 21), (2026, 11, 21)),
        ("/archives/2026/02", (2026, 2, 1), (2026, 2, 28)),
        ("/archives/2024-02.html", (2024, 2, 1), (2024, 2, 29)),
        ("/2025/", (2025, 1, 1), (2025, 12, 31)),
    ],
)
def test_a_period_is_read_from_an_address(path: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    assert period_of(HOST + path) == Period(date(*first), date(*last))


@pytest.mark.parametrize(
    "path", ["/", "/a/12345678", "/news/20269999", "/2026/02/30/", "/p/120261121", "/3026/11/", "/?d=2026-11-21"]
)
def test_other_numbers_are_no_period(path: str) -> None:
    found = period_of(HOST + path)
    assert found is None or found.first.day == 1  # 30 February is not a day; its year still is a year


def test_today_s_list_is_found_by_the_pattern_of_earlier_days() -> None:
    seen = [f"{HOST}/html/2026-11/{day}/node_1.htm" for day in (17, 18, 19)] + [f"{HOST}/tag/7"]
    assert current_lists(seen, today=TODAY) == (
        f"{HOST}/html/2026-11/21/node_1.htm",
        f"{HOST}/html/2026-11/20/node_1.htm",
    )
    assert current_lists(seen[:2], today=TODAY) == ()
    assert current_lists([f"{HOST}/{year}/" for year in (2023, 2024, 2025)], today=TODAY) == ()


def test_a_site_that_ended_long_ago_has_no_list_of_today() -> None:
    assert current_lists([f"{HOST}/2020/0{month}/" for month in (1, 2, 3, 4)], today=TODAY) == ()


@pytest.mark.parametrize(
    "link",
    [
        "<a href='/page/2'>下一页</a>", "<a href='/page/2'>下一页 »</a>", "<a href='/page/2'>Older posts →</a>",
        "<a href='/page/2' rel='next'>2</a>", "<link rel='next' href='/page/2'>", "<a href='/page/2'>&gt;</a>",
        "<a class='extend next' href='/page/2'><i></i></a>",
    ],
)  # fmt: skip
def test_where_a_list_goes_on_is_said_by_its_link(link: str) -> None:
    root = lxml.html.document_fromstring(f"<html><body><a href='/a'>标题</a>{link}</body></html>")
    assert next_list(root, base=HOST, url=f"{HOST}/") == f"{HOST}/page/2"


@pytest.mark.parametrize(
    "link",
    [
        "<a href='/page/2'>2</a>", "<a href='http://other.example/'>下一页</a>", "<a href='/'>下一页</a>",
        "<a href='javascript:more()'>下一页</a>", "<a href='/b'></a>",
    ],
)  # fmt: skip
def test_other_links_are_no_further_page(link: str) -> None:
    root = lxml.html.document_fromstring(f"<html><body>{link}</body></html>")
    assert next_list(root, base=HOST, url=f"{HOST}/") is None


@pytest.mark.parametrize(
    ("path", "number"), [("/page/7/", 7), ("/list?page=3", 3), ("/", 1), ("/news/12.html", 1), ("/tag/a/page2", 2)]
)
def test_how_far_down_a_list_is_stands_in_its_address(path: str, number: int) -> None:
    assert page_number(HOST + path) == number


def test_first_pages_come_before_later_ones_and_past_periods_last() -> None:
    waits = [
        revisit_policy.rhythm_of(kind, HOST + path, at=NOW).first
        for kind, path in (
            (UrlKind.LIST, "/"), (UrlKind.LIST, "/2026/11/"), (UrlKind.LIST, "/page/2"), (UrlKind.LIST, "/2026/01/"),
        )
    ]  # fmt: skip
    assert waits[0] == waits[1] < waits[2] < waits[3]
    of_article = revisit_policy.rhythm_of(UrlKind.ARTICLE, f"{HOST}/2020/01/02/a.html", at=NOW)
    assert of_article == revisit_policy.RHYTHMS[UrlKind.ARTICLE]
