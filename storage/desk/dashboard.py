"""The figures of the overview. Each query is bounded or uses an estimate of Postgres."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final

from sqlalchemy import String, Subquery, and_, case, cast, extract, func, literal, select, union_all
from sqlalchemy.dialects.postgresql import array, insert
from sqlalchemy.orm import Session, aliased

from storage.analytics.row_counts import Amount, amount
from storage.cases.decisions import is_undone
from storage.cases.lists.filters import is_snoozed
from storage.cases.parties import name_behind
from storage.cases.severity import severity_of_case
from storage.models.cases import Case, CaseEvent, CasePage
from storage.models.desk import DeskVisit
from storage.models.matches import PageMatch
from storage.models.pages import Backlog, Page, PageVersion, Text
from storage.models.sites import Owner
from storage.postgres.rows import columns_of, record_of, records_of
from storage.records.case_states import WAITING_STATES
from storage.types import CaseEventKind, CaseQueue, CaseState, Precision

DELAYS_LOOKED_AT: Final = 2_000
"""Newest cases that are read."""
DELAYS_OF_DAYS: Final = 90
"""Cases whose delays are shown were opened within this time."""
WAITING_COUNTED: Final = 100_000
DELAY_STEPS_H: Final = (1, 6, 24, 72, 168)
"""Upper bounds of the delay classes in hours; the last class is open."""


@dataclass(frozen=True, slots=True)
class StoreSize:
    pages: Amount
    texts: Amount
    hits: Amount
    bytes: int


@dataclass(frozen=True, slots=True)
class DayOfDecisions:
    day: date
    confirmed: int
    dismissed: int
    licensed: int


@dataclass(frozen=True, slots=True)
class Delays:
    """Delay from the original to the first copy of each case. `counts`: by class of DELAY_STEPS_H."""

    median_h: float | None
    counts: tuple[int, ...]
    before_ours: int
    """Copies dated before the original."""


def store_size(session: Session) -> StoreSize:
    size = session.scalar(select(func.pg_database_size(func.current_database()))) or 0
    return StoreSize(amount(session, Page), amount(session, Text), amount(session, PageMatch), size)


def backlog_size(session: Session) -> tuple[int, int]:
    """Size of the backlog (counted up to WAITING_COUNTED + 1), and how many of these failed."""
    waiting = select(Backlog.error).limit(WAITING_COUNTED + 1).subquery()
    counts = func.count().label("waiting"), func.count(waiting.c.error).label("failed")
    row = session.execute(select(*counts).select_from(waiting)).one()
    return row.waiting, row.failed


def decisions_by_day(session: Session, since: datetime, time_zone: str) -> list[DayOfDecisions]:
    """Decisions by date, in order; undone ones and dates without any are left out."""
    day = func.date(func.timezone(time_zone, CaseEvent.at)).label("day")
    reached = {
        state: func.count().filter(CaseEvent.to_state == state).label(state.value)
        for state in (CaseState.CONFIRMED, CaseState.DISMISSED, CaseState.LICENSED)
    }
    rows = session.execute(
        select(day, *reached.values())
        .where(CaseEvent.kind == CaseEventKind.MOVED, CaseEvent.at >= since, CaseEvent.actor != "", ~is_undone())
        .group_by(day)
        .order_by(day)
    )
    return records_of(DayOfDecisions, rows)


def delays(session: Session, since: datetime) -> Delays:
    """For the newest cases opened after `since` in which both sides are dated to the day or better."""
    taken = _hours_of_cases(since).c.hours
    after = taken >= 0
    bounds = (0, *DELAY_STEPS_H, None)
    counts = [
        func.count().filter(and_(taken >= low, taken < high) if high is not None else taken >= low)
        for low, high in pairwise(bounds)
    ]
    median = func.percentile_cont(0.5).within_group(taken).filter(after)
    columns = columns_of(Delays, median_h=median, counts=array(counts), before_ours=func.count().filter(~after))
    return record_of(Delays, session.execute(select(*columns)).one())


def cases_by_delay(session: Session, since: datetime, step: int | None, *, limit: int, offset: int = 0) -> list[int]:
    """The cases of one class of delays, newest first. `step` None: copies dated before the original."""
    found = _hours_of_cases(since)
    bounds = (0, *DELAY_STEPS_H, None)
    low, high = (None, 0) if step is None else (bounds[step], bounds[step + 1])
    statement = select(found.c.case_id).order_by(found.c.case_id.desc()).limit(limit).offset(offset)
    if low is not None:
        statement = statement.where(found.c.hours >= low)
    if high is not None:
        statement = statement.where(found.c.hours < high)
    return list(session.scalars(statement))


def _hours_of_cases(since: datetime) -> Subquery:
    """Hours from our article to the first copy of each case."""
    newest = (
        select(Case.id, Case.our_page_id)
        .where(Case.opened_at >= since, Case.queue == CaseQueue.COPIED)
        .order_by(Case.opened_at.desc())
        .limit(DELAYS_LOOKED_AT)
        .subquery()
    )
    ours, theirs = aliased(PageVersion), aliased(PageVersion)
    hours = func.min(extract("epoch", theirs.published_at - ours.published_at) / literal(3_600.0))
    dated = (Precision.SECOND, Precision.MINUTE, Precision.DAY)
    return (
        select(newest.c.id.label("case_id"), hours.label("hours"))
        .select_from(newest)
        .join(CasePage, and_(CasePage.case_id == newest.c.id, CasePage.gone_at.is_(None)))
        .join(ours, and_(ours.page_id == newest.c.our_page_id, ours.text_id == CasePage.our_text_id))
        .join(theirs, and_(theirs.page_id == CasePage.their_page_id, theirs.text_id == CasePage.their_text_id))
        .where(ours.published_precision.in_(dated), theirs.published_precision.in_(dated))
        .group_by(newest.c.id)
        .subquery()
    )


SHOWN_OWNERS: Final = 8


@dataclass(frozen=True, slots=True)
class Waiting:
    by_owner: list[tuple[str, int]]
    """Copiers with their number of cases, most first."""
    by_severity: Mapping[str, int]
    by_credit: Mapping[str, int]


def waiting(session: Session) -> Waiting:
    """Counts the cases that wait for a decision, in one query for all three."""
    waits = (
        select(severity_of_case().label("severity"), Case.credit, Case.other_key, Case.other_owner_id)
        .where(Case.queue == CaseQueue.COPIED, Case.state.in_(WAITING_STATES), ~is_snoozed())
        .cte("waits")
        .prefix_with("MATERIALIZED")
    )
    count = func.count().label("count")
    of_owner = waits.c.other_key, waits.c.other_owner_id
    most = select(*of_owner, count).group_by(*of_owner).order_by(count.desc(), waits.c.other_key).limit(SHOWN_OWNERS)
    owners = most.subquery()
    name = name_behind(Owner.name, owners.c.other_key)
    counted = union_all(
        select(literal("severity").label("by"), waits.c.severity.label("key"), count).group_by(waits.c.severity),
        select(literal("credit"), cast(waits.c.credit, String), count).group_by(waits.c.credit),
        select(literal("owner"), name, owners.c.count).outerjoin(Owner, Owner.id == owners.c.other_owner_id),
    )
    found: dict[str, dict[str, int]] = {"severity": {}, "credit": {}, "owner": {}}
    for by, key, number in session.execute(counted):
        if key is not None:
            found[by][key] = number
    by_owner = sorted(found["owner"].items(), key=lambda item: (-item[1], item[0]))
    return Waiting(by_owner, found["severity"], found["credit"])


SAME_VISIT: Final = timedelta(minutes=30)
"""A shorter break does not end a visit: it must not mark the morning's cases as seen."""


def note_visit(session: Session, account_id: int, now: datetime) -> datetime | None:
    """Records a visit. Returns when the previous one ended; None at the first."""
    is_new = DeskVisit.last_at < now - SAME_VISIT
    statement = insert(DeskVisit).values(account_id=account_id, last_at=now)
    changed = {"previous_at": case((is_new, DeskVisit.last_at), else_=DeskVisit.previous_at), "last_at": now}
    upsert = statement.on_conflict_do_update(index_elements=[DeskVisit.account_id], set_=changed)
    return session.scalars(upsert.returning(DeskVisit.previous_at)).one()
