"""Queries to search services: booked once, counted whatever becomes of them."""

import threading
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from storage.engine import transaction
from storage.records.web_search import NewQuery, RestRecord, SpentRecord
from storage.web_search import queries
from tests.support.factories import a_site

DAY = datetime(2020, 3, 2, tzinfo=UTC)
LONG_AGO = DAY - timedelta(days=400)


def test_what_is_booked_is_spent_by_site_and_service_answered_or_not(session: Session) -> None:
    ours = a_site(session, "ours")
    for service, site in (("a", ours.id), ("a", ours.id), ("b", ours.id), ("b", None)):
        queries.book(session, NewQuery(service, f"{service}{site}", site, None, price=0.005))

    def spent(**where: object) -> tuple[int, float]:
        found = queries.spent(session, day=DAY, month=LONG_AGO, **where)  # type: ignore[arg-type]
        assert found.queries_today == found.queries_this_month
        return found.queries_today, round(found.money_this_month, 6)

    assert spent() == (4, 0.02)
    assert spent(site_id=ours.id) == (3, 0.015)
    assert spent(service="a") == (2, 0.01)
    later = datetime.now(UTC) + timedelta(days=1)
    assert queries.spent(session, day=later, month=later) == SpentRecord(0, 0, 0.0)
    assert queries.spent(session, day=later, month=DAY).queries_this_month == 4


def test_a_removed_site_keeps_its_spending(session: Session) -> None:
    from storage.sites import sites  # noqa: PLC0415  # only here

    ours = a_site(session, "ours")
    queries.book(session, NewQuery("a", "x", ours.id, None, price=1))
    sites.remove_site(session, ours.name)

    assert queries.spent(session, day=DAY, month=DAY) == SpentRecord(1, 1, 1.0)


def test_a_query_is_known_from_its_booking_on(session: Session) -> None:
    number = queries.book(session, NewQuery("a", "河水", None, None))

    assert queries.is_unsettled(session, "a", "河水", DAY, "interrupted")
    assert not queries.is_unsettled(session, "b", "河水", DAY, "interrupted")
    assert not queries.was_answered(session, "a", "河水", DAY)

    queries.end_answered(session, number, results=3, beyond=1)
    assert queries.was_answered(session, "a", "河水", DAY)
    assert not queries.is_unsettled(session, "a", "河水", DAY, "interrupted")
    assert not queries.was_answered(session, "a", "河水", datetime.now(UTC) + timedelta(hours=1))


def test_a_query_of_a_killed_program_is_ended_and_stays_spent(session: Session) -> None:
    queries.book(session, NewQuery("a", "x", None, None))
    assert queries.end_interrupted(session, DAY, "interrupted") == 0  # booked later: perhaps under way
    now = datetime.now(UTC) + timedelta(minutes=1)
    assert queries.end_interrupted(session, now, "interrupted") == 1
    assert queries.end_interrupted(session, now, "interrupted") == 0

    assert queries.spent(session, day=DAY, month=DAY).queries_today == 1
    assert not queries.was_answered(session, "a", "x", DAY)


def test_an_answer_ends_the_rest_of_its_service(session: Session) -> None:
    rest = RestRecord("a", 2, DAY, "busy", "The search service a is busy.")
    queries.keep_rest(session, RestRecord("a", 1, DAY, "unreachable", "\x00"))
    queries.keep_rest(session, rest)
    assert queries.rests(session) == {"a": rest}

    failed = queries.book(session, NewQuery("a", "x", None, None))
    queries.end_failed(session, failed, "busy")
    assert queries.rests(session) == {"a": rest}

    queries.end_answered(session, queries.book(session, NewQuery("a", "y", None, None)), results=0)
    assert queries.rests(session) == {}


def test_of_many_at_once_only_one_takes_the_last_query(engine: Engine) -> None:
    taken: list[int] = []

    def take() -> None:
        with transaction(engine) as session:
            queries.hold_bookings(session)
            if queries.spent(session, day=DAY, month=DAY, service="a").queries_today < 3:
                taken.append(queries.book(session, NewQuery("a", "x", None, None)))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(taken) == 3
