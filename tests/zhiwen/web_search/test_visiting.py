"""One visit of an article, from its phrases to what waits to be fetched, with a real service and database."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import Engine

from crawler.web_search.budget import Budget
from crawler.web_search.searxng import SearXNG
from storage.engine import transaction
from storage.records.web_search import ArticleToAsk
from storage.types import FindState, FoundBy, SiteRole
from storage.web_search import articles, finds
from tests.support.factories import a_site, an_article, save, story, text_of
from tests.support.web_search.search_server import Scripted, SearchServer, search_server
from zhiwen.web_search.asking import Asker
from zhiwen.web_search.plan import PlannedService, SearchPlan, SiteRule
from zhiwen.web_search.publication import NoAnswer
from zhiwen.web_search.visiting import Visitor, spellings

OURS = "https://ours.example/1"
TEXT = story()


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        found.says({"results": []})
        yield found


Store = Callable[..., ArticleToAsk]


@pytest.fixture
def store(engine: Engine) -> Store:
    def store_one(found_by: FoundBy = FoundBy.SPIDER, *more: tuple[str, str], ours: str = TEXT) -> ArticleToAsk:
        with transaction(engine) as session:
            site = a_site(session, "ours", role=SiteRole.ORIGINAL)
            seen = datetime.now(UTC) - timedelta(hours=1)
            save(session, an_article(OURS, ours, site_id=site.id, found_by=found_by, fetched_at=seen))
            save(session, *(an_article(url, text) for url, text in more))
            found = articles.article_at(session, OURS, now=datetime.now(UTC))
        assert found is not None
        return found

    return store_one


def visitor(engine: Engine, server: SearchServer, *, published: bool = True, **plan: SiteRule) -> Visitor:
    services = (PlannedService(SearXNG.at("one", server.base)),)
    return Visitor(Asker(engine, SearchPlan(services, **plan), UTC), lambda _: published)  # type: ignore[arg-type]


def queries_of(server: SearchServer) -> list[str]:
    return [parse_qs(urlsplit(one.target).query)["q"][0] for one in server.asked]


def asked_for(server: SearchServer) -> list[str]:
    return [query.strip('"') for query in queries_of(server)]


def states(engine: Engine, article: ArticleToAsk) -> dict[str, str]:
    with transaction(engine) as session:
        return {one.url: one.reason or one.state for one in finds.finds_of(session, article.page_id)}


def due(engine: Engine, article: ArticleToAsk) -> bool:
    with transaction(engine) as session:
        found = articles.articles_of_site(
            session, article.site_id, now=datetime.now(UTC), visits=SiteRule().visits, limit=9
        )
    return bool(found)


def test_three_phrases_and_their_words_are_asked_for_and_what_is_likely_a_copy_waits(
    engine: Engine, server: SearchServer, store: Store
) -> None:
    article = store(FoundBy.SPIDER, ("https://known.example/1", text_of(9)))
    urls = ("https://b.example/1", OURS + "?utm_source=x", "http://www.known.example/1/")
    server.says({"results": [{"url": url, "content": TEXT[20:120]} for url in urls]})

    visited = visitor(engine, server).visit(article)

    assert asked_for(server) == [*(phrase.text for phrase in visited.phrases), visited.words]
    assert len(visited.phrases) == visited.queries - 1 == 3
    assert ['"' in target for target in queries_of(server)] == [True, True, True, False]
    assert all(phrase.text in TEXT for phrase in visited.phrases)
    assert (visited.is_done, visited.results, dict(visited.left_out)) == (True, 3, {"own-host": 1, "known-page": 1})
    assert states(engine, article) == {
        "https://b.example/1": FindState.WAITING,
        OURS: "own-host",
        "http://www.known.example/1/": "known-page",
    }
    assert not due(engine, article)


def test_nothing_is_asked_about_a_page_that_does_not_answer(engine: Engine, server: SearchServer, store: Store) -> None:
    visited = visitor(engine, server, published=False).visit(store(FoundBy.IMPORT))

    assert (visited.is_published, visited.queries, server.asked) == (False, 0, [])


def test_nothing_is_asked_about_a_page_that_answers_no_more_however_lately_a_crawl_saw_it(
    engine: Engine, server: SearchServer, store: Store
) -> None:
    article = store()

    assert visitor(engine, server, published=False).visit(article).queries == 0
    assert server.asked == []
    assert not due(engine, article)  # rechecked when the next visit is due


def test_a_page_whose_server_does_not_answer_stays_due(engine: Engine, server: SearchServer, store: Store) -> None:
    def silent(url: str) -> bool:
        raise NoAnswer(url)

    article = store()
    visited = replace(visitor(engine, server), is_published=silent).visit(article)

    assert (visited.is_published, visited.is_unknown, visited.is_done, server.asked) == (False, True, False, [])
    assert due(engine, article)


def test_an_article_marked_as_dear_is_asked_for_with_two_more(
    engine: Engine, server: SearchServer, store: Store
) -> None:
    assert visitor(engine, server, rule=SiteRule(is_dear=True)).visit(store()).queries == 6


def test_a_long_article_is_asked_for_with_more_phrases_one_in_each_part(
    engine: Engine, server: SearchServer, store: Store
) -> None:
    long = "\n".join(story() for _ in range(14_000 // len(TEXT) + 1))

    visited = visitor(engine, server).visit(store(ours=long))

    assert {phrase.start * 3 // len(long) for phrase in visited.phrases} == {0, 1, 2}
    assert visited.queries - 1 == len(visited.phrases) == 5


def test_a_visit_that_runs_dry_goes_on_with_its_other_phrases(
    engine: Engine, server: SearchServer, store: Store
) -> None:
    article = store()
    first = visitor(engine, server, rule=SiteRule(budget=Budget(queries_a_day=2))).visit(article)
    assert (first.queries, first.is_done, first.unasked) == (2, False, {"one": "site-budget"})
    assert due(engine, article)

    second = visitor(engine, server).visit(article)
    assert (second.queries, second.is_done) == (2, True)
    assert len(set(asked_for(server))) == len(server.asked) == 4
    assert not due(engine, article)


def test_a_visit_whose_service_fails_stays_due(engine: Engine, server: SearchServer, store: Store) -> None:
    article = store()
    server.answer = Scripted(429)

    visited = visitor(engine, server).visit(article)

    assert (visited.queries, visited.is_done, list(visited.faults)) == (1, False, ["one"])
    assert due(engine, article)


def test_wording_that_stands_in_another_text_is_not_asked_for(
    engine: Engine, server: SearchServer, store: Store
) -> None:
    half = TEXT[: len(TEXT) // 2]
    visited = visitor(engine, server).visit(store(FoundBy.SPIDER, ("https://agency.example/1", half)))

    assert len(visited.phrases) == 3
    assert not [phrase.text for phrase in visited.phrases if phrase.text in half]


def test_a_page_that_two_phrases_return_is_one_find(engine: Engine, server: SearchServer, store: Store) -> None:
    article = store()
    server.says({"results": [{"url": "https://b.example/1"}, {"url": "http://b.example/1#x"}]})

    assert visitor(engine, server).visit(article).results == 1
    with transaction(engine) as session:
        (found,) = finds.finds_of(session, article.page_id)
    assert (found.url, found.state) == ("https://b.example/1", FindState.WAITING)
    assert found.score > 3  # three phrases


def test_what_was_found_before_the_program_was_killed_is_kept(
    engine: Engine, server: SearchServer, store: Store
) -> None:
    article = store()
    server.says({"results": [{"url": "https://b.example/1"}]})
    one = visitor(engine, server, rule=SiteRule(budget=Budget(queries_a_day=1)))
    one.visit(article)

    assert states(engine, article) == {"https://b.example/1": FindState.WAITING}


def test_an_address_is_looked_up_in_its_usual_spellings() -> None:
    assert "http://www.b.example/a" in spellings("https://b.example/a/")
    assert len(spellings("https://b.example/a?x=1")) == 8
