"""Time stamps of the head of the evidence, by the authority of the settings."""

from typing import TYPE_CHECKING

from crawler.evidence.timestamps import StampFailed, authority, stamp
from storage.engine import transaction
from storage.evidence import chain_store, timestamps
from storage.evidence.timestamps import StampRecord

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.config.settings import Settings


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
    got = stamp(head, by)
    record = StampRecord(head, got.at, by.url, got.request, got.response, by.pem)
    with transaction(engine) as session:
        timestamps.add(session, record)
    return record
