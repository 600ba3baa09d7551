"""What became of letters, by addressee and kind: answers, removals and how long they took."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, DateTime, Select, and_, case, cast, exists, func, select
from sqlalchemy.orm import Session

from storage.models.cases import Case, CaseEvent
from storage.models.correspondence.letter_answers import LetterAnswer
from storage.models.correspondence.letters import Letter, LetterCase
from storage.postgres.rows import record_of
from storage.records.correspondence.letters import LetterState, ReplyKind
from storage.types import CaseState

MOST_ROWS: Final = 200
LETTERS_COUNTED: Final = 20_000
"""The newest ones: a query of a page is bounded."""
_NOTICE_KIND: Final = Letter.form
_DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class LetterOutcome:
    """Letters of one kind to one addressee. `removed`: all cases of the letter are taken down; days are medians over
    the letters that have the event, None without one. `answer_days`: until the first answer was received.
    """

    addressee: str
    kind: str
    sent: int
    answered: int
    complied: int
    refused: int
    counter_notices: int
    removed: int
    answer_days: float | None
    removal_days: float | None


def letter_outcomes(session: Session, *, since: datetime | None = None, limit: int = MOST_ROWS) -> list[LetterOutcome]:
    """The outcomes of letters that left, most letters first.

    The addressee is the domain of a mail address, the host of a web address, else the recipient as written.
    """
    one = _letters(since).subquery()
    counts: dict[str, ColumnElement[Any]] = {
        "sent": func.count(),
        "answered": func.count(one.c.answered_on),
        "complied": func.count().filter(one.c.reply_kind == ReplyKind.COMPLIED),
        "refused": func.count().filter(one.c.reply_kind == ReplyKind.REFUSED),
        "counter_notices": func.count().filter(one.c.reply_kind == ReplyKind.COUNTER_NOTICE),
        "removed": func.count(one.c.removed_at),
        "answer_days": _median_days(one.c.answered_on, one.c.sent_at),
        "removal_days": _median_days(one.c.removed_at, one.c.sent_at),
    }
    statement = (
        select(one.c.addressee, one.c.kind, *(count.label(name) for name, count in counts.items()))
        .group_by(one.c.addressee, one.c.kind)
        .order_by(func.count().desc(), one.c.addressee, one.c.kind)
        .limit(limit)
    )
    return [record_of(LetterOutcome, row) for row in session.execute(statement)]


def _letters(since: datetime | None) -> "Select[tuple[object, ...]]":
    """One row for each letter that left: when it was answered first, and when the last of its cases was taken down."""
    left: list[ColumnElement[bool]] = [
        Letter.state.in_((LetterState.SENT, LetterState.UNKNOWN)),
        Letter.sent_at.is_not(None),
    ]
    if since is not None:
        left.append(Letter.sent_at >= since)
    return (
        select(
            _addressee().label("addressee"),
            _NOTICE_KIND.label("kind"),
            Letter.sent_at,
            _first_answer().label("answered_on"),
            Letter.reply_kind,
            case((~_has_standing_case(), _removed_at())).label("removed_at"),
        )
        .where(*left)
        .order_by(Letter.id.desc())
        .limit(LETTERS_COUNTED)
    )


def _first_answer() -> ColumnElement[datetime | None]:
    """The day on which the first answer was received."""
    received = select(func.min(LetterAnswer.received)).where(LetterAnswer.letter_id == Letter.id).scalar_subquery()
    return cast(received, DateTime(timezone=True))


def _addressee() -> ColumnElement[str]:
    recipient = func.lower(func.btrim(Letter.recipient))
    return func.coalesce(
        func.substring(recipient, r"^[^\s@]+@([^\s@]+)$"),
        func.substring(recipient, r"^https?://([^\s/?#]+)"),
        func.left(recipient, 100),
    )


def _has_standing_case() -> ColumnElement[bool]:
    of_letter = and_(LetterCase.letter_id == Letter.id, Case.id == LetterCase.case_id, Case.state != CaseState.REMOVED)
    return exists().where(of_letter)


def _removed_at() -> ColumnElement[datetime]:
    """When the last of its cases became removed after the letter."""
    later = and_(
        LetterCase.letter_id == Letter.id,
        CaseEvent.case_id == LetterCase.case_id,
        CaseEvent.to_state == CaseState.REMOVED,
        CaseEvent.at >= Letter.sent_at,
    )
    return select(func.max(CaseEvent.at)).where(later).scalar_subquery()


def _median_days(end: ColumnElement[datetime], start: ColumnElement[datetime]) -> ColumnElement[float | None]:
    days = func.extract("epoch", end - start) / _DAY_S
    return func.percentile_cont(0.5).within_group(func.greatest(days, 0.0)).filter(end.is_not(None))
