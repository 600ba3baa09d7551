"""What is new, for the morning sheet: new cases by day and severity."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.cases.severity import severity_of_case
from storage.models.cases import Case
from storage.types import CaseQueue, Severity

NEWEST_READ: Final = 20_000
"""New cases that are read: an import may open very many in a night, and the picture looks the same."""


def opened_by_day(session: Session, since: datetime, time_zone: str) -> Mapping[tuple[date, Severity], int]:
    """Number of copies of ours found on each date since `since`, by severity; of the newest ones up to a bound."""
    newest = (
        select(Case.opened_at, severity_of_case().label("severity"))
        .where(Case.opened_at >= since, Case.queue == CaseQueue.COPIED)
        .order_by(Case.opened_at.desc())
        .limit(NEWEST_READ)
        .subquery()
    )
    day = func.date(func.timezone(time_zone, newest.c.opened_at)).label("day")
    rows = session.execute(select(day, newest.c.severity, func.count()).group_by(day, newest.c.severity))
    return {(day, Severity(severity)): count for day, severity, count in rows}
