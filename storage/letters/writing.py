"""Storing a letter, which notes it at every case that it names, and taking it back."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from secrets import token_hex
from typing import Final

from sqlalchemy import and_, exists, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or_not
from sqlalchemy.orm import Session, aliased

from storage.cases import actions, letter_notices
from storage.cases.actions import LETTER, NewNotice
from storage.cases.decisions import last_decisions
from storage.errors import NothingToUndo, NotKnown, TooLate
from storage.letters import consents, statements
from storage.models.correspondence.letters import Letter, LetterCase, LetterDocument
from storage.postgres.text import storable
from storage.records.cases import Actor
from storage.records.correspondence.letters import LetterState, NamedCase, NewLetter

SUBJECT_CHARS: Final = 200


def add_letter(session: Session, new: NewLetter, named: Sequence[NamedCase], *, actor: Actor) -> int:
    """Stores a letter, and notes it at every case that it names: all of them are notified afterwards. Returns its id;
    of a letter that was handed in before, the id that it has, and changes nothing.

    Raises NotKnown, and MoveNotAllowed if a case was moved meanwhile; NotSigned and NotConsented for a notice without
    its statements or the consent that it needs: then the caller rolls back.
    """
    statements.check(new.form, new.signed)
    body = storable(new.body)
    consents.check(session, new.case_id, new.form, body, new.consented)
    letter_id = _inserted(session, new, actor)
    if letter_id is None:
        return session.scalars(select(Letter.id).where(Letter.key == new.key)).one()
    session.execute(
        insert(LetterDocument).values(
            letter_id=letter_id,
            body=body,
            sha256=hashlib.sha256(body.encode()).digest(),
            pdf=new.pdf,
            pdf_sha256=None if new.pdf is None else hashlib.sha256(new.pdf).digest(),
        )
    )
    if new.signed is not None:
        statements.keep(session, letter_id, 1, new.signed, actor=actor)
    notice, together = NewNotice(new.recipient, new.channel, new.sent_at, new.deadline, letter_id), token_hex(8)
    # In the order of their ids, so that two letters at once do not wait for each other.
    for one in sorted(named, key=lambda case: case.case_id):
        session.execute(
            insert(LetterCase).values(
                letter_id=letter_id, case_id=one.case_id, pages=[dict(page) for page in one.pages]
            )
        )
        actions.notify_case(session, one.case_id, notice, expected=one.expected, actor=actor, together=together)
    return letter_id


def _inserted(session: Session, new: NewLetter, actor: Actor) -> int | None:
    mail = new.mail
    values = {
        "key": new.key,
        "case_id": new.case_id,
        "other_key": new.other_key,
        "copier": storable(new.copier),
        "form": new.form,
        "kind": new.kind,
        "follows_id": new.follows_id,
        "language": new.language,
        "subject": storable(new.subject)[:SUBJECT_CHARS],
        "recipient": storable(new.recipient)[: actions.RECIPIENT_CHARS],
        "channel": new.channel,
        "is_mail": mail is not None,
        "mail_channel_id": None if mail is None else mail.channel_id,
        "sender": "" if mail is None else storable(mail.sender),
        "state": LetterState.SENT if mail is None else LetterState.WAITING,
        "dated": new.dated,
        "deadline": new.deadline,
        "made_by_id": actor.account_id,
        "made_by": actor.name,
        "send_at": None if mail is None else mail.send_at,
        "sent_at": new.sent_at if mail is None else None,
    }
    made = insert_or_not(Letter).values(values).on_conflict_do_nothing(index_elements=["key"]).returning(Letter.id)
    return session.scalar(made)


def take_back(session: Session, letter_id: int, *, actor: Actor, at: datetime) -> tuple[list[int], list[int]]:
    """Takes a letter back that did not leave: a mail in the outbox, one that surely was not sent, or one that a person
    marked as sent. Returns the cases that are as before, and those that somebody has continued with since.

    Raises NotKnown; TooLate for a mail that left or may have left, and for a letter that another one follows.
    """
    later = aliased(Letter)
    is_followed = exists().where(later.follows_id == Letter.id, later.state != LetterState.TAKEN_BACK)
    did_not_leave = or_(
        Letter.state.in_((LetterState.WAITING, LetterState.FAILED)),
        and_(Letter.state == LetterState.SENT, ~Letter.is_mail),
    )
    values = {"state": LetterState.TAKEN_BACK, "closed_at": at, "closed_by": actor.name, "sent_at": None}
    taken = update(Letter).where(Letter.id == letter_id, did_not_leave, ~is_followed).values(**values)
    if session.scalar(taken.returning(Letter.id)) is None:
        if session.get(Letter, letter_id) is None:
            raise NotKnown("letter", str(letter_id))
        raise TooLate(letter_id)
    restored: list[int] = []
    left: list[int] = []
    for case_id in case_ids(session, letter_id):
        (restored if _restore(session, case_id, letter_id, actor) else left).append(case_id)
    return restored, left


def case_ids(session: Session, letter_id: int) -> list[int]:
    of_letter = select(LetterCase.case_id).where(LetterCase.letter_id == letter_id)
    return list(session.scalars(of_letter.order_by(LetterCase.case_id)))


def _restore(session: Session, case_id: int, letter_id: int, actor: Actor) -> bool:
    """False if somebody has decided on the case since. The notice goes all the same: nobody was written to."""
    last = last_decisions(session, [case_id]).get(case_id)
    if last is not None and last.details.get(LETTER) == letter_id:
        try:
            actions.undo_decision(session, case_id, last.id, actor=actor)
        except NothingToUndo:
            letter_notices.forget_notice(session, case_id, letter_id, actor=actor)
            return False
        return True
    moved_by_letter = letter_notices.was_moved(session, case_id, letter_id)
    letter_notices.forget_notice(session, case_id, letter_id, actor=actor)
    return not moved_by_letter
