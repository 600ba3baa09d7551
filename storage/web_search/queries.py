"""Queries to search services: booked before they are sent, and counted whether or not an answer came."""

from datetime import datetime
from typing import Final

from sqlalchemy import Select, delete, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.web_search import SearchQuery, SearchRest
from storage.postgres.rows import columns_of, record_of, records_of
from storage.postgres.text import storable
from storage.records.web_search import NewQuery, RestRecord, SpentRecord

_BOOKING: Final = text("SELECT pg_advisory_xact_lock(hashtext('zhiwen search bookings'), 0)")


def hold_bookings(session: Session) -> None:
    """Keep all others from booking until the transaction ends: two of them may not both take the last query."""
    session.execute(_BOOKING)


def spent(
    session: Session, *, day: datetime, month: datetime, site_id: int | None = None, service: str | None = None
) -> SpentRecord:
    """Return what was booked since `day` and `month` began: in all, for a site, or at a service."""
    statement = _booked(day=day, month=month)
    if site_id is not None:
        statement = statement.where(SearchQuery.site_id == site_id)
    if service is not None:
        statement = statement.where(SearchQuery.service == storable(service))
    return record_of(SpentRecord, session.execute(statement).one())


def spent_by_service(session: Session, *, day: datetime, month: datetime) -> dict[str, SpentRecord]:
    """Return what was booked since `day` and `month` began, by the name of the service."""
    rows = session.execute(_booked(day=day, month=month).add_columns(SearchQuery.service).group_by(SearchQuery.service))
    return {row.service: record_of(SpentRecord, row) for row in rows}


def _booked(*, day: datetime, month: datetime) -> Select[int, int, float]:
    return select(
        func.count().filter(SearchQuery.booked_at >= day).label("queries_today"),
        func.count().label("queries_this_month"),
        func.coalesce(func.sum(SearchQuery.price), 0.0).label("money_this_month"),
    ).where(SearchQuery.booked_at >= month)


def was_answered(session: Session, service: str, phrase: str, since: datetime) -> bool:
    """Return whether the service answered a query for the phrase that was booked at `since` or later."""
    answered = select(SearchQuery.id).where(
        SearchQuery.service == storable(service),
        SearchQuery.phrase == storable(phrase),
        SearchQuery.booked_at >= since,
        SearchQuery.ended_at.is_not(None),
        SearchQuery.fault.is_(None),
    )
    return session.scalar(answered.limit(1)) is not None


def is_unsettled(session: Session, service: str, phrase: str, since: datetime, interrupted: str) -> bool:
    """Return whether a query for the phrase, booked at `since` or later, has no end, or ended as `interrupted`: the
    service may have answered and counted it.
    """
    unsettled = select(SearchQuery.id).where(
        SearchQuery.service == storable(service),
        SearchQuery.phrase == storable(phrase),
        SearchQuery.booked_at >= since,
        or_(SearchQuery.ended_at.is_(None), SearchQuery.fault == interrupted),
    )
    return session.scalar(unsettled.limit(1)) is not None


def book(session: Session, query: NewQuery) -> int:
    """Book a query, and return its id. Commit before it is sent. Call `hold_bookings` and check the budget first."""
    row = SearchQuery(
        service=storable(query.service),
        phrase=storable(query.phrase),
        site_id=query.site_id,
        page_id=query.page_id,
        price=query.price,
    )
    session.add(row)
    session.flush()
    return row.id


def end_answered(session: Session, query_id: int, *, results: int, unusable: int = 0, beyond: int = 0) -> None:
    """Record that a query was answered, and how many results came. Its service has no rest any more."""
    ended = update(SearchQuery).where(SearchQuery.id == query_id).returning(SearchQuery.service)
    counts = {"results": results, "unusable": unusable, "beyond": beyond}
    service = session.scalar(ended.values(ended_at=func.clock_timestamp(), **counts))
    session.execute(delete(SearchRest).where(SearchRest.service == service))


def end_failed(session: Session, query_id: int, fault: str) -> None:
    """Record that a query brought no results, and why. It stays booked: the service may have counted it."""
    ended = update(SearchQuery).where(SearchQuery.id == query_id)
    session.execute(ended.values(ended_at=func.clock_timestamp(), fault=fault))


def end_interrupted(session: Session, before: datetime, fault: str) -> int:
    """End queries booked before a time that nobody has ended: their program was killed. Returns their number."""
    left = update(SearchQuery).where(SearchQuery.ended_at.is_(None), SearchQuery.booked_at < before)
    return len(
        session.scalars(left.values(ended_at=func.clock_timestamp(), fault=fault).returning(SearchQuery.id)).all()
    )


def rests(session: Session) -> dict[str, RestRecord]:
    """Return the services that failed last, by name; the rest of some may be over."""
    rows = session.execute(select(*columns_of(RestRecord, SearchRest)))
    return {one.service: one for one in records_of(RestRecord, rows)}


def keep_rest(session: Session, rest: RestRecord) -> None:
    """Save the rest of a service, replacing an earlier one."""
    values = {
        "failures": rest.failures,
        "until": rest.until,
        "fault": rest.fault,
        "problem": storable(rest.problem),
    }
    statement = insert(SearchRest).values(service=storable(rest.service), **values)
    session.execute(statement.on_conflict_do_update(index_elements=[SearchRest.service], set_=values))


def end_rest(session: Session, service: str) -> None:
    """Let a service be asked again at once."""
    session.execute(delete(SearchRest).where(SearchRest.service == storable(service)))
