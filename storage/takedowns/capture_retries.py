"""When a failed capture of a page, or a failed record of it in a browser, is tried again, and what is said at the end.

Both have one count and one time: a record is only made of a page that answered, and is tried again with a new capture.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, case, cast, func, null, select, update
from sqlalchemy.orm import Session

from storage.jobs.alert_events import raise_event
from storage.models.evidence import Evidence
from storage.models.operation import CaseCapture
from storage.models.pages import Page
from storage.postgres.text import storable
from storage.records.alerts import AlertKind
from storage.records.evidence import RECORD_NOT_YET, EvidenceKind

RETRY_AFTER: Final = (
    *(timedelta(minutes=15), timedelta(hours=1), timedelta(hours=4)),
    *(timedelta(hours=12), timedelta(hours=24)),
)
"""Pauses after each failed capture."""
MOST_TRIES: Final = len(RETRY_AFTER) + 1
"""After the sixth failure in a row it is not tried again by itself, and an alert is raised."""
PROBLEM_CHARS: Final = 500


CAPTURED, RECORDED = "captured", "recorded in a browser"
_KEYS: Final = {CAPTURED: "capture", RECORDED: "record"}


@dataclass(frozen=True, slots=True)
class Retry:
    """`attempts`: since the last capture that was complete. `next_at`: when it is tried again; None: not by itself."""

    attempts: int = 0
    next_at: datetime | None = None
    is_last: bool = False
    """Whether this failure ended the attempts."""


def retry_of(session: Session, row: CaseCapture | None, *, at: datetime, entry: int, refusal: str | None) -> Retry:
    """What follows a capture. `row`: as it was before.

    An answer without an article, such as a 404, is a response that is kept, and no failure.
    """
    if refusal is None or not _has_no_response(session, entry):
        # A failed record in a browser has yet to succeed.
        return Retry() if row is None or row.picture_problem is None else Retry(row.attempts, row.next_at)
    before = 0 if row is None else row.attempts
    if row is not None and row.entry == entry:
        # No new attempt: a capture that was just made is taken over.
        return Retry(before, row.next_at)
    pauses = RETRY_AFTER[before:]
    return Retry(before + 1, at + pauses[0] if pauses else None, before + 1 == MOST_TRIES)


def report_failure(session: Session, case_id: int, page_id: int, refusal: str) -> None:
    """Raises an alert, at most one per page and day: the page is in several cases."""
    _report(session, case_id, page_id, CAPTURED, refusal)


def _report(session: Session, case_id: int, page_id: int, what: str, why: str) -> None:
    url, now = session.execute(select(Page.url, func.clock_timestamp()).where(Page.id == page_id)).one()
    problem = f"{url} could not be {what} in {MOST_TRIES} attempts ({why}). Try again at case {case_id}."
    key = f"{_KEYS[what]}:{page_id}:{now:%Y-%m-%d}"
    raise_event(session, AlertKind.EVIDENCE_ALARM, key=key, details={"problem": problem})


def begin_picture(session: Session, url: str, *, at: datetime) -> None:
    """Counts an attempt to record the page at `url`, which answered, in a browser, and says when the next one is due.

    Done before the attempt: a page at which the program dies is tried again as often as any other.
    """
    after = case(
        {number: at + pause for number, pause in enumerate(RETRY_AFTER)}, value=CaseCapture.attempts, else_=null()
    )
    counted = {"attempts": CaseCapture.attempts + 1, "next_at": cast(after, CaseCapture.next_at.type)}
    session.execute(update(CaseCapture).where(_of_page(url)).values(picture_problem=RECORD_NOT_YET, **counted))


def record_picture(session: Session, url: str, problem: str | None) -> None:
    """Records why the page at `url` has no complete record in a browser; None: it has. The last failure of the
    attempts that `begin_picture` counted raises an alert.
    """
    if problem is None:
        done = {"picture_problem": None, "attempts": 0, "next_at": None}
        session.execute(update(CaseCapture).where(_of_page(url)).values(**done))
        return
    failed = session.execute(
        update(CaseCapture)
        .where(_of_page(url))
        .values(picture_problem=storable(problem[:PROBLEM_CHARS]))
        .returning(CaseCapture.case_id, CaseCapture.page_id, CaseCapture.attempts)
    ).all()
    ended = [row for row in failed if row.attempts == MOST_TRIES]
    if ended:
        _report(session, ended[0].case_id, ended[0].page_id, RECORDED, problem[:PROBLEM_CHARS])


def ask_again(session: Session, case_ids: Collection[int], *, at: datetime) -> int:
    """Forgets the attempts of pages of these cases whose record in a browser failed: they are due at once. Returns how
    many pages.
    """
    failed = CaseCapture.case_id.in_(list(case_ids)) & CaseCapture.picture_problem.is_not(None)
    again = update(CaseCapture).where(failed).values(attempts=0, next_at=at).returning(CaseCapture.page_id)
    return len(session.scalars(again).all())


def _of_page(url: str) -> ColumnElement[bool]:
    return CaseCapture.page_id.in_(select(Page.id).where(Page.url == storable(url)))


def _has_no_response(session: Session, entry: int) -> bool:
    kind = session.scalar(select(Evidence.kind).where(Evidence.number == entry))
    return kind is EvidenceKind.FAILED
