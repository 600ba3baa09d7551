"""One query to try a service: booked, within the budget, and in spite of a rest."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine

from admin.web.search_desk import TriedOut
from crawler.web_search.budget import Budget, Limit
from crawler.web_search.searxng import SearXNG
from crawler.web_search.service import Fault
from storage.engine import transaction
from storage.records.web_search import QueryFilter, RestRecord
from storage.web_search import lists, queries
from tests.support.web_search.search_server import Scripted, SearchServer, search_server
from zhiwen.web_search.plan import PlannedService
from zhiwen.web_search.trying import try_out

PHRASE = "不识庐山真面目"


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        found.says({"results": [{"url": "https://b.example/1", "title": "T", "content": "s"}, {"url": "x"}]})
        yield found


def tried(engine: Engine, server: SearchServer, budget: Budget = Budget()) -> TriedOut:  # noqa: B008  # frozen
    planned = PlannedService(SearXNG.at("one", server.base), price=0.5, budget=budget)
    return try_out(engine, planned, PHRASE, zone=UTC)


def test_a_query_is_booked_and_its_results_are_shown_and_not_saved(engine: Engine, server: SearchServer) -> None:
    found = tried(engine, server)

    assert ([one.url for one in found.results], found.unusable, found.fault) == (["https://b.example/1"], 1, None)
    with transaction(engine) as session:
        (query,) = lists.list_queries(session, QueryFilter(), limit=9)
        assert (query.service, query.page_id, query.price, query.results) == ("one", None, 0.5, 1)
        # A visit that has the same phrase asks for itself.
        assert not queries.was_answered(session, "one", PHRASE, datetime(2020, 1, 1, tzinfo=UTC))
        assert lists.discovery_totals(session).finds == {}


def test_an_answer_ends_the_rest_and_a_failure_prolongs_it(engine: Engine, server: SearchServer) -> None:
    with transaction(engine) as session:
        queries.keep_rest(session, RestRecord("one", 2, datetime.now(UTC) + timedelta(hours=1), "busy", "…"))
    server.answer, good = Scripted(status=403), server.answer

    failed = tried(engine, server)
    assert failed.fault is Fault.KEY_REFUSED
    assert "one" in failed.problem
    with transaction(engine) as session:
        assert queries.rests(session)["one"].failures == 3

    server.answer = good
    assert tried(engine, server).results
    with transaction(engine) as session:
        assert queries.rests(session) == {}


def test_a_budget_that_is_used_up_sends_nothing(engine: Engine, server: SearchServer) -> None:
    assert tried(engine, server, Budget(queries_a_day=0)).limit is Limit.QUERIES_A_DAY
    assert tried(engine, server, Budget(money_a_month=0.4)).limit is Limit.MONEY_A_MONTH
    assert tried(engine, server, Budget(queries_a_month=1)).limit is None
    assert tried(engine, server, Budget(queries_a_month=1)).limit is Limit.QUERIES_A_MONTH
    assert len(server.asked) == 1
