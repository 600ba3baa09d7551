"""Asks one service for one phrase because a person wants to see what it answers."""

from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from admin.web.search_desk import TriedOut
from crawler.web_search.budget import Spent, reached_limit, rest_after
from crawler.web_search.service import ServiceFailed
from storage.engine import transaction
from storage.records.web_search import NewQuery, RestRecord
from storage.web_search import queries

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from crawler.web_search.budget import Limit
    from zhiwen.web_search.plan import PlannedService


def try_out(engine: "Engine", planned: "PlannedService", phrase: str, *, zone: tzinfo) -> TriedOut:
    """Ask a service for a phrase, within its budget, and return what it answers; nothing of that is stored.

    Booked before it is sent, like every query. A rest does not hold it back: it shows whether a mended service works
    again, and an answer ends the rest.
    """
    with transaction(engine) as session:
        queries.hold_bookings(session)
        limit = _limit(session, planned, zone)
        if limit is not None:
            return TriedOut(limit=limit)
        # In quotation marks, which no phrase of an article has: its answer is shown and not saved, so that a visit that
        # has the same phrase must not take it for answered.
        booked = queries.book(session, NewQuery(planned.name, f"“{phrase}”", None, None, planned.price))
    try:
        answer = planned.service.search(phrase, "", None)
    except ServiceFailed as failure:
        with transaction(engine) as session:
            _fail(session, planned, booked, failure)
        return TriedOut(fault=failure.fault, problem=str(failure))
    with transaction(engine) as session:
        counts = {"unusable": answer.unusable, "beyond": answer.beyond}
        queries.end_answered(session, booked, results=len(answer.results), **counts)
    return TriedOut(answer.results, answer.unusable, answer.beyond)


def _limit(session: "Session", planned: "PlannedService", zone: tzinfo) -> "Limit | None":
    day = datetime.now(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    spent = queries.spent(session, day=day, month=day.replace(day=1), service=planned.name)
    so_far = Spent(spent.queries_today, spent.queries_this_month, spent.money_this_month)
    return reached_limit(planned.budget, so_far, planned.price)


def _fail(session: "Session", planned: "PlannedService", query_id: int, failure: ServiceFailed) -> None:
    queries.end_failed(session, query_id, failure.fault)
    before = queries.rests(session).get(planned.name)
    failures = (0 if before is None else before.failures) + 1
    until = datetime.now(UTC) + rest_after(failure.fault, failures, failure.retry_after_s)
    queries.keep_rest(session, RestRecord(planned.name, failures, until, failure.fault, str(failure)))
