"""Deletes evidence files by the sites' retention rules: first the chain records it, then the files go."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from crawler.evidence.record_files import EvidenceFolder
from storage.engine import transaction
from storage.evidence import chain_store
from storage.evidence.hash_chain import removed_records

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from storage.records.evidence import EvidenceEntry

AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Pruned:
    files: int
    left_over: int
    """Files of an earlier removal that was interrupted or decided on another machine, deleted now."""
    too_many_bytes: int = 0
    """Bytes of files that must be kept, beyond the bound."""


def prune(engine: "Engine", folder: EvidenceFolder, *, now: datetime, most_bytes: int | None = None) -> Pruned:
    """Deletes files older than their site's retention; if all files exceed `most_bytes`, also younger ones,
    oldest first. Files of a case stay, as do files that other evidence needs or that a site keeps for good.

    Nothing is deleted while a back-up copies the files: the next time is soon enough.
    """
    left_over = finish_earlier(engine, folder)
    files = 0
    while gone := _remove_some(engine, folder, now, lambda session: chain_store.outdated(session, now, limit=AT_ONCE)):
        files += gone
    excess = 0 if most_bytes is None else folder.whole_size() - most_bytes
    while excess > 0:
        gone = _remove_some(engine, folder, now, partial(_oldest, folder=folder, excess=excess))
        if not gone:
            break
        files += gone
        excess = folder.whole_size() - (most_bytes or 0)
    return Pruned(files, left_over, max(0, excess))


def _remove_some(
    engine: "Engine", folder: EvidenceFolder, now: datetime, choose: "Callable[[Session], list[EvidenceEntry]]"
) -> int:
    """Deletes one batch. Returns how many files."""
    with transaction(engine) as session:
        if not chain_store.may_delete_files(session):
            return 0
        # No entry may refer to a file between the check that it is not needed and its removal.
        chain_store.lock_chain(session)
        gone = choose(session)
        if gone:
            chain_store.remove(session, gone, now)
    for entry in gone:
        if entry.record is not None:
            folder.remove(entry.record)
    return len(gone)


def _oldest(session: "Session", *, folder: EvidenceFolder, excess: int) -> "list[EvidenceEntry]":
    """The oldest deletable files of this folder that together hold so many bytes, or one whole batch.

    Files in folders of other machines stay: deleting them would free no space here.
    """
    found: list[EvidenceEntry] = []
    size, last = 0, 0
    while len(found) < AT_ONCE and (batch := chain_store.spare(session, limit=AT_ONCE, after=last)):
        for entry in batch:
            if size >= excess:
                return found
            if entry.record is not None and folder.has(entry.record):
                found.append(entry)
                size += folder.size(entry.record)
        last = batch[-1].number
    return found


def finish_earlier(engine: "Engine", folder: EvidenceFolder) -> int:
    """Deletes the files in this folder whose removal the chain records already: it was interrupted, or decided on
    another machine. Returns how many.
    """
    with transaction(engine) as session:
        recorded = {digest for entry in chain_store.removals(session) for digest in removed_records(entry)}
    left_over = [digest for digest in folder.digests() if digest in recorded]
    for digest in left_over:
        folder.remove(digest)
    return len(left_over)
