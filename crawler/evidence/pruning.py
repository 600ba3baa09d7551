"""What the sites' rules let go of, goes: first the chain tells of it, then the files are deleted."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from crawler.evidence.files import EvidenceFolder
from storage import evidence
from storage.engine import transaction
from storage.evidence_chain import removed_records

if TYPE_CHECKING:
    from sqlalchemy import Engine

AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Pruned:
    files: int
    left_over: int
    """Files of an earlier removal that was interrupted, deleted now."""


def prune(engine: "Engine", folder: EvidenceFolder, *, now: datetime) -> Pruned:
    """Deletes what is older than its site keeps, unless it is under a case or other evidence needs it."""
    left_over = _finish_earlier(engine, folder)
    files = 0
    while True:
        with transaction(engine) as session:
            # Nobody may refer to a file between being asked whether it is needed and being told that it goes.
            evidence.lock_chain(session)
            gone = evidence.outdated(session, now, limit=AT_ONCE)
            if gone:
                evidence.remove(session, gone, now)
        if not gone:
            return Pruned(files, left_over)
        for entry in gone:
            if entry.record is not None:
                folder.remove(entry.record)
        files += len(gone)


def _finish_earlier(engine: "Engine", folder: EvidenceFolder) -> int:
    with transaction(engine) as session:
        told = {digest for entry in evidence.removals(session) for digest in removed_records(entry)}
    left_over = [digest for digest in folder.digests() if digest in told]
    for digest in left_over:
        folder.remove(digest)
    return len(left_over)
