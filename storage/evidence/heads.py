"""Heads that installations countersign for one another: what was heard of others, and what others said of ours."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.evidence.witnesses import PROBLEM_CHARS, pause_after
from storage.models.evidence import CountersignatureRow, HeardHeadRow
from storage.postgres.text import storable
from storage.records.evidence import Head
from storage.records.witnesses import CountersignatureRecord, HeardHead, SignedStatement, WitnessState


@dataclass(frozen=True, slots=True)
class KnownHeads:
    """What is known of a chain. `same`: the head of the number asked for, if one was heard; `highest`: the last one."""

    same: HeardHead | None
    highest: HeardHead | None


def known_heads(session: Session, key_id: bytes, number: int) -> KnownHeads:
    """By the key that signed them. Call it with the chain locked: two requests must not hear two heads at once."""
    of_key = select(HeardHeadRow).where(HeardHeadRow.key_id == key_id)
    same = session.scalar(of_key.where(HeardHeadRow.number == number))
    highest = session.scalar(of_key.order_by(HeardHeadRow.number.desc()).limit(1))
    return KnownHeads(_heard(same), _heard(highest))


def add_heard(session: Session, heard: HeardHead) -> None:
    session.execute(
        insert(HeardHeadRow).values(
            key_id=heard.key_id,
            number=heard.head.number,
            hash=heard.head.hash,
            entry=heard.entry,
            heard_at=heard.heard_at,
            **_columns("statement", heard.statement),
            **_columns("answer", heard.answer),
        )
    )


def all_heard(session: Session) -> list[HeardHead]:
    rows = session.scalars(select(HeardHeadRow).order_by(HeardHeadRow.entry))
    return [one for row in rows if (one := _heard(row)) is not None]


def add_request(session: Session, head: Head, source: str, statement: SignedStatement, now: datetime) -> bool:
    """Has a head of ours countersigned by the installation at `source`. Returns whether that is new."""
    values = {"number": head.number, "hash": head.hash, "source": source, "made_at": now, "next_at": now}
    new = insert(CountersignatureRow).values(**values, state=WitnessState.WAITING, **_columns("statement", statement))
    added = new.on_conflict_do_nothing().returning(CountersignatureRow.id)
    return session.scalar(added) is not None


def due(session: Session, now: datetime, source: str) -> list[CountersignatureRecord]:
    """Requests to send now, oldest head first: a later one would make an earlier one a shorter chain."""
    rows = session.scalars(
        select(CountersignatureRow)
        .where(CountersignatureRow.source == source, CountersignatureRow.next_at <= now)
        .order_by(CountersignatureRow.number)
    )
    return [_record(row) for row in rows]


def newest(session: Session, source: str) -> CountersignatureRecord | None:
    """The request about the highest head of ours."""
    row = session.scalar(
        select(CountersignatureRow)
        .where(CountersignatureRow.source == source)
        .order_by(CountersignatureRow.number.desc())
        .limit(1)
    )
    return None if row is None else _record(row)


def record_answer(session: Session, asked: CountersignatureRecord, answer: SignedStatement, at: datetime) -> None:
    values = {"state": WitnessState.DONE, "attempts": asked.attempts + 1, "next_at": None, "problem": "", "at": at}
    _update(session, asked, {**values, **_columns("answer", answer)})


def record_failure(
    session: Session, asked: CountersignatureRecord, problem: str, now: datetime, *, is_final: bool = False
) -> WitnessState:
    """As `witnesses.record_failure`."""
    attempts = asked.attempts + 1
    pause = None if is_final else pause_after(attempts)
    state = WitnessState.FAILED if pause is None else WitnessState.WAITING
    next_at = None if pause is None else now + pause
    said = storable(problem[:PROBLEM_CHARS])
    _update(session, asked, {"state": state, "attempts": attempts, "next_at": next_at, "problem": said})
    return state


def all_countersignatures(session: Session) -> list[CountersignatureRecord]:
    return [_record(row) for row in session.scalars(select(CountersignatureRow).order_by(CountersignatureRow.number))]


def countersigned_up_to(session: Session) -> int:
    """The number of the last entry that a countersigned head covers; 0 without one."""
    done = CountersignatureRow.state == WitnessState.DONE
    return session.scalar(select(func.max(CountersignatureRow.number)).where(done)) or 0


def first_covering(session: Session, number: int) -> CountersignatureRecord | None:
    """The request about the lowest head that covers this entry of ours: the one that was answered, if one was."""
    row = session.scalar(
        select(CountersignatureRow)
        .where(CountersignatureRow.number >= number)
        .order_by((CountersignatureRow.state == WitnessState.DONE).desc(), CountersignatureRow.number)
        .limit(1)
    )
    return None if row is None else _record(row)


def countersignatures(session: Session, numbers: list[int]) -> list[CountersignatureRecord]:
    rows = session.scalars(
        select(CountersignatureRow).where(CountersignatureRow.number.in_(numbers)).order_by(CountersignatureRow.number)
    )
    return [_record(row) for row in rows]


def _update(session: Session, asked: CountersignatureRecord, values: dict[str, object]) -> None:
    session.execute(update(CountersignatureRow).where(CountersignatureRow.id == asked.id).values(**values))


def _columns(column: str, signed: SignedStatement) -> dict[str, object]:
    before = "" if column == "statement" else f"{column}_"
    return {column: signed.text, f"{before}signature": signed.signature, f"{before}public_key": signed.public_key}


def _heard(row: HeardHeadRow | None) -> HeardHead | None:
    if row is None:
        return None
    return HeardHead(
        bytes(row.key_id),
        Head(row.number, bytes(row.hash)),
        row.entry,
        row.heard_at,
        SignedStatement(row.statement, bytes(row.signature), bytes(row.public_key)),
        SignedStatement(row.answer, bytes(row.answer_signature), bytes(row.answer_public_key)),
    )


def _record(row: CountersignatureRow) -> CountersignatureRecord:
    answer = None
    if row.answer is not None and row.answer_signature is not None and row.answer_public_key is not None:
        answer = SignedStatement(row.answer, bytes(row.answer_signature), bytes(row.answer_public_key))
    return CountersignatureRecord(
        id=row.id,
        head=Head(row.number, bytes(row.hash)),
        source=row.source,
        state=row.state,
        attempts=row.attempts,
        next_at=row.next_at,
        problem=row.problem,
        made_at=row.made_at,
        at=row.at,
        statement=SignedStatement(row.statement, bytes(row.signature), bytes(row.public_key)),
        answer=answer,
    )
