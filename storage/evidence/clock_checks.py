"""Checks of a machine's clock against a timestamp authority."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from storage.models.evidence import ClockCheck
from storage.postgres.rows import record_of
from storage.postgres.writes import values_of


@dataclass(frozen=True, slots=True)
class ClockOffset:
    """`offset_s`: the machine's time less the authority's, give or take `within_s`; `at`: by the machine's clock.
    `folder`: name of the machine's evidence folder.
    """

    folder: str
    at: datetime
    offset_s: float
    within_s: float
    authority: str


def add(session: Session, offset: ClockOffset) -> None:
    session.execute(insert(ClockCheck).values(values_of(ClockCheck, offset)))


def newest(session: Session, folder: str) -> ClockOffset | None:
    """The last check of the machine with this evidence folder; None if its clock was never checked."""
    wanted = select(ClockCheck).where(ClockCheck.folder == folder).order_by(ClockCheck.at.desc()).limit(1)
    row = session.scalar(wanted)
    return None if row is None else record_of(ClockOffset, row)
