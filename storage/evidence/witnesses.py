"""Witnesses of lists of files: which are to be asked, what they answered, and when they are asked again."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import case, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session, aliased

from storage.models.evidence import CountersignatureRow, FileListRow, WitnessRow
from storage.models.operation import CaseCapture
from storage.postgres.rows import records_of
from storage.postgres.text import storable
from storage.records.witnesses import (
    CAPTURE,
    COUNTERSIGNATURE,
    WitnessAnswer,
    WitnessCount,
    WitnessKind,
    WitnessRecord,
    WitnessState,
)

FIRST_PAUSE: Final = timedelta(minutes=5)
LONGEST_PAUSE: Final = timedelta(hours=12)
MOST_ATTEMPTS: Final = 10
"""With these pauses, an authority that is away for two days is still asked."""
PENDING_PAUSE: Final = timedelta(hours=1)
LONGEST_PENDING_PAUSE: Final = timedelta(hours=24)
MOST_UPGRADES: Final = 30
"""Four weeks. A calendar commits to a block within hours."""
PROBLEM_CHARS: Final = 500
MOST_AT_ONCE: Final = 50


def pause_after(attempts: int, *, is_pending: bool = False) -> timedelta | None:
    """How long a witness is left alone after so many attempts, one at least; None: it is not asked again.

    >>> [str(pause_after(attempts)) for attempts in (1, 2, 9, 10)]
    ['0:05:00', '0:10:00', '12:00:00', 'None']
    """
    first, longest = (PENDING_PAUSE, LONGEST_PENDING_PAUSE) if is_pending else (FIRST_PAUSE, LONGEST_PAUSE)
    if attempts >= (MOST_UPGRADES if is_pending else MOST_ATTEMPTS):
        return None
    return min(first * (1 << min(attempts - 1, 16)), longest)


def add_missing(session: Session, kind: WitnessKind, source: str, now: datetime, *, since: datetime | None) -> int:
    """Has this witness asked about each list that it was not asked about. Returns how many.

    `since`: lists made then or later; None: all. A witness that was set up later also confirms what was there before:
    late is better than never.
    """
    known = select(WitnessRow.list_id).where(WitnessRow.kind == kind, WitnessRow.source == source)
    missing = select(FileListRow.id).where(FileListRow.id.not_in(known))
    if since is not None:
        missing = missing.where(FileListRow.made_at >= since)
    values = {"kind": kind, "source": source, "state": WitnessState.WAITING, "next_at": now}
    rows = [{"list_id": number, **values} for number in session.scalars(missing)]
    if rows:
        session.execute(insert(WitnessRow).on_conflict_do_nothing(), rows)
    return len(rows)


def due(session: Session, now: datetime, sources: Collection[str]) -> list[WitnessRecord]:
    """Witnesses to ask now, of those that are set up, in order of their turn."""
    rows = session.scalars(
        select(WitnessRow)
        .where(WitnessRow.next_at <= now, WitnessRow.source.in_(list(sources)))
        .order_by(WitnessRow.next_at, WitnessRow.id)
        .limit(MOST_AT_ONCE)
    )
    return records_of(WitnessRecord, rows)


def record_answer(session: Session, asked: WitnessRecord, got: WitnessAnswer, now: datetime) -> WitnessState:
    """Stores an answer. A promise is asked about again, until it was too often. Returns the new state."""
    if got.state is not WitnessState.PENDING:
        _store(session, asked, got, state=got.state, attempts=asked.attempts + 1, next_at=None, problem="")
        return got.state
    # Attempts to submit it do not count as attempts to complete it.
    attempts = asked.attempts + 1 if asked.state is WitnessState.PENDING else 1
    pause = pause_after(attempts, is_pending=True)
    state = WitnessState.FAILED if pause is None else WitnessState.PENDING
    problem = "" if pause else f"{asked.source} promised to commit to it, and has not after {attempts} requests."
    _store(session, asked, got, state=state, attempts=attempts, next_at=now + pause if pause else None, problem=problem)
    return state


def record_failure(
    session: Session, asked: WitnessRecord, problem: str, now: datetime, *, is_final: bool = False
) -> WitnessState:
    """Records that a witness did not answer; it is asked again after a pause, and not after too many attempts.

    `is_final`: it is not asked again. Returns the new state: what a calendar promised stays a promise.
    """
    attempts = asked.attempts + 1
    pause = None if is_final else pause_after(attempts, is_pending=asked.state is WitnessState.PENDING)
    state = WitnessState.FAILED if pause is None else asked.state
    values = {
        "state": state,
        "attempts": attempts,
        "next_at": None if pause is None else now + pause,
        "problem": storable(problem[:PROBLEM_CHARS]),
    }
    session.execute(update(WitnessRow).where(WitnessRow.id == asked.id).values(**values))
    return state


def ask_again(session: Session, now: datetime) -> int:
    """Has all failed witnesses asked again from the beginning. Returns how many.

    A head below one that was countersigned is not: its witness would rightly call that a shorter chain.
    """
    values = {"attempts": 0, "next_at": now, "problem": ""}
    promised = case((WitnessRow.proof.is_not(None), WitnessState.PENDING), else_=WitnessState.WAITING)
    of_lists = update(WitnessRow).where(WitnessRow.state == WitnessState.FAILED).values(**values, state=promised)
    done = aliased(CountersignatureRow)
    is_below = exists().where(
        done.source == CountersignatureRow.source,
        done.state == WitnessState.DONE,
        done.number >= CountersignatureRow.number,
    )
    failed = CountersignatureRow.state == WitnessState.FAILED
    of_heads = update(CountersignatureRow).where(failed, ~is_below).values(**values, state=WitnessState.WAITING)
    again = session.scalars(of_lists.returning(WitnessRow.id)).all()
    return len(again) + len(session.scalars(of_heads.returning(CountersignatureRow.id)).all())


def witnesses_of_lists(session: Session, list_ids: Collection[int]) -> list[WitnessRecord]:
    rows = session.scalars(
        select(WitnessRow).where(WitnessRow.list_id.in_(list(list_ids))).order_by(WitnessRow.list_id, WitnessRow.id)
    )
    return records_of(WitnessRecord, rows)


def all_witnesses(session: Session) -> list[WitnessRecord]:
    return records_of(WitnessRecord, session.scalars(select(WitnessRow).order_by(WitnessRow.id)))


def counts(session: Session) -> list[WitnessCount]:
    """Witnesses and failed captures by kind and state; a kind of which there is none is not in it."""
    of_lists = session.execute(
        select(WitnessRow.kind, WitnessRow.state, func.count()).group_by(WitnessRow.kind, WitnessRow.state)
    )
    found = [WitnessCount(kind.value, state, count) for kind, state, count in of_lists]
    of_heads = session.execute(select(CountersignatureRow.state, func.count()).group_by(CountersignatureRow.state))
    found += [WitnessCount(COUNTERSIGNATURE, state, count) for state, count in of_heads]
    is_again = CaseCapture.next_at.is_not(None)
    of_captures = session.execute(
        select(is_again, func.count()).where(or_(is_again, CaseCapture.attempts > 0)).group_by(is_again)
    )
    states = {True: WitnessState.WAITING, False: WitnessState.FAILED}
    found += [WitnessCount(CAPTURE, states[again], count) for again, count in of_captures]
    return sorted(found, key=lambda one: (one.kind, one.state))


def _store(
    session: Session,
    asked: WitnessRecord,
    got: WitnessAnswer,
    *,
    state: WitnessState,
    attempts: int,
    next_at: datetime | None,
    problem: str,
) -> None:
    said = {name: getattr(got, name) for name in ("at", "request", "proof", "certificates", "height", "merkle_root")}
    values = said | {"state": state, "attempts": attempts, "next_at": next_at, "problem": problem}
    session.execute(update(WitnessRow).where(WitnessRow.id == asked.id).values(**values))
