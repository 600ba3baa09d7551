"""What follows a letter: an answer, or its withdrawal."""

from datetime import datetime
from secrets import token_hex
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from storage.cases import actions
from storage.errors import MoveNotAllowed, NotKnown
from storage.letters.answers import add_answer
from storage.letters.writing import case_ids
from storage.models.cases import Case, CaseNotice
from storage.models.correspondence.letters import Letter
from storage.postgres.text import storable
from storage.records.cases import Actor
from storage.records.correspondence.letter_answers import AnswerDates, NewAnswer
from storage.records.correspondence.letters import LetterState, ReplyKind
from storage.types import CaseState

REPLY_CHARS: Final = 10_000
_LEFT: Final = (LetterState.SENT, LetterState.UNKNOWN)
"""What may be answered or withdrawn: it reached somebody, or may have."""


def record_reply(
    session: Session,
    letter_id: int,
    kind: ReplyKind,
    reply: str,
    at: datetime,
    *,
    actor: Actor,
    dates: AnswerDates | None = None,
) -> list[int]:
    """Records the answer to a letter, at the letter and at each of its cases. Returns the cases. All answers are kept;
    lists show the last one. Without `dates` it came on the day of `at`, under no law that sets terms.

    Raises NotKnown if there is no letter that left.
    """
    values = {"reply_kind": kind, "reply": _bounded(reply), "replied_at": at, "state": LetterState.SENT}
    left = (Letter.id == letter_id, Letter.state.in_(_LEFT))
    # Who answers has it.
    sent_at = func.coalesce(Letter.sent_at, Letter.made_at)
    if session.scalar(update(Letter).where(*left).values(**values, sent_at=sent_at).returning(Letter.id)) is None:
        raise NotKnown("letter", str(letter_id))
    add_answer(session, letter_id, NewAnswer(kind, reply, dates or AnswerDates(received=at.date())), by=actor.name)
    of_letter = select(CaseNotice.case_id, CaseNotice.id).where(CaseNotice.letter_id == letter_id)
    noted = session.execute(of_letter.order_by(CaseNotice.case_id)).all()
    for case_id, notice_id in noted:
        actions.record_reply(session, case_id, notice_id, reply, at, actor=actor)
    return [case_id for case_id, _ in noted]


def withdraw(session: Session, letter_id: int, note: str, at: datetime, *, actor: Actor) -> list[int]:
    """Records that a letter which left is withdrawn. Its cases that still wait for the copier are confirmed again, in
    one decision. Returns them. The letter, its text and its notices stay.

    Raises NotKnown if there is no letter that left.
    """
    values = {"state": LetterState.WITHDRAWN, "closed_at": at, "closed_by": actor.name, "closed_note": _bounded(note)}
    left = (Letter.id == letter_id, Letter.state.in_(_LEFT))
    if session.scalar(update(Letter).where(*left).values(**values).returning(Letter.id)) is None:
        raise NotKnown("letter", str(letter_id))
    together, moved = token_hex(8), []
    for case_id in _resting_on(session, letter_id):
        try:
            actions.move_case(
                session,
                case_id,
                CaseState.CONFIRMED,
                expected=CaseState.NOTIFIED,
                actor=actor,
                note=note,
                together=together,
            )
        except MoveNotAllowed:
            continue
        moved.append(case_id)
    return moved


def _resting_on(session: Session, letter_id: int) -> list[int]:
    """Cases that are notified by this letter, and by no later notice."""
    ids = case_ids(session, letter_id)
    newest = (
        select(func.max(CaseNotice.id).label("id"))
        .where(CaseNotice.case_id.in_(ids))
        .group_by(CaseNotice.case_id)
        .subquery()
    )
    found = (
        select(Case.id)
        .join(CaseNotice, CaseNotice.case_id == Case.id)
        .join(newest, newest.c.id == CaseNotice.id)
        .where(CaseNotice.letter_id == letter_id, Case.state == CaseState.NOTIFIED)
        .order_by(Case.id)
    )
    return list(session.scalars(found))


def _bounded(said: str) -> str:
    return storable(said[:REPLY_CHARS])
