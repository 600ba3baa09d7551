"""Answers to letters as they came, with their dates."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.models.correspondence.letter_answers import LetterAnswer
from storage.postgres.rows import record_of, records_of
from storage.postgres.text import storable
from storage.postgres.writes import values_of
from storage.records.correspondence.letter_answers import AnswerRecord, NewAnswer

WORDS_CHARS: Final = 10_000


def add_answer(session: Session, letter_id: int, answer: NewAnswer, *, by: str) -> None:
    """Keeps an answer. The letter must exist; `follow_up.record_reply` has looked."""
    own = {"letter_id": letter_id, "kind": answer.kind, "words": storable(answer.words[:WORDS_CHARS]), "noted_by": by}
    session.add(LetterAnswer(**values_of(LetterAnswer, answer.dates, **own)))
    session.flush()


def answers_of(session: Session, letter_id: int) -> list[AnswerRecord]:
    """The answers to a letter, newest first."""
    found = select(LetterAnswer).where(LetterAnswer.letter_id == letter_id)
    return records_of(AnswerRecord, session.scalars(found.order_by(LetterAnswer.id.desc())))


def answers_of_letters(session: Session, letter_ids: Collection[int]) -> dict[int, list[AnswerRecord]]:
    """The answers to each of these letters that has any, newest first."""
    of_letters = LetterAnswer.letter_id.in_(list(letter_ids))
    found: dict[int, list[AnswerRecord]] = {}
    for row in session.scalars(select(LetterAnswer).where(of_letters).order_by(LetterAnswer.id.desc())):
        found.setdefault(row.letter_id, []).append(record_of(AnswerRecord, row))
    return found


def newest_answers(session: Session, letter_ids: Collection[int]) -> dict[int, AnswerRecord]:
    """The newest answer to each of these letters that has one."""
    of_letters = LetterAnswer.letter_id.in_(list(letter_ids))
    newest = select(func.max(LetterAnswer.id)).where(of_letters).group_by(LetterAnswer.letter_id)
    found = session.scalars(select(LetterAnswer).where(LetterAnswer.id.in_(newest)))
    return {row.letter_id: record_of(AnswerRecord, row) for row in found}
