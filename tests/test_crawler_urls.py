"""Addresses and scope."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import BadScope, UnusableUrl
from crawler.refusals import Refusal
from crawler.urls import MAX_PATH_PARTS, Scope, canonical_url, file_url, host_of, joined_url

TOO_LONG = "http://" + "a" * 70 + ".com"  # a label of a host has 63 letters at most

SAME = [
    ("HTTP://News.Example.COM:80/a", "http://news.example.com/a"),
    ("https://example.com:443", "https://example.com/"),
    ("http://example.com:8080/", "http://example.com:8080/"),
    ("http://user:secret@example.com/", "http://example.com/"),
    ("http://example.com/a/../b/./c", "http://example.com/b/c"),
    ("http://example.com/../..", "http://example.com/"),
    ("http://example.com/%7euser/%e4%b8%ad/中", "http://example.com/~user/%E4%B8%AD/%E4%B8%AD"),
    ("http://example.com/%zz", "http://example.com/%25zz"),
    ("https://例子.中国/", "https://xn--fsqu00a.xn--fiqs8s/"),
    ("http://example.com/?utm_source=x&b=2&a=1&spm=1.2", "http://example.com/?b=2&a=1"),
    ("http://example.com/?from=timeline", "http://example.com/"),
    ("http://example.com/?from=20", "http://example.com/?from=20"),
    ("http://example.com/a?#top", "http://example.com/a"),
    ("http:\\\\example.com\\a", "http://example.com/a"),
    (" http://exa\nmple.com/ ", "http://example.com/"),
    ("http://[0:0:0:0:0:0:0:1]:81/", "http://[::1]:81/"),
]


@pytest.mark.parametrize(("url", "canonical"), SAME)
def test_an_address_has_one_spelling(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical


@pytest.mark.parametrize(
    "url",
    ["", "example.com", "javascript:x", "http:///a", "http://a..b/", "http://a.com:99999/", "http://[::1/", TOO_LONG],
)  # fmt: skip
def test_what_is_no_address_is_refused_by_name(url: str) -> None:
    with pytest.raises(UnusableUrl, match="not a usable web address"):
        canonical_url(url)


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_canonical_address_stays_as_it_is(path: str, query: str) -> None:
    try:
        once = canonical_url(f"http://example.com/{path}?{query}")
    except UnusableUrl:
        return
    assert once.isascii()
    assert canonical_url(once) == once


@given(st.text(max_size=200))
def test_no_link_raises(link: str) -> None:
    found = joined_url("http://example.com/a/b", link)
    assert found is None or found.startswith(("http://", "https://"))


def test_a_file_has_an_address() -> None:
    assert file_url("/tmp/中 文#1.txt") == "file:///tmp/%E4%B8%AD%20%E6%96%87%231.txt"  # noqa: S108  (a name, no file)


def test_another_port_is_another_host() -> None:
    assert host_of("http://127.0.0.1:8001/a") != host_of("http://127.0.0.1:8002/a")


REFUSED = [
    ("http://example.com/news/1", None),
    ("http://www.example.com/news/1", None),
    ("http://elsewhere.com/news/1", Refusal.OUT_OF_SCOPE),
    ("http://example.com:8080/news/1", Refusal.OUT_OF_SCOPE),
    ("http://example.com/other/1", Refusal.OUT_OF_SCOPE),
    ("http://example.com/news/login", Refusal.DENIED),
    ("http://example.com/news/a.JPG", Refusal.WRONG_TYPE),
    ("http://example.com/news/" + "x" * 2_000, Refusal.URL_TOO_LONG),
    ("http://example.com/news" + "".join(f"/{part}" for part in range(MAX_PATH_PARTS)), Refusal.URL_TOO_DEEP),
    ("http://example.com/news/a/b/a/b/a/b/a", Refusal.REPEATED_PATH),
]


@pytest.mark.parametrize(("url", "refusal"), REFUSED)
def test_the_scope_says_why(url: str, refusal: Refusal | None) -> None:
    scope = Scope.of(["Example.com"], allow=["/news"], deny=["login"])
    assert scope.refusal(url) == refusal


def test_links_may_be_too_deep() -> None:
    scope = Scope.of(["example.com"])
    assert scope.refusal("http://example.com/", link_depth=scope.max_link_depth + 1) is Refusal.LINK_TOO_DEEP


def test_a_bad_pattern_is_told_with_the_way_out() -> None:
    with pytest.raises(BadScope, match="site's settings"):
        Scope.of(["example.com"], allow=["("])
