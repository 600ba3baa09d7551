"""Two addresses of one article, and two articles that claim one address."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.spider.duplicates import is_same_article
from tests.fake_web import requests_so_far, served
from tests.flow.test_crawl import add_site, crawl, stored
from tests.support.factories import story, text_of


@pytest.fixture
def web() -> Iterator[str]:
    with served() as base:
        yield base


def test_a_version_without_its_boxes_is_the_same_article() -> None:
    text = story()
    assert is_same_article(text, text[: int(len(text) * 0.7)])
    assert is_same_article(text, "相关阅读 " * 20 + text)


def test_two_articles_are_not_the_same() -> None:
    assert not is_same_article(text_of(1), text_of(2))
    assert not is_same_article("", text_of(1))


@given(st.text(max_size=200), st.text(max_size=200))
def test_it_makes_no_difference_which_comes_first(one: str, other: str) -> None:
    assert is_same_article(one, other) == is_same_article(other, one)


def test_a_page_is_kept_under_the_address_it_names_unless_another_article_stands_there(
    clean_database_url: str, web: str
) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/twins",), allow=("/twins$", "/twin/", "/story-"))

    run = crawl(clean_database_url)

    # 30 and 31 are kept once, where they say; 32 says that it is 30, and is not.
    assert set(stored(clean_database_url)) == {"/story-30", "/story-31", "/twin/32/30"}
    assert run.counters["articles/new"] == 3
    assert run.counters["refused/duplicate"] == 2
    assert max(requests_so_far(web).values()) == 1
