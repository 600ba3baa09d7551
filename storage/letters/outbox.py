"""The outbox of letters by mail: claimed by one sender, sent at most once.

A letter to somebody else must not arrive twice. A sender that dies after it has claimed a letter leaves the claim
behind; when that expires, the letter is `unknown`, and a person decides. `storage.alerts.outbox` decides the other way:
an alert must not get lost.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import exists, or_, select, update
from sqlalchemy.orm import Session

from storage.jobs import alert_events
from storage.letters import statements
from storage.models.alerts import AlertChannel
from storage.models.cases import Case, CaseNotice
from storage.models.correspondence.letters import Letter, LetterCase
from storage.postgres.rows import record_of
from storage.postgres.text import storable
from storage.records.alerts import AlertKind
from storage.records.cases import Actor
from storage.records.correspondence.letters import ClaimedLetter, LetterState
from storage.records.correspondence.notices import Signed
from storage.types import CaseState

CLAIM: Final = timedelta(minutes=5)
"""Longer than any sending takes (`zhiwen.alerts.sender_client.DEADLINE_S`)."""
PROBLEM_CHARS: Final = 500
WAITS: Final = tuple(timedelta(minutes=minutes) for minutes in (2, 10, 60, 240))
"""After a server that was away or too busy; then a person decides, while the deadline of the letter still has days."""

CASES_CHANGED: Final = "A case that the letter names was changed after the letter was written."
NOT_SIGNED: Final = "The statements of the notice are not signed."
NO_CHANNEL: Final = "The mail channel was removed or switched off."


def claim(session: Session, now: datetime) -> ClaimedLetter | None:
    """Claims the next letter to send; commit before sending. Letters that may not be sent as they are fail here."""
    due = (Letter.state == LetterState.WAITING, Letter.send_at <= now)
    while True:
        letter = session.scalar(
            select(Letter).where(*due).order_by(Letter.send_at, Letter.id).limit(1).with_for_update(skip_locked=True)
        )
        if letter is None:
            return None
        problem = _obstacle(session, letter)
        if problem:
            letter.state, letter.problem = LetterState.FAILED, problem
            session.flush()
            _tell(session, letter.id, problem)
            continue
        letter.state, letter.claimed_until, letter.attempts = LetterState.SENDING, now + CLAIM, letter.attempts + 1
        session.flush()
        return record_of(ClaimedLetter, letter, channel_id=letter.mail_channel_id)


def _obstacle(session: Session, letter: Letter) -> str:
    """Why it is not sent as it is: a case was dismissed, licensed or settled while it waited, or nothing sends it."""
    is_changed = exists().where(
        LetterCase.letter_id == letter.id, Case.id == LetterCase.case_id, Case.state != CaseState.NOTIFIED
    )
    if session.scalar(select(is_changed)):
        return CASES_CHANGED
    if not statements.is_signed(session, letter.id):
        return NOT_SIGNED
    works = exists().where(AlertChannel.id == letter.mail_channel_id, AlertChannel.enabled)
    return "" if session.scalar(select(works)) else NO_CHANNEL


def mark_sent(session: Session, letter: ClaimedLetter, at: datetime) -> None:
    """The server accepted it, also if the claim expired meanwhile."""
    values = {"state": LetterState.SENT, "sent_at": at, "claimed_until": None, "problem": ""}
    if _mark(session, letter, values):
        session.execute(update(CaseNotice).where(CaseNotice.letter_id == letter.id).values(sent_at=at))


def mark_failed(session: Session, letter: ClaimedLetter, at: datetime, problem: str, *, for_good: bool) -> LetterState:
    """It surely was not sent. Schedules another attempt, unless the server refused it `for_good` or after the last one.

    Returns its new state.
    """
    wait = WAITS[letter.attempts - 1] if letter.attempts <= len(WAITS) and not for_good else None
    values = {
        "state": LetterState.FAILED if wait is None else LetterState.WAITING,
        "send_at": at + (wait or timedelta()),
        "claimed_until": None,
        "problem": _bounded(problem),
    }
    if _mark(session, letter, values) and wait is None:
        _tell(session, letter.id, problem)
    return LetterState.FAILED if wait is None else LetterState.WAITING


def mark_unknown(session: Session, letter: ClaimedLetter, problem: str) -> None:
    """Nobody knows whether the server has it."""
    values = {"state": LetterState.UNKNOWN, "claimed_until": None, "problem": _bounded(problem)}
    if _mark(session, letter, values):
        _tell(session, letter.id, problem)


def _mark(session: Session, letter: ClaimedLetter, values: Mapping[str, object]) -> bool:
    ours = (Letter.id == letter.id, Letter.attempts == letter.attempts)
    is_open = Letter.state.in_((LetterState.SENDING, LetterState.UNKNOWN))
    changed = session.scalar(update(Letter).where(*ours, is_open).values(**values).returning(Letter.id))
    return changed is not None


def give_up_claims(session: Session, now: datetime) -> list[int]:
    """Letters whose sender died while it was sending become unknown. Returns their ids."""
    dead = (Letter.state == LetterState.SENDING, Letter.claimed_until <= now)
    problem = "The sender ended while it was sending."
    values = {"state": LetterState.UNKNOWN, "claimed_until": None, "problem": problem}
    found = list(session.scalars(update(Letter).where(*dead).values(**values).returning(Letter.id)))
    for letter_id in found:
        _tell(session, letter_id, problem)
    return found


def is_due(session: Session, now: datetime) -> bool:
    """Whether there is a letter to send, or a claim of a dead sender."""
    waits = exists().where(Letter.state == LetterState.WAITING, Letter.send_at <= now)
    is_dead = exists().where(Letter.state == LetterState.SENDING, Letter.claimed_until <= now)
    return bool(session.scalar(select(or_(waits, is_dead))))


def send_again(
    session: Session, letter_id: int, send_at: datetime, *, signed: Signed | None = None, actor: Actor | None = None
) -> bool:
    """Puts a letter that failed, or of which nobody knows, into the outbox once more. Returns whether there was one.

    `signed`, by `actor`: the statements of a notice that has some, made once more. Raises NotSigned without them.
    """
    stopped = (Letter.id == letter_id, Letter.state.in_((LetterState.FAILED, LetterState.UNKNOWN)))
    letter = session.scalar(select(Letter).where(*stopped).with_for_update())
    if letter is None:
        return False
    statements.check(letter.form, signed)
    letter.state, letter.send_at, letter.problem = LetterState.WAITING, send_at, ""
    letter.sendings += 1
    session.flush()
    if signed is not None and actor is not None:
        statements.keep(session, letter_id, letter.sendings, signed, actor=actor)
    return True


def note_arrival(session: Session, letter_id: int, at: datetime) -> bool:
    """A person knows that an unknown letter arrived. Returns whether there was one."""
    unknown = (Letter.id == letter_id, Letter.state == LetterState.UNKNOWN)
    values = {"state": LetterState.SENT, "sent_at": at}
    return session.scalar(update(Letter).where(*unknown).values(**values).returning(Letter.id)) is not None


def _tell(session: Session, letter_id: int, problem: str) -> None:
    """Alerts those who look after the installation: people believe that the letter is on its way."""
    details = {"task": "letter", "problem": f"{letter_id}: {problem}"}
    moment = session.scalars(select(Letter.attempts).where(Letter.id == letter_id)).one()
    alert_events.raise_event(session, AlertKind.JOB_SET_ASIDE, key=f"letter:{letter_id}:{moment}", details=details)


def _bounded(problem: str) -> str:
    return storable(problem)[:PROBLEM_CHARS]
