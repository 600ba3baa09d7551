"""Delivery of letters by mail: claimed, sent once, and marked, in transactions of their own."""

import logging
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from admin.alerts.orders import LetterAddressing, LetterFile, Order, Outcome
from storage.alerts import channels
from storage.engine import transaction
from storage.jobs import queue
from storage.letters import letterhead, listing, outbox
from storage.records.correspondence.letters import LetterState
from zhiwen.alerts.sender_client import Sender

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from storage.records.correspondence.letters import ClaimedLetter
    from zhiwen.alerts.dispatcher import Sends
    from zhiwen.config.settings import Settings

PDF: Final = "application/pdf"

log = logging.getLogger(__name__)


@dataclass(slots=True)
class LettersDone:
    """Counts of letters. `failed`: not sent, now or for good; `unknown`: nobody knows."""

    sent: int = 0
    failed: int = 0
    unknown: int = 0


def work_off_letters(
    engine: "Engine", settings: "Settings", *, should_stop: Callable[[], bool] = lambda: False
) -> LettersDone:
    """Sends all letters that are due."""
    with Sender(settings) as sender:
        return deliver_letters(engine, sender, should_stop=should_stop)


def deliver_letters(
    engine: "Engine",
    sender: "Sends",
    *,
    now: datetime | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> LettersDone:
    """Sends the letters of the outbox, each at most once. `now`: None is the database's time.

    The claim is committed before anything is sent. A process that dies between sending and marking leaves a claim; the
    letter is unknown when that expires, and is not sent again unless a person says so.
    """
    done = LettersDone()
    with transaction(engine) as session:
        for letter_id in outbox.give_up_claims(session, now or queue.database_time(session)):
            log.warning("whether letter %s was sent is unknown: its sender ended", letter_id)
            done.unknown += 1
    while not should_stop():
        with transaction(engine) as session:
            letter = outbox.claim(session, now or queue.database_time(session))
            order = None if letter is None else _order(session, letter)
        if letter is None or order is None:
            return done
        outcome = sender.send(order)
        with transaction(engine) as session:
            _mark(session, letter, outcome, now or queue.database_time(session), done)
    return done


def _order(session: "Session", letter: "ClaimedLetter") -> Order:
    """Read in the transaction of the claim, in which the channel is known to work."""
    secrets = channels.address_of(session, letter.channel_id)
    document = listing.document(session, letter.id)
    name = f"letter-{letter.id}.pdf"
    files = () if document.pdf is None else (LetterFile(name, PDF, b64encode(document.pdf).decode()),)
    to = LetterAddressing(letter.recipient, letterhead.letterhead(session).mail, files)
    at = letter.made_at.isoformat()
    return Order("mail", secrets.address, secrets.secret, letter.key, at, letter.subject, document.body, {}, letter=to)


def _mark(session: "Session", letter: "ClaimedLetter", outcome: Outcome, now: datetime, done: LettersDone) -> None:
    if outcome.is_sent:
        outbox.mark_sent(session, letter, now)
        channels.note_success(session, letter.channel_id, now)
        done.sent += 1
    elif outcome.is_uncertain:
        outbox.mark_unknown(session, letter, outcome.problem)
        log.warning("whether letter %s was sent is unknown: %s", letter.id, outcome.problem)
        done.unknown += 1
    else:
        state = outbox.mark_failed(session, letter, now, outcome.problem, for_good=outcome.is_permanent)
        channels.note_failure(session, letter.channel_id, now, outcome.problem)
        how = "waits for a person" if state is LetterState.FAILED else "will be tried again"
        log.warning("letter %s was not sent, and %s: %s", letter.id, how, outcome.problem)
        done.failed += 1
