"""The query for translations: for which articles, and which of its results wait."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import Engine

from crawler.web_search.ranking import Known, Merged
from crawler.web_search.searxng import SearXNG
from matcher.meaning.encoders.encoder import EncoderUnavailable
from storage.engine import transaction
from storage.records.web_search import ArticleToAsk
from storage.types import FindState, SiteRole
from storage.web_search import articles, finds
from tests.support.factories import a_site, an_article, save, story
from tests.support.web_search.search_server import SearchServer, search_server
from zhiwen.web_search.abroad import MOST_FINDS, Abroad, finds_abroad
from zhiwen.web_search.asking import Asker
from zhiwen.web_search.plan import PlannedService, SearchPlan, SiteRule
from zhiwen.web_search.visiting import Visited

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from matcher.retellings.search import MeaningSearch

TEXT = f"{story()}\n据 Danube 观察站，水位上涨 3.75 米，Tulln 的居民撤离。"
NAMES = ("Danube", "Tulln", "3.75")


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        found.says({"results": []})
        yield found


@pytest.fixture
def article(engine: Engine) -> ArticleToAsk:
    url = "https://ours.example/1"
    with transaction(engine) as session:
        site = a_site(session, "ours", role=SiteRole.ORIGINAL)
        save(session, an_article(url, TEXT, site_id=site.id, language="zh-Hans"))
        found = articles.article_at(session, url, now=datetime.now(UTC))
    assert found is not None
    return found


def is_open(session: "Session") -> "MeaningSearch":
    return cast("MeaningSearch", session)  # only whether it opens is asked


def is_missing(session: "Session") -> "MeaningSearch":
    raise EncoderUnavailable("not installed")


def abroad(engine: Engine, server: SearchServer, *, dear: bool = True, missing: bool = False) -> Abroad:
    plan = SearchPlan((PlannedService(SearXNG.at("one", server.base)),), rule=SiteRule(is_dear=dear))
    return Abroad(Asker(engine, plan, UTC), is_missing if missing else is_open)


def test_a_dear_article_is_asked_for_in_the_other_language_by_its_names(
    engine: Engine, server: SearchServer, article: ArticleToAsk
) -> None:
    hit = {"url": "https://b.example/1", "title": "Flood at Tulln", "content": "The Danube rose by 3.75 metres."}
    miss = {"url": "https://b.example/2", "title": "Tulln", "content": "A town."}
    server.says({"results": [miss, hit]})
    visited = Visited(article.url)

    assert abroad(engine, server)(article, TEXT, None, visited)

    (asked,) = (parse_qs(urlsplit(one.target).query) for one in server.asked)
    assert sorted(asked["q"][0].strip('"').split('" "')) == sorted(NAMES)
    assert asked["language"] == ["en"]
    assert (visited.queries, visited.results, dict(visited.left_out)) == (1, 2, {"unlike": 1})
    with transaction(engine) as session:
        (waiting,) = finds.waiting(session, article.page_id, limit=9)
    assert (waiting.url, waiting.score) == (hit["url"], 1.0)


@pytest.mark.parametrize("more", [{"dear": False}, {"missing": True}])
def test_nothing_is_asked_about_other_articles_or_without_an_encoder(
    engine: Engine, server: SearchServer, article: ArticleToAsk, more: dict[str, bool]
) -> None:
    assert abroad(engine, server, **more)(article, TEXT, None, Visited(article.url))
    assert abroad(engine, server)(article, "没有名字的文章。", None, Visited(article.url))
    assert server.asked == []


def test_few_wait_and_what_is_known_does_not() -> None:
    def result(number: int, snippet: str) -> Merged:
        return Merged(f"https://b.example/{number}", "", snippet, ("one",), 1)

    known = Known(ignored_hosts={"b.example"})
    many = [result(number, "danube TULLN") for number in range(9)]

    states = [one.state for one in finds_abroad(many, NAMES, Known())]
    assert states.count(FindState.WAITING) == MOST_FINDS
    assert {one.reason for one in finds_abroad(many, NAMES, known)} == {"ignored-host"}
    assert [one.state for one in finds_abroad([result(1, "")], NAMES, Known())] == [FindState.WAITING]
