"""Terms by law around a letter: until when the addressee is to answer, and what runs after an answer. Pure.

What the law names no number of days for has no date here: Chinese services remove and restore “at once”.
"""

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from admin.letters.working_days import CountedDay, WorkCalendar, after_working_days, end_of_term
from storage.records.correspondence.letter_answers import AnswerRecord, NoticeLaw
from storage.records.correspondence.letters import ReplyKind

RESTORED_FROM, RESTORED_UNTIL = 10, 14
"""Business days after the service received the counter-notice: 17 U.S.C. 512(g)(2)(C)."""
COMPLAINT_MONTHS: Final = 6
"""After the decision: Regulation (EU) 2022/2065, Art. 20(1)."""


class TermKind(StrEnum):
    ANSWER = "answer"
    """The term that our letter sets."""
    RESTORED_AT_ONCE = "restored-at-once"
    """信息网络传播权保护条例 Art. 17."""
    RESTORED = "restored"
    """17 U.S.C. 512(g)(2)(C)."""
    COMPLAINT = "complaint"
    """Regulation (EU) 2022/2065 Art. 20."""


class CountedFrom(StrEnum):
    """The day from which a term is counted."""

    LETTER = "letter"
    PROVIDER = "provider"
    """The service received the counter-notice."""
    DATED = "dated"
    """The date of the answer, where the day of its receipt is unknown: no term is shown later than it is."""
    RECEIVED = "received"
    """It reached us; the service had it earlier, so the true days may be earlier."""


@dataclass(frozen=True, slots=True)
class Term:
    """`first` and `last`: the days that it is about; None where the law names none. `is_moved`: the last day was a rest
    day. `is_confirmed`: False beyond the table of holidays.
    """

    kind: TermKind
    first: date | None = None
    last: date | None = None
    counted_from: CountedFrom = CountedFrom.LETTER
    is_moved: bool = False
    is_confirmed: bool = True


def terms_of(until: date | None, law: NoticeLaw, answers: Sequence[AnswerRecord]) -> list[Term]:
    """Return the terms of a letter. `until`: the last day that it names; `law`: under which it was made; `answers`:
    newest first. The newest answer decides what runs now.
    """
    if answers:
        return _after(answers[0])
    return [] if until is None else [_answer(until, law)]


def next_date(terms: Sequence[Term]) -> date | None:
    """The first day of these terms: what a list shows."""
    return min((day for term in terms for day in (term.first or term.last,) if day is not None), default=None)


def _answer(until: date, law: NoticeLaw) -> Term:
    if law is NoticeLaw.DSA:
        return Term(TermKind.ANSWER, last=until)
    calendar = WorkCalendar.UNITED_STATES if law is NoticeLaw.DMCA else WorkCalendar.CHINA
    end = _bounded_end(until, calendar)
    return Term(TermKind.ANSWER, last=end.day, is_moved=end.day != until, is_confirmed=end.is_confirmed)


def _bounded_end(until: date, calendar: WorkCalendar) -> CountedDay:
    try:
        return end_of_term(until, calendar)
    except (ValueError, OverflowError):
        return CountedDay(until, is_confirmed=False)


def _after(answer: AnswerRecord) -> list[Term]:
    if answer.kind is ReplyKind.COUNTER_NOTICE and answer.law is NoticeLaw.CHINA:
        return [Term(TermKind.RESTORED_AT_ONCE)]
    if answer.kind is ReplyKind.COUNTER_NOTICE and answer.law is NoticeLaw.DMCA:
        return [_restored(answer)]
    if answer.kind is ReplyKind.REFUSED and answer.law is NoticeLaw.DSA:
        start = answer.dated or answer.received
        counted = CountedFrom.RECEIVED if answer.dated is None else CountedFrom.DATED
        return [Term(TermKind.COMPLAINT, last=_months_later(start, COMPLAINT_MONTHS), counted_from=counted)]
    return []


def _restored(answer: AnswerRecord) -> Term:
    known = (
        (CountedFrom.PROVIDER, answer.provider_received),
        (CountedFrom.DATED, answer.dated),
        (CountedFrom.RECEIVED, answer.received),
    )
    counted_from, start = next((how, day) for how, day in known if day is not None)
    first = after_working_days(start, RESTORED_FROM, WorkCalendar.UNITED_STATES)
    last = after_working_days(start, RESTORED_UNTIL, WorkCalendar.UNITED_STATES)
    return Term(TermKind.RESTORED, first.day, last.day, counted_from)


def _months_later(day: date, months: int) -> date:
    """The same day of a later month, or that month's last day."""
    year, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + year, month + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))
