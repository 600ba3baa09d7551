"""Addresses and scope."""

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.outcomes.errors import BadScope, UnusableUrl
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url, file_url, host_of, identity_of, joined_url, shape_of
from crawler.urls.scope import MAX_PATH_PARTS, Scope

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
    ("http://example.com/a;jsessionid=1A2B.node1?id=3", "http://example.com/a?id=3"),
    ("http://example.com/a?PHPSESSID=1a2b&id=3", "http://example.com/a?id=3"),
    ("http://example.com/a?sid=0123456789abcdef0123456789abcdef&id=3", "http://example.com/a?id=3"),
    ("http://example.com/a?sid=12", "http://example.com/a?sid=12"),
    ("http://example.com/a?id=3&print=1", "http://example.com/a?id=3"),
    ("http://example.com/f.php?mod=thread&action=printable&tid=9", "http://example.com/f.php?mod=thread&tid=9"),
    ("http://example.com/f.php?action=show", "http://example.com/f.php?action=show"),
    ("http://example.com/a?amp", "http://example.com/a"),
    ("http://example.com/a?outputType=amp", "http://example.com/a"),
    ("http://example.com/a?id=3&id=3&id=4", "http://example.com/a?id=3&id=4"),
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


ONE_PAGE = [
    "http://example.com/a",
    "https://example.com/a",
    "https://www.example.com/a/",
    "http://example.com/a/index.html",
    "http://example.com/a/default.aspx",
]


@pytest.mark.parametrize("spelling", ONE_PAGE)
def test_all_spellings_of_a_page_have_one_identity(spelling: str) -> None:
    assert identity_of(canonical_url(spelling)) == identity_of("http://example.com/a")


def test_the_order_of_parameters_makes_no_other_page() -> None:
    assert identity_of("http://example.com/a?x=1&y=2") == identity_of("http://example.com/a?y=2&x=1")


@pytest.mark.parametrize(
    "other", ["http://example.com/b", "http://example.com/a?p=2", "http://m.example.com/a", "http://example.com:81/a"]
)
def test_what_may_be_another_page_has_another_identity(other: str) -> None:
    assert identity_of(other) != identity_of("http://example.com/a")


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("http://a.example/2026/11/21/1234.html", "a.example/0/0/0/0.html"),
        ("http://a.example/calendar?month=3&year=2026", "a.example/calendar?month&year"),
        ("http://a.example/p/9f86d081884c7d659a2feaa0c55ad015", "a.example/p/0"),
        ("http://a.example/news/bridge", "a.example/news/bridge"),
    ],
)
def test_addresses_that_a_program_counts_through_have_one_shape(url: str, shape: str) -> None:
    assert shape_of(url) == shape


REFUSED = [
    ("http://example.com/news?" + "&".join(f"f{number}=1" for number in range(30)), Refusal.ENDLESS_PARAMETERS),
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


def test_a_bad_pattern_is_reported_with_the_way_out() -> None:
    with pytest.raises(BadScope, match="site's settings"):
        Scope.of(["example.com"], allow=["("])


@pytest.mark.parametrize(
    "base", ["https://u:p@a.example:8080/x/y;s?q", "http://A.example", "http://a.example:80/b/c.html"]
)
@given(
    st.lists(
        st.sampled_from(["/", "a", ".", "..", "#x", "?", "%41", "b.example", "https://", "-", "~", "é", ";j"]),
        max_size=6,
    )
)
def test_plain_links_are_joined_as_all_others(base: str, pieces: list[str]) -> None:
    link = "".join(pieces)
    fast = joined_url(base, link)
    try:
        slow = canonical_url(urljoin(base, link)) if link and link[0] != "#" else None
    except (UnusableUrl, ValueError):
        slow = None

    assert fast == slow
