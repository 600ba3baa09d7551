"""Which of the addresses that a crawl meets are worth a visit."""

from crawler.outcomes.refusals import RefusalLog
from crawler.spider import link_filter
from crawler.spider.link_filter import BARREN, LinkFilter, Traps, leads_beyond, on_same_level
from crawler.urls.canonical import identity_of
from crawler.urls.scope import Scope
from storage.records.crawl import FoundUrl

SCOPE = Scope.of(["a.example"])


def judged(links: LinkFilter, *urls: str, traps: Traps | None = None) -> list[str]:
    return [found.url for found in links.worth_a_visit(urls, link_depth=1, traps=traps or Traps())]


def test_each_address_is_judged_once_under_any_spelling() -> None:
    refusals = RefusalLog()
    links = LinkFilter(SCOPE, refusals)
    assert judged(links, "http://a.example/1", "https://www.a.example/1/") == ["http://a.example/1"]
    assert judged(links, "http://a.example/1", "http://b.example/", "http://b.example/") == []
    assert refusals.counters == {"refused/out-of-scope": 1}


def test_what_was_judged_long_ago_is_forgotten_so_that_memory_has_a_bound() -> None:
    links = LinkFilter(SCOPE, RefusalLog())
    urls = [f"http://a.example/{number}" for number in range(link_filter.RECENT + 1)]
    assert len(judged(links, *urls)) == len(urls)
    assert judged(links, urls[0], urls[-1]) == [urls[0]]


def test_addresses_that_lead_only_to_their_like_become_a_trap() -> None:
    traps = Traps()
    shapes = [
        traps.visited(f"http://a.example/calendar/2026/{day}?view={day}", is_fruitful=False) for day in range(BARREN)
    ]
    assert shapes == [None] * (BARREN - 1) + ["a.example/calendar/0/0?view"]
    refusals = RefusalLog()
    assert judged(LinkFilter(SCOPE, refusals), "http://a.example/calendar/1/2?view=9", traps=traps) == []
    assert refusals.counters == {"refused/endless-parameters": 1}
    assert judged(LinkFilter(SCOPE, refusals), "http://a.example/calendar/", traps=traps) != []


def test_one_that_brings_something_clears_all_of_its_shape() -> None:
    traps = Traps()
    for day in range(BARREN - 1):
        traps.visited(f"http://a.example/list/{day}", is_fruitful=False)
    traps.visited("http://a.example/list/77", is_fruitful=True)
    assert traps.visited("http://a.example/list/78", is_fruitful=False) is None


def test_traps_of_former_runs_are_traps() -> None:
    assert Traps(["a.example/list/0"]).has("http://a.example/list/12")


def test_many_shapes_do_not_fill_the_memory() -> None:
    traps = Traps(["a.example/first/0"])
    for word in range(link_filter.SHAPES):
        traps.visited(f"http://a.example/{'x' * (word % 60)}{chr(0x4E00 + word)}", is_fruitful=False)
    assert not traps.has("http://a.example/first/1")


def test_a_page_leads_beyond_itself_by_an_address_of_another_shape() -> None:
    def found(url: str) -> FoundUrl:
        return FoundUrl(url, identity_of(url))

    assert not leads_beyond("http://a.example/list/1", [found("http://a.example/list/2")])
    assert leads_beyond("http://a.example/list/1", [found("http://a.example/list/2"), found("http://a.example/x")])


def test_a_list_that_brings_something_goes_on_no_deeper_than_it_is() -> None:
    onward, other = "http://a.example/list/8", "http://a.example/news/1"
    found = [FoundUrl(url, identity_of(url), link_depth=8) for url in (onward, other)]

    def depths(*, next_list: str | None, of: list[FoundUrl] = found) -> list[int]:
        return [one.link_depth for one in on_same_level(of, "http://a.example/list/7", 7, next_list=next_list)]

    assert depths(next_list=onward) == [7, 8]
    assert depths(next_list=None) == [8, 8]
    assert depths(next_list=onward, of=found[:1]) == [8]  # nothing but the next one: a calendar
