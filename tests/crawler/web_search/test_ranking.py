"""Ranking of results: what is left out and why, and what comes first."""

import pytest

from crawler.urls.canonical import identity_of
from crawler.web_search.ranking import ArticleGrams, HostRecord, Known, LeftOut, Ranked, merge, rank
from crawler.web_search.service import SearchResult

ARTICLE = ArticleGrams(
    "他们在清晨沿着旧河道走到了下游的村子里，把看见的事情都记在了一个蓝色的本子上，然后回到镇上去。" * 3
)
SAME = "沿着旧河道走到了下游的村子里，把看见的事情都记在了一个蓝色的本子上"
HOMOPHONES = "沿着旧河道走到了下游的村子里，把看见的事清都计在了一个蓝色的本子上"
OTHER = "这家餐馆的红烧肉做得非常地道，价格也不算贵，周末去的时候要提前两个小时排队，不然根本没有位置可坐"


def found(url: str, snippet: str = "", title: str = "", service: str = "one") -> SearchResult:
    return SearchResult(url, title, snippet, service)


def ranked(*results: SearchResult, **known: object) -> list[Ranked]:
    return rank(merge([[one] for one in results]), ARTICLE, Known(**known))  # type: ignore[arg-type]


def test_results_of_several_queries_and_services_are_one_by_their_address() -> None:
    merged = merge(
        [
            [found("https://b.example/1/", "x", service="one"), found("http://www.b.example/1", "x", service="two")],
            [found("https://b.example/1", "y", "T", service="two"), found("https://b.example/2")],
        ]
    )

    assert [(one.url, one.queries, one.services) for one in merged] == [
        ("https://b.example/1/", 2, ("one", "two")),
        ("https://b.example/2", 1, ("one",)),
    ]
    assert (merged[0].title, merged[0].snippet) == ("T", "x\ny")


def test_what_shares_wording_comes_first_disguised_or_not() -> None:
    order = ranked(
        found("https://o.example/", OTHER[:20]),
        found("https://h.example/", HOMOPHONES),
        found("https://s.example/", SAME),
    )

    assert [one.result.url[8] for one in order] == ["h", "s", "o"]  # equals stay in their order
    assert [one.shared == one.grams > 0 for one in order] == [True, True, False]
    assert [one.left_out for one in order] == [None, None, None]  # a short snippet proves nothing


def test_a_long_snippet_of_another_text_is_left_out_unless_two_phrases_found_it() -> None:
    assert ranked(found("https://o.example/", OTHER))[0].left_out is LeftOut.UNLIKE
    twice = found("https://o.example/", OTHER)
    assert ranked(twice, twice)[0].left_out is None


def test_the_first_results_for_words_are_fetched_whatever_their_snippets_show() -> None:
    urls = [f"https://o.example/{number}" for number in range(5)]
    merged = merge([[found(url, OTHER) for url in urls], [found("https://s.example/", SAME)]])

    order = rank(
        merged, ARTICLE, Known(ignored_hosts=()), for_words=[urls[3], "http://www.o.example/1/", urls[0], urls[2]]
    )

    assert {one.result.url for one in order if one.left_out is None} == {
        "https://s.example/",
        urls[0],
        urls[1],
        urls[3],
    }
    assert order[0].result.url == "https://s.example/"


def test_what_is_left_out_for_another_reason_stays_left_out() -> None:
    merged = merge([[found("https://i.example/1", OTHER)]])

    order = rank(merged, ARTICLE, Known(ignored_hosts={"i.example"}), for_words=["https://i.example/1"])

    assert [one.left_out for one in order] == [LeftOut.IGNORED_HOST]


def test_a_result_without_a_snippet_is_not_left_out() -> None:
    assert ranked(found("https://o.example/"))[0].left_out is None


@pytest.mark.parametrize(
    ("known", "why"),
    [
        ({"own_hosts": {"b.example"}}, LeftOut.OWN_HOST),
        ({"licensed_hosts": {"b.example"}}, LeftOut.LICENSED),
        ({"ignored_hosts": {"b.example"}}, LeftOut.IGNORED_HOST),
        ({"pages": {identity_of("http://b.example/1")}}, LeftOut.KNOWN_PAGE),
        ({"tried": {identity_of("http://b.example/1")}}, LeftOut.TRIED),
    ],
)
def test_what_is_known_is_left_out_with_its_reason(known: dict[str, object], why: LeftOut) -> None:
    order = ranked(found("https://b.example/1", SAME), found("https://c.example/1", OTHER[:20]), **known)

    assert [(one.result.url, one.left_out) for one in order] == [
        ("https://c.example/1", None),
        ("https://b.example/1", why),
    ]


def test_hosts_whose_pages_were_no_copies_come_later() -> None:
    hosts = {"a.example": HostRecord(fetched=9, copies=0), "b.example": HostRecord(fetched=9, copies=9)}
    order = ranked(*(found(f"https://{name}.example/", SAME) for name in "acb"), hosts=hosts)

    assert [one.result.url[8] for one in order] == ["b", "c", "a"]


@pytest.mark.parametrize("text", ["", "\x00" * 99, "\ud800" * 99, "a" * 9_999])
def test_hostile_snippets_and_articles_are_ranked(text: str) -> None:
    assert rank(merge([[found("https://b.example/", text, text)]]), ArticleGrams(text), Known())
