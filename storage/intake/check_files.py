"""Files that are checked together by the worker: queued with their bytes, taken one at a time, with their state."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session

from storage.intake.check_records import CheckedResult, CheckedText
from storage.intake.text_checks import NAME_CHARS, new_key, result_values, text_values
from storage.jobs import queue
from storage.models.submissions import CheckFile, TextCheck
from storage.postgres.text import storable
from storage.types import CheckState

MOST_ATTEMPTS: Final = 2
"""A file whose worker died as often is not read again: most likely it was the cause."""
MOST_WAITING: Final = 200
"""Files of one person that may wait at the same time."""

PRIORITY: Final = 6
"""A person waits for it; after captures and alerts."""

_OPEN: Final = (CheckState.QUEUED, CheckState.RUNNING)


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A file as it was handed in. `problem`: code of what is wrong with it; then it is not queued."""

    name: str
    data: bytes
    problem: str = ""


@dataclass(frozen=True, slots=True)
class QueuedFile:
    """A file to check."""

    id: int
    data: bytes
    text: CheckedText


def queue_files(
    session: Session, files: Sequence[HandedIn], asked: CheckedText, *, account_id: int, expires_at: datetime
) -> str:
    """Queue files with the settings of `asked`, whose text is empty. Returns the key of the batch."""
    batch = new_key()
    common = text_values(asked) | {"batch": batch, "account_id": account_id, "expires_at": expires_at}
    rows = [
        common
        | {
            "key": new_key(),
            "file_name": storable(one.name)[-NAME_CHARS:],
            "problem": one.problem,
            "state": CheckState.FAILED if one.problem else CheckState.QUEUED,
        }
        for one in files
    ]
    ids = session.scalars(insert(TextCheck).returning(TextCheck.id, sort_by_parameter_order=True), rows).all()
    waiting = [
        {"check_id": number, "data": one.data} for number, one in zip(ids, files, strict=True) if not one.problem
    ]
    if waiting:
        session.execute(insert(CheckFile), waiting)
        queue.defer_once(session, queue.CHECK, priority=PRIORITY)
    return batch


def count_waiting(session: Session, *, account_id: int) -> int:
    wanted = select(func.count()).where(TextCheck.account_id == account_id, TextCheck.state.in_(_OPEN))
    return session.scalar(wanted) or 0


def are_waiting(session: Session) -> bool:
    """Whether files wait, of whomever."""
    wanted = select(TextCheck.id).where(TextCheck.state == CheckState.QUEUED, TextCheck.expires_at > func.now())
    return session.scalar(wanted.limit(1)) is not None


def give_back_unfinished(session: Session) -> None:
    """Queue files whose worker died. Only one job takes files, so whatever is running was left behind."""
    left = TextCheck.state == CheckState.RUNNING
    session.execute(update(TextCheck).where(left).values(state=CheckState.QUEUED))


def take_file(session: Session) -> QueuedFile | None:
    """Mark the oldest queued file as running, and return it; None if none waits."""
    wanted = (
        select(TextCheck, CheckFile.data)
        .join(CheckFile, CheckFile.check_id == TextCheck.id)
        .where(TextCheck.state == CheckState.QUEUED, TextCheck.expires_at > func.now())
        .order_by(TextCheck.id)
        .limit(1)
        .with_for_update(of=TextCheck, skip_locked=True)
    )
    row = session.execute(wanted).one_or_none()
    if row is None:
        return None
    check: TextCheck = row[0]
    check.state, check.attempts = CheckState.RUNNING, check.attempts + 1
    session.flush()
    text = CheckedText(
        "", check.title, check.author, check.url, collection=check.collection, by_meaning=check.by_meaning
    )
    return QueuedFile(check.id, bytes(row[1]), text)


def is_worn_out(session: Session, check_id: int) -> bool:
    """Whether the file was taken too often."""
    return (session.scalar(select(TextCheck.attempts).where(TextCheck.id == check_id)) or 0) > MOST_ATTEMPTS


def finish_file(session: Session, check_id: int, text: CheckedText, result: CheckedResult) -> None:
    """Store the result and delete the file. Does nothing if the person deleted the check meanwhile."""
    values = text_values(text) | result_values(text.body, result)
    session.execute(update(TextCheck).where(TextCheck.id == check_id).values(values))
    session.execute(delete(CheckFile).where(CheckFile.check_id == check_id))


def fail_file(session: Session, check_id: int, problem: str) -> None:
    """Record what is wrong with the file, and delete it."""
    failed = {"state": CheckState.FAILED, "problem": problem, "checked_at": func.now()}
    session.execute(update(TextCheck).where(TextCheck.id == check_id).values(failed))
    session.execute(delete(CheckFile).where(CheckFile.check_id == check_id))
