"""The steps of a case in time: published, copied, found, captured, notified, removed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from storage.records.cases import CaseEventRecord, CasePageRecord, CaseRecord, NoticeRecord
from storage.records.pages import PageRecord
from storage.types import CaseState, CopyState, Precision


class StepKind(StrEnum):
    OURS = "ours"
    THEIRS = "theirs"
    FOUND = "found"
    CAPTURED = "captured"
    NOTIFIED = "notified"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Step:
    """`at` None: not yet. `is_sighting`: the page states no date, and `at` is when it was first seen."""

    kind: StepKind
    at: datetime | None
    precision: Precision = Precision.MINUTE
    is_sighting: bool = False


def timeline_of(
    case: CaseRecord,
    our_page: PageRecord,
    page: CasePageRecord | None,
    notices: Sequence[NoticeRecord],
    events: Sequence[CaseEventRecord],
    their_page: PageRecord | None = None,
) -> tuple[Step, ...]:
    """The steps in order: both publications by time, then those of the case, done or not. `page`: the page shown. A
    letter that was not sent is a step only where one may be written.
    """
    published = [_published(StepKind.OURS, our_page)]
    if their_page is not None:
        published.append(_published(StepKind.THEIRS, their_page))
    published.sort(key=lambda step: step.at or case.opened_at)
    captured = None if page is None else page.evidence.at
    notified = min((one.sent_at for one in notices), default=None)
    return (
        *published,
        Step(StepKind.FOUND, case.opened_at),
        Step(StepKind.CAPTURED, captured),
        *([Step(StepKind.NOTIFIED, notified)] if notified or case.accuses else []),
        Step(StepKind.REMOVED, _removed_at(case, page, events)),
    )


def _published(kind: StepKind, page: PageRecord) -> Step:
    declared = page.declared
    if declared.at is None:
        return Step(kind, page.first_seen_at, is_sighting=True)
    precision = Precision.MINUTE if declared.precision is Precision.SECOND else declared.precision
    return Step(kind, declared.at, precision)


def _removed_at(case: CaseRecord, page: CasePageRecord | None, events: Sequence[CaseEventRecord]) -> datetime | None:
    """When the page was found removed, else when somebody said so."""
    if page is not None and page.copy_state is CopyState.REMOVED:
        return page.copy_since
    if page is not None and page.copy_state is None and page.page_gone_at is not None:
        return page.page_gone_at
    if case.state is not CaseState.REMOVED:
        return None
    return next((event.at for event in reversed(events) if event.to_state is CaseState.REMOVED), None)
