"""Queries within their budgets: booked before they are sent, against real services and a real database."""

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import Engine, text

from crawler.web_search.budget import NOT_AGAIN_WITHIN, Budget, Limit
from crawler.web_search.infini_gram import InfiniGram
from crawler.web_search.searxng import SearXNG
from crawler.web_search.service import Fault, SearchAnswer
from storage.engine import transaction
from storage.records.web_search import ArticleToAsk, NewQuery
from storage.types import SiteRole
from storage.web_search import articles, queries
from tests.support.factories import a_site, an_article, save, text_of
from tests.support.web_search.search_server import Scripted, SearchServer, search_server
from zhiwen.web_search.asking import OPEN_AT_MOST, Asked, Asker, Unasked
from zhiwen.web_search.plan import PlannedService, SearchPlan, SiteRule

FOUND = {"results": [{"url": "https://b.example/1", "title": "T", "content": "s"}]}
PHRASE = "河水漫过了旧码头的石"


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        found.says(FOUND)
        yield found


@pytest.fixture
def other() -> Iterator[SearchServer]:
    with search_server() as found:
        found.says(FOUND)
        yield found


@pytest.fixture
def article(engine: Engine) -> ArticleToAsk:
    with transaction(engine) as session:
        site = a_site(session, "ours", role=SiteRole.ORIGINAL)
        save(session, an_article("https://ours.example/1", text_of(1), site_id=site.id))
        found = articles.article_at(session, "https://ours.example/1", now=datetime.now(UTC))
    assert found is not None
    return found


