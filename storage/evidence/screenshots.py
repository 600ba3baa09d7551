"""The screenshots of a page in the evidence."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.models.evidence import Evidence
from storage.postgres.rows import record_of
from storage.postgres.text import storable
from storage.records.evidence import EvidenceEntry, EvidenceKind

PICTURED: Final = frozenset({EvidenceKind.SCREENSHOT, EvidenceKind.RECORDED})
"""Kinds of entries whose files hold pictures."""


def newest_screenshot(session: Session, url: str) -> EvidenceEntry | None:
    """The entry of the newest screenshot of this URL whose file was not removed."""
    row = session.scalar(
        select(Evidence)
        .where(
            Evidence.url == storable(url),
            Evidence.kind.in_(PICTURED),
            Evidence.record.is_not(None),
            Evidence.removed_by.is_(None),
        )
        .order_by(Evidence.number.desc())
        .limit(1)
    )
    return None if row is None else record_of(EvidenceEntry, row)
