"""Which cases to list, and in which order."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from storage.types import CaseQueue, CaseState, Credit, Dismissal, MatchKind, Severity, Verdict


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Empty fields filter nothing."""

    queue: CaseQueue | None = None
    states: frozenset[CaseState] = frozenset()
    site: str | None = None
    """Of either side."""
    owner: str | None = None
    """Who is behind the copies: an owner's name, or a host of which no owner is known."""
    kind: MatchKind | None = None
    credit: Credit | None = None
    severity: Severity | None = None
    min_share: float = 0.0
    """Of our text."""
    opened_from: datetime | None = None
    opened_before: datetime | None = None
    assignee_id: int | None = None
    unassigned: bool = False
    overdue_at: datetime | None = None
    """Notified, and the deadline is before this moment."""
    breach: bool = False
    refigured: bool = False
    """Decided, and how much was taken has been another figure since."""
    verdict: Verdict | None = None
    because: Dismissal | None = None
    min_score: float | None = None
    below_score: float | None = None
    text: str | None = None
    """Part of our title or URL, of the copier's name, or of a title or URL of theirs."""
    below_id: int | None = None
    """Cases with lower numbers than this."""


EVERY_CASE = CaseFilter()


class CaseOrder(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"
    LARGEST = "largest"
    """Most characters first."""
    SHARE = "share"
    SCORE = "score"
    DEADLINE = "deadline"
    """What is due first; cases without a deadline last."""