class Clock:
    """A clock that tests set forward."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


def asker(engine: Engine, *services: PlannedService, clock: Clock | None = None, **plan: Any) -> Asker:
    return Asker(engine, SearchPlan(services, **plan), UTC, clock or Clock())


def planned(server: SearchServer, name: str = "one", **more: Any) -> PlannedService:
    return PlannedService(SearXNG.at(name, server.base), **more)


def ask(found: Asker, article: ArticleToAsk, phrase: str = PHRASE) -> Asked:
    return found.ask(phrase, article, keep=lambda _, answer: None)


def test_an_answer_is_kept_in_the_transaction_that_ends_its_query(
    engine: Engine, server: SearchServer, article: ArticleToAsk
) -> None:
    kept: list[SearchAnswer] = []

    def fail(session: Any, answer: SearchAnswer) -> None:
        kept.append(answer)
        raise RuntimeError("killed")

    one = asker(engine, planned(server))
    with pytest.raises(RuntimeError, match="killed"):
        one.ask(PHRASE, article, keep=fail)

    assert len(kept) == len(server.asked) == 1
    again = ask(one, article)
    assert (again.queries, again.is_answered, again.unasked) == (0, False, {"one": Unasked.NOT_ENDED})
    assert len(server.asked) == 1  # not paid twice


def test_a_query_is_not_asked_again_within_its_time(
    engine: Engine, server: SearchServer, article: ArticleToAsk
) -> None:
    clock = Clock()
    one = asker(engine, planned(server), clock=clock)

    assert [result.url for result in ask(one, article).results] == ["https://b.example/1"]
    again = ask(one, article)
    assert (again.queries, again.is_answered, again.unasked) == (0, True, {"one": Unasked.ASKED_ALREADY})

    clock.ahead = NOT_AGAIN_WITHIN + timedelta(minutes=1)
    assert ask(one, article).queries == 1
    assert len(server.asked) == 2


def test_a_visit_that_takes_days_is_not_asked_for_the_same_phrase_again(
    engine: Engine, server: SearchServer, article: ArticleToAsk
) -> None:
    clock = Clock()
    one = asker(engine, planned(server), clock=clock)
    due = clock() - timedelta(hours=1)
    ask(one, article)

    clock.ahead = timedelta(days=3)
    again = one.ask(PHRASE, article, due=due, keep=lambda _, answer: None)
    assert again.unasked == {"one": Unasked.ASKED_ALREADY}
    assert one.ask(PHRASE, article, due=clock(), keep=lambda _, answer: None).queries == 1


def test_a_query_of_a_killed_program_is_asked_when_its_time_is_over(
    engine: Engine, server: SearchServer, article: ArticleToAsk
) -> None:
    clock = Clock()
    one = asker(engine, planned(server), clock=clock)
    with transaction(engine) as session:
        queries.book(session, NewQuery("one", PHRASE, article.site_id, article.page_id))

    assert one.end_interrupted() == 0
    clock.ahead = OPEN_AT_MOST + timedelta(minutes=1)
    assert one.end_interrupted() == 1
    assert ask(one, article).unasked == {"one": Unasked.NOT_ENDED}
    clock.ahead = NOT_AGAIN_WITHIN + timedelta(minutes=1)
    assert ask(one, article).is_answered


@pytest.mark.parametrize(
    ("service", "rule", "why", "limit"),
    [
        (Budget(queries_a_day=0), Budget(), Unasked.SERVICE_BUDGET, Limit.QUERIES_A_DAY),
        (Budget(), Budget(queries_a_month=0), Unasked.SITE_BUDGET, Limit.QUERIES_A_MONTH),
        (Budget(money_a_month=0.004), Budget(), Unasked.SERVICE_BUDGET, Limit.MONEY_A_MONTH),
    ],
)
def test_over_budget_nothing_is_sent(
    engine: Engine,
    server: SearchServer,
    article: ArticleToAsk,
    service: Budget,
    rule: Budget,
    why: Unasked,
    limit: Limit,
) -> None:
    one = asker(engine, planned(server, price=0.005, budget=service), rule=SiteRule(budget=rule))

    asked = ask(one, article)

    assert (asked.queries, asked.unasked, asked.limits) == (0, {"one": why}, {"one": limit})
    assert server.asked == []


def test_a_day_later_the_budget_of_the_day_is_there_again(
    engine: Engine, server: SearchServer, article: ArticleToAsk
) -> None:
    clock = Clock()
    one = asker(engine, planned(server, budget=Budget(queries_a_day=2)), clock=clock)

    assert [ask(one, article, f"句子{number}").queries for number in range(4)] == [1, 1, 0, 0]
    clock.ahead = timedelta(days=1)
    assert [ask(one, article, f"句子{number}").queries for number in range(4, 7)] == [1, 1, 1]  # as booked: by the day


def test_many_at_once_stay_within_the_budget(engine: Engine, server: SearchServer, article: ArticleToAsk) -> None:
    one = asker(engine, planned(server, budget=Budget(queries_a_day=3)))
    threads = [threading.Thread(target=ask, args=(one, article, f"句子{number}")) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(server.asked) == 3


def test_without_services_nothing_is_sent(engine: Engine, article: ArticleToAsk) -> None:
    asked = ask(asker(engine), article)
    assert (asked.queries, asked.is_answered, asked.unasked) == (0, False, {})


def test_a_service_that_fails_rests_and_the_next_one_answers(
    engine: Engine, server: SearchServer, other: SearchServer, article: ArticleToAsk
) -> None:
    server.answer = Scripted(429, headers={"Retry-After": "600"})
    clock = Clock()
    both = asker(engine, planned(server), planned(other, "two"), clock=clock)

    first = ask(both, article)
    assert (first.queries, first.is_answered, first.faults["one"].fault) == (2, True, Fault.BUSY)
    second = ask(both, article, "另一个句子")
    assert (second.queries, second.unasked) == (1, {"one": Unasked.RESTING})
    assert (len(server.asked), len(other.asked)) == (1, 2)

    server.says(FOUND)
    clock.ahead = timedelta(seconds=601)
    assert ask(both, article, "第三个句子").queries == 1
    assert (len(server.asked), len(other.asked)) == (2, 2)
    with transaction(engine) as session:
        assert queries.rests(session) == {}


def test_if_all_are_asked_all_answer(
    engine: Engine, server: SearchServer, other: SearchServer, article: ArticleToAsk
) -> None:
    asked = ask(asker(engine, planned(server), planned(other, "two"), asks_all=True), article)

    assert [result.service for result in asked.results] == ["one", "two"]
    assert asked.queries == 2


def test_a_failed_query_is_counted_with_its_fault(engine: Engine, server: SearchServer, article: ArticleToAsk) -> None:
    server.answer = Scripted(200, b"<html>captcha")

    ask(asker(engine, planned(server)), article)

    with transaction(engine) as session:
        assert session.execute(text("SELECT fault, ended_at IS NOT NULL FROM search_query")).all() == [
            ("captcha", True)
        ]


def test_a_service_of_exact_phrases_is_not_asked_for_words(
    engine: Engine, server: SearchServer, article: ArticleToAsk
) -> None:
    crawl = PlannedService(InfiniGram.at("crawl", "v4", url=server.base))

    def ask_words(found: Asker) -> Asked:
        return found.ask("Redis 7.2 河水", article, exact=False, keep=lambda _, answer: None)

    alone, with_another = ask_words(asker(engine, crawl)), ask_words(asker(engine, crawl, planned(server)))

    assert (alone.queries, alone.is_answered, alone.unasked) == (0, True, {"crawl": Unasked.EXACT_ONLY})
    assert (with_another.queries, with_another.is_answered) == (1, True)
    assert [parse_qs(urlsplit(one.target).query)["q"] for one in server.asked] == [["Redis 7.2 河水"]]


def test_queries_to_a_service_that_takes_one_a_second_are_apart(
    engine: Engine, server: SearchServer, article: ArticleToAsk
) -> None:
    one = asker(engine, planned(server, gap_s=0.2))
    began = time.monotonic()
    for number in range(3):
        assert ask(one, article, f"{PHRASE}{number}").is_answered

    assert time.monotonic() - began >= 0.4
