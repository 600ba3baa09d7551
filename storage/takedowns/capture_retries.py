"""When a failed capture of a page is tried again, and what is said when it is not any more."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from storage.jobs.alert_events import raise_event
from storage.models.evidence import Evidence
from storage.models.operation import CaseCapture
from storage.models.pages import Page
from storage.postgres.text import storable
from storage.records.alerts import AlertKind
from storage.records.evidence import EvidenceKind

RETRY_AFTER: Final = (
    *(timedelta(minutes=15), timedelta(hours=1), timedelta(hours=4)),
    *(timedelta(hours=12), timedelta(hours=24)),
)
"""Pauses after each failed capture."""
MOST_TRIES: Final = len(RETRY_AFTER) + 1
"""After the sixth failure in a row it is not tried again by itself, and an alert is raised."""
PROBLEM_CHARS: Final = 500


@dataclass(frozen=True, slots=True)
class Retry:
    """`attempts`: since the last response. `next_at`: when it is tried again; None: not by itself."""

    attempts: int = 0
    next_at: datetime | None = None
    is_last: bool = False
    """Whether this failure ended the attempts."""


def retry_of(session: Session, row: CaseCapture | None, *, at: datetime, entry: int, refusal: str | None) -> Retry:
    """What follows a capture. `row`: as it was before.

    An answer without an article, such as a 404, is a response that is kept, and no failure.
    """
    if refusal is None or not _has_no_response(session, entry):
        return Retry()
    before = 0 if row is None else row.attempts
    if row is not None and row.entry == entry:
        # No new attempt: a capture that was just made is taken over.
        return Retry(before, row.next_at)
    pauses = RETRY_AFTER[before:]
    return Retry(before + 1, at + pauses[0] if pauses else None, before + 1 == MOST_TRIES)


def report_failure(session: Session, case_id: int, page_id: int, refusal: str) -> None:
    """Raises an alert, at most one per page and day: the page is in several cases."""
    url, now = session.execute(select(Page.url, func.clock_timestamp()).where(Page.id == page_id)).one()
    problem = f"{url} could not be captured in {MOST_TRIES} attempts ({refusal}). Try again at case {case_id}."
    key = f"capture:{page_id}:{now:%Y-%m-%d}"
    raise_event(session, AlertKind.EVIDENCE_ALARM, key=key, details={"problem": problem})


def record_picture(session: Session, url: str, problem: str | None) -> None:
    """Records why the page at `url` has no new picture; None: one was taken."""
    of_page = CaseCapture.page_id.in_(select(Page.id).where(Page.url == storable(url)))
    said = None if problem is None else storable(problem[:PROBLEM_CHARS])
    session.execute(update(CaseCapture).where(of_page).values(picture_problem=said))


def _has_no_response(session: Session, entry: int) -> bool:
    kind = session.scalar(select(Evidence.kind).where(Evidence.number == entry))
    return kind is EvidenceKind.FAILED
