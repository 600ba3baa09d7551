"""Time stamps of the head of the evidence, by the authority of the settings."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.timestamps import StampFailed, authority, stamp
from storage.engine import transaction
from storage.evidence import chain_store, clock_checks, timestamps
from storage.evidence.clock_checks import ClockOffset
from storage.evidence.timestamps import StampRecord

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.config.settings import Settings

AUTHORITY_WITHIN_S: Final = 1.0
"""Authorities state whole seconds."""


def stamp_head(settings: "Settings", engine: "Engine") -> StampRecord | None:
    """Requests and stores a time stamp of the last entry; returns None if no entry was added since the last one.

    Raises StampFailed, also if no authority is set.
    """
    if settings.time_stamp_url is None or settings.time_stamp_certificates is None:
        raise StampFailed(
            "No time stamp authority is set. Set ZHIWEN_TIME_STAMP_URL to its address, and "
            "ZHIWEN_TIME_STAMP_CERTIFICATES to a file with its root certificate as PEM."
        )
    by = authority(settings.time_stamp_url, settings.time_stamp_certificates)
    with transaction(engine) as session:
        head, last = chain_store.head(session), timestamps.newest(session)
    if head is None or (last is not None and last.head.number >= head.number):
        return None
    # Outside a transaction: appending to the chain must not wait for the authority's server.
    before = datetime.now(UTC)
    got = stamp(head, by)
    offset = _offset(before, datetime.now(UTC), got.at, EvidenceFolder(settings.home).name(), by.url)
    record = StampRecord(head, got.at, by.url, got.request, got.response, by.pem)
    with transaction(engine) as session:
        timestamps.add(session, record)
        clock_checks.add(session, offset)
    return record


def _offset(before: datetime, after: datetime, stamped: datetime, folder: str, authority: str) -> ClockOffset:
    """The offset of this machine's clock: the stamp was made at some time between question and answer."""
    half = (after - before) / 2
    middle = before + half
    within_s = half.total_seconds() + AUTHORITY_WITHIN_S
    return ClockOffset(folder, after, round((middle - stamped).total_seconds(), 3), round(within_s, 3), authority)
