"""A search for copies from the query to the case, with a real search service, real sites and a real database."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import Engine, text

from crawler.extraction.article import PageReader
from crawler.extraction.page_reader import page_reader
from crawler.outcomes.errors import CrawlerError
from crawler.web_search.budget import Budget
from crawler.web_search.searxng import SearXNG
from crawler.web_search.service import MOST_RESULTS
from storage.cases import account_owners
from storage.engine import transaction
from storage.errors import NotKnown
from storage.pages import pages
from storage.records.pages import PageRecord
from storage.types import FindState, FoundBy, Rights, SiteRole
from storage.web_search import articles, finds
from storage.web_search.article_lock import held_article
from tests.support.factories import a_site, an_article, save, story, text_of
from tests.support.web_search.search_server import Scripted, SearchServer, search_server
from tests.support.web_search.small_web import Answer, SmallSite, article_page, small_site
from zhiwen.config.loading import load_settings
from zhiwen.web_search.counts import DiscoveryCounts
from zhiwen.web_search.discovery import discover
from zhiwen.web_search.fetching import FETCHED_A_VISIT, FindFetcher
from zhiwen.web_search.judging import judge
from zhiwen.web_search.opening import fetcher_of
from zhiwen.web_search.plan import PlannedService, SearchPlan, SiteRule

TEXT = story()
OTHER = text_of(3, chars=900)


@pytest.fixture(scope="module")
def ours() -> Iterator[SmallSite]:
    with small_site("127.0.0.2") as found:
        yield found


@pytest.fixture(scope="module")
def theirs() -> Iterator[SmallSite]:
    with small_site("127.0.0.3") as found:
        yield found


@pytest.fixture(scope="module")
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        yield found


@pytest.fixture(autouse=True)
def blank(ours: SmallSite, theirs: SmallSite, server: SearchServer) -> None:
    for site in (ours, theirs):
        site.pages.clear()
        site.asked.clear()
    server.asked.clear()
    server.says({"results": []})


@pytest.fixture(scope="module")
def read_page() -> Iterator[PageReader]:
    with page_reader("Asia/Shanghai", asks_presence=True) as found:
        yield found


@pytest.fixture
def fetcher(engine: Engine, clean_database_url: str, tmp_path: Path, read_page: PageReader) -> FindFetcher:
    settings = load_settings(
        {
            "ZHIWEN_HOME": str(tmp_path),
            "DATABASE_URL": clean_database_url,
            "ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8",
            "ZHIWEN_ENCODER": "off",
        }
    )
    return fetcher_of(settings, engine, read_page)


Search = Callable[..., DiscoveryCounts]


@pytest.fixture
def search(engine: Engine, server: SearchServer, fetcher: FindFetcher) -> Search:
    def run(**more: object) -> DiscoveryCounts:
        rule = SiteRule(budget=more.pop("budget", SiteRule().budget))  # type: ignore[arg-type]
        used = more.pop("fetcher", fetcher)
        plan = more.pop("plan", SearchPlan((PlannedService(SearXNG.at("one", server.base)),), rule=rule))
        options = {"articles": 10, "should_stop": lambda: False, **more}
        return discover(engine, plan, used, **options)  # type: ignore[arg-type]

    return run


def publish(engine: Engine, ours: SmallSite, path: str = "/1", body: str = TEXT) -> str:
    """An article of ours, stored and on the web."""
    url = ours.shows(path, body)
    with transaction(engine) as session:
        known = session.execute(text("SELECT id FROM site WHERE name = 'ours'")).scalar()
        site_id = (
            known or a_site(session, "ours", host=ours.host, role=SiteRole.ORIGINAL, rights=Rights.OWN, delay_s=0.0).id
        )
        save(session, an_article(url, body, site_id=site_id, fetched_at=datetime.now(UTC)))
    return url


def returns(server: SearchServer, *urls: str) -> None:
    server.says({"results": [{"url": url, "title": "T", "content": ""} for url in urls]})


def stored(engine: Engine) -> dict[str, PageRecord]:
    with transaction(engine) as session:
        return {page.url: page for page in pages.list_pages(session)}


def states(engine: Engine, url: str) -> dict[str, str]:
    with transaction(engine) as session:
        article = articles.article_at(session, url, now=datetime.now(UTC))
        assert article is not None
        return {one.url: one.reason or one.state for one in finds.finds_of(session, article.page_id)}


def count(engine: Engine, table: str) -> int:
    with transaction(engine) as session:
        return int(session.execute(text(f'SELECT count(*) FROM "{table}"')).scalar_one())  # noqa: S608  # our own word


def test_a_copy_is_stored_with_its_evidence_and_opens_a_case_and_other_pages_are_not_stored(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    copy = theirs.shows("/copy", TEXT.replace("的", "之"))
    other = theirs.shows("/other", text_of(7, chars=900))
    returns(server, other, copy, f"{theirs.base}/gone")

    done = search()

    assert (done.articles, done.visits_done, done.queries) == (1, 1, len(server.asked))
    assert done.queries >= 3
    assert (done.fetches.fetched, done.fetches.copies, done.fetches.no_copies) == (3, 1, 1)
    assert dict(done.fetches.refused) == {"gone": 1}
    assert (done.cases, done.proposed_hosts) == (1, 1)
    assert states(engine, url) == {other: FindState.NO_COPY, copy: FindState.COPY, f"{theirs.base}/gone": "gone"}
    page = stored(engine)[copy]
    assert (page.found_by, page.site_id, set(stored(engine))) == (FoundBy.SEARCH, None, {url, copy})
    assert (count(engine, "evidence"), count(engine, "backlog")) == (1, 1)  # ours waits as before


def test_what_shares_a_passage_only_is_kept_for_a_person_and_is_no_case_and_no_host_to_watch(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    own = text_of(7, chars=1_600)
    quoting = theirs.shows("/quoting", f"{own[:800]}{TEXT[300:560]}{own[800:]}")
    returns(server, quoting)

    done = search()

    assert (done.fetches.fetched, done.fetches.copies, done.fetches.passages, done.fetches.no_copies) == (1, 0, 1, 0)
    assert (done.cases, done.proposed_hosts) == (0, 0)
    assert done.as_object()["passages"] == 1
    assert states(engine, url) == {quoting: "passage"}
    assert stored(engine)[quoting].found_by is FoundBy.SEARCH
    assert count(engine, "page_match") == 1
    assert count(engine, "evidence") > 0
    with transaction(engine) as session:
        article = articles.article_at(session, url, now=datetime.now(UTC))
    assert article is not None
    assert not article.was_copied, "no dearer than before"


def test_the_next_run_asks_and_fetches_nothing_twice(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    returns(server, theirs.shows("/copy", TEXT), theirs.shows("/other", OTHER))
    first = search()

    again = search()
    by_address = search(url=url)

    assert len(first.visits) == 1
    assert (again.articles, again.queries, again.fetches.fetched) == (0, 0, 0)
    # Copied by now, it is worth two more phrases; the others are not asked for again.
    assert (by_address.queries, by_address.fetches.fetched, dict(by_address.unasked)) == (2, 0, {"asked-already": 1})
    assert len(server.asked) == len({one.target for one in server.asked}) == first.queries + 2
    assert sorted(theirs.asked_pages()) == ["/copy", "/other"]
    assert (count(engine, "case"), count(engine, "evidence")) == (1, 1)


def test_what_robots_forbids_is_never_requested_also_behind_a_redirect(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    theirs.pages["/robots.txt"] = Answer(
        body="User-agent: *\nDisallow: /closed\n", headers={"Content-Type": "text/plain"}
    )
    theirs.shows("/closed/copy", TEXT)
    theirs.pages["/hop"] = Answer(302, headers={"Location": "/closed/copy"})
    returns(server, f"{theirs.base}/closed/copy", f"{theirs.base}/hop")

    done = search()

    assert dict(done.fetches.refused) == {"robots": 2}
    assert theirs.asked_pages() == ["/hop"]
    assert set(stored(engine)) == {url}


@pytest.mark.parametrize(
    "answer",
    [
        Answer(401, "who are you"),
        Answer(403, "no"),
        Answer(404, "nothing"),
        Answer(410, "gone"),
        Answer(302, headers={"Location": "/"}),
        Answer(302, headers={"Location": "/loop"}),
        Answer(body="<html><body><article><p>敬请期待。</p></article></body></html>"),
        Answer(body=article_page(OTHER, title="另一篇")),
        Answer(body="<html><title>登录</title><body><form>请登录后查看<input type=password></form></body></html>"),
        Answer(body=f"<html><meta name='robots' content='noindex'><body><article><p>{TEXT}</p></article></html>"),
        Answer(body=f"<html><body><article><p>{TEXT}</p></article></html>", headers={"X-Robots-Tag": "noindex"}),
    ],
)
def test_nothing_is_sent_about_a_page_that_is_not_public(
    engine: Engine, ours: SmallSite, server: SearchServer, search: Search, answer: Answer
) -> None:
    publish(engine, ours)
    ours.pages |= {"/1": answer, "/": Answer(body="<html><body>首页</body></html>")}
    ours.pages["/loop"] = Answer(302, headers={"Location": "/1"})

    done = search()

    assert (done.not_published, done.queries, server.asked) == (1, 0, [])


@pytest.mark.parametrize("shown", [TEXT, TEXT[: len(TEXT) // 3] + "\n订阅后阅读全文", f"{TEXT}<p>评论"])
def test_an_article_that_a_stranger_sees_at_least_in_part_is_asked_about(
    engine: Engine, ours: SmallSite, server: SearchServer, search: Search, shown: str
) -> None:
    publish(engine, ours)
    ours.shows("/1", shown)

    assert search().queries == len(server.asked) > 0


def test_nothing_is_sent_about_a_page_that_robots_may_not_read(
    engine: Engine, ours: SmallSite, server: SearchServer, search: Search
) -> None:
    publish(engine, ours)
    ours.pages["/robots.txt"] = Answer(body="User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})

    assert (search().not_published, server.asked, ours.asked_pages()) == (1, [], [])


def test_a_site_of_ours_that_fails_stays_due(
    engine: Engine, ours: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    ours.pages["/1"] = Answer(500, "broken")
    assert (search().no_answer, server.asked) == (1, [])

    ours.shows("/1", TEXT)
    assert search(url=url).queries >= 3


def test_switched_off_nothing_is_sent_and_nothing_fetched(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    service = PlannedService(SearXNG.at("one", server.base))
    off = [SearchPlan(), SearchPlan((service,), rules={"ours": SiteRule(visits=())})]

    for plan in off:
        assert search(plan=plan).queries == 0
    assert search(plan=SearchPlan(), url=url).queries == 0
    assert (server.asked, ours.asked, theirs.asked) == ([], [], [])


def test_only_articles_of_ours_are_asked_about(engine: Engine, search: Search) -> None:
    with transaction(engine) as session:
        a_site(session, "watched")
        save(session, an_article("https://watched.example/1", TEXT))

    with pytest.raises(NotKnown, match=r"watched\.example"):
        search(url="https://watched.example/1")
    with pytest.raises(NotKnown, match="watched"):
        search(site="watched")


def test_no_more_than_a_handful_is_fetched_a_visit(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    publish(engine, ours)
    returns(server, *(theirs.base + f"/none/{number}" for number in range(20)))

    assert search().fetches.fetched == FETCHED_A_VISIT
    assert search().fetches.fetched == 0
    assert len(theirs.asked_pages()) == FETCHED_A_VISIT


def test_what_an_earlier_run_left_is_fetched_first(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    publish(engine, ours)
    copy = theirs.shows("/copy", TEXT)
    returns(server, copy)
    asked = search(should_stop=lambda: len(server.asked) > 0)
    assert (asked.queries, asked.visits_done, asked.fetches.fetched) == (1, 0, 0)

    done = search()

    assert (done.fetches.copies, done.cases, done.visits_done) == (1, 1, 1)
    assert len(server.asked) == len({one.target for one in server.asked})
    assert (copy in stored(engine), theirs.asked_pages()) == (True, ["/copy"])


def test_a_page_on_a_private_address_is_not_reached(
    engine: Engine, ours: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    inside = "http://10.255.255.1/admin"
    returns(server, inside, "http://169.254.169.254/latest/meta-data")

    done = search()

    assert dict(done.fetches.refused) == {"blocked-address": 2}
    assert states(engine, url)[inside] == "blocked-address"


def test_a_redirect_to_a_known_page_or_to_us_is_not_stored_again(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    theirs.pages["/to-us"] = Answer(302, headers={"Location": url})
    theirs.pages["/to-known"] = Answer(302, headers={"Location": "/known"})
    known = theirs.shows("/known", TEXT)
    with transaction(engine) as session:
        save(session, an_article(known, TEXT))
    returns(server, f"{theirs.base}/to-us", f"{theirs.base}/to-known")

    done = search()

    assert dict(done.left_out) == {"own-host": 1, "known-page": 1}
    assert (done.fetches.copies, count(engine, "evidence")) == (0, 0)


def test_a_host_that_asks_for_a_pause_gets_it_and_its_page_waits(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    theirs.pages["/busy"] = Answer(429, "slowly", {"Retry-After": "600"})
    copy = theirs.shows("/copy", TEXT)
    returns(server, f"{theirs.base}/busy", copy)

    done = search()

    assert (done.fetches.fetched, theirs.asked_pages()) == (0, ["/busy"])
    assert states(engine, url) == {f"{theirs.base}/busy": "waiting", copy: "waiting"}


def test_the_object_for_programs_is_json_and_names_every_count(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    returns(server, theirs.shows("/copy", TEXT), url)

    found = json.loads(json.dumps(search().as_object()))

    names = ("articles", "visits_done", "queries", "results", "fetched", "copies")
    assert [found[name] for name in names] == [1, 1, len(server.asked), 2, 1, 1]
    assert found["left_out"] == {"own-host": 1}
    assert found["spent"] == {
        "one": dict.fromkeys(("queries_today", "queries_this_month"), found["queries"]) | {"money_this_month": 0.0}
    }
    assert found["visits"][0] | {"url": url, "found": 1} == found["visits"][0]


def test_a_page_that_cannot_be_judged_is_named_and_does_not_stop_the_others(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search, fetcher: FindFetcher
) -> None:
    def breaks(_: object) -> NoReturn:
        raise ArithmeticError("an encoder that does not bear this page")

    url = publish(engine, ours)
    other, copy = theirs.shows("/other", OTHER), theirs.shows("/copy", TEXT)
    returns(server, other, copy)

    done = search(fetcher=replace(fetcher, open_search=breaks))

    assert (dict(done.fetches.failures), done.fetches.copies) == ({"ArithmeticError": 1}, 1)
    assert (done.as_object()["failed"], done.as_object()["failures"]) == (1, {"ArithmeticError": 1})
    assert states(engine, url) == {other: "parser-died", copy: "copy"}


def test_a_disk_that_takes_no_evidence_ends_the_run_and_loses_nothing(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search, tmp_path: Path
) -> None:
    url = publish(engine, ours)
    copy = theirs.shows("/copy", TEXT)
    returns(server, copy)
    evidence = tmp_path / "evidence"
    evidence.write_text("no folder")

    with pytest.raises((OSError, CrawlerError)):
        search()
    assert states(engine, url) == {copy: "waiting"}

    evidence.unlink()
    assert search().fetches.copies == 1


def test_redirects_in_a_circle_end_and_are_named(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    publish(engine, ours)
    theirs.pages |= {"/a": Answer(302, headers={"Location": "/b"}), "/b": Answer(302, headers={"Location": "/a"})}
    returns(server, f"{theirs.base}/a")

    done = search()

    assert dict(done.fetches.refused) == {"too-many-redirects": 1}
    assert len(theirs.asked_pages()) < 20


def test_of_a_hundred_thousand_results_the_first_are_read(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    publish(engine, ours)
    copy = theirs.shows("/copy", TEXT)
    returns(server, copy, *(f"{theirs.base}/none/{number}" for number in range(100_000)))

    done = search()

    assert (done.results, done.fetches.fetched, done.fetches.copies) == (MOST_RESULTS, FETCHED_A_VISIT, 1)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (Scripted(503), "busy"),
        (Scripted(429, headers={"Retry-After": "60"}), "busy"),
        (Scripted(200, b"\xff\x00 no JSON"), "garbage"),
        (Scripted(200, b"<html>unusual traffic: solve this captcha</html>"), "captcha"),
        (Scripted(302, headers={"Location": "http://169.254.169.254/"}), "redirect"),
        (Scripted(401), "key-refused"),
    ],
)
def test_a_service_that_fails_is_named_and_asked_again_after_its_rest(
    engine: Engine, ours: SmallSite, server: SearchServer, search: Search, answer: Scripted, fault: str
) -> None:
    publish(engine, ours)
    publish(engine, ours, "/2", OTHER)
    server.answer = answer

    failed = search()
    resting = search()

    assert {service: dict(found) for service, found in failed.faults.items()} == {"one": {fault: 1}}
    assert (failed.articles, failed.is_dry, failed.visits_done) == (1, True, 0)
    assert "one" in failed.problems["one"]
    assert (resting.queries, dict(resting.unasked), resting.is_dry) == (0, {"resting": 1}, True)
    assert len(server.asked) == 1


def test_a_service_that_is_down_loses_nothing(
    engine: Engine, ours: SmallSite, theirs: SmallSite, server: SearchServer, search: Search
) -> None:
    publish(engine, ours)
    returns(server, theirs.shows("/copy", TEXT))
    down = PlannedService(SearXNG.at("down", "http://127.0.0.1:9"))
    up = PlannedService(SearXNG.at("up", server.base))

    done = search(plan=SearchPlan((down, up)))

    assert {service: dict(found) for service, found in done.faults.items()} == {"down": {"unreachable": 1}}
    assert (done.visits_done, done.fetches.copies, done.is_dry) == (1, 1, False)


def test_over_budget_nothing_is_sent_and_it_says_so(
    engine: Engine, ours: SmallSite, server: SearchServer, search: Search
) -> None:
    publish(engine, ours)
    publish(engine, ours, "/2", OTHER)

    of_site = search(budget=Budget(queries_a_day=0))
    of_service = search(
        plan=SearchPlan((PlannedService(SearXNG.at("one", server.base), budget=Budget(queries_a_month=0)),))
    )

    assert (dict(of_site.unasked), of_site.articles, of_site.is_dry) == ({"site-budget": 1}, 1, False)
    assert (dict(of_service.unasked), of_service.articles, of_service.is_dry) == ({"service-budget": 1}, 1, True)
    assert server.asked == []


def test_an_article_that_another_process_is_at_work_on_is_left_to_it(
    engine: Engine, ours: SmallSite, server: SearchServer, search: Search
) -> None:
    url = publish(engine, ours)
    with transaction(engine) as session:
        article = articles.article_at(session, url, now=datetime.now(UTC))
    assert article is not None

    with held_article(engine, article.page_id) as is_ours:
        assert (is_ours, search().queries, server.asked) == (True, 0, [])
    assert search().queries > 0


def test_the_account_of_an_owner_of_ours_on_a_platform_is_no_copier(engine: Engine) -> None:
    with transaction(engine) as session:
        site = a_site(session, "ours", role=SiteRole.ORIGINAL, rights=Rights.OWN)
        save(session, an_article("https://ours.example/1", TEXT, site_id=site.id))
        theirs = an_article("https://platform.example/p/1", TEXT, account="platform:7")
        assert judge(session, theirs, None).state is FindState.COPY
        save(session, an_article("https://platform.example/p/0", OTHER, account="platform:7"))
        account_owners.assign_account(session, "platform:7", "ours")
        assert judge(session, theirs, None).state is FindState.NO_COPY
        assert not judge(session, an_article("https://platform.example/p/2", text_of(4)), None).is_worth_storing
