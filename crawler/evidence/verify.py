"""Verification of the evidence: the chain, the files and the texts, without any network."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

from crawler.evidence.key_announcements import key_ring, problems_of_keys
from crawler.evidence.page_proofs import PageProofs
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.timestamps import StampFailed, checked
from storage.evidence import chain_store, timestamps
from storage.evidence.hash_chain import broken_links, folder_of, removed_records
from storage.records.evidence import EvidenceEntry, EvidenceProblem, Head

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.evidence.timestamps import StampRecord

TEXTS_AT_ONCE: Final = 200


@dataclass(slots=True)
class Verified:
    """What was checked. Problems are reported as they are found; oddities that are no problem are counted here."""

    proofs: PageProofs
    """Results of checking pages and their texts."""
    entries: int = 0
    files: int = 0
    removed: int = 0
    """Files that were deleted by rule, as the chain records."""
    left_over: int = 0
    """Of those, files that still exist: their removal was interrupted."""
    elsewhere: Counter[str] = field(default_factory=Counter)
    """Files that other folders keep and this one lacks, by the name of the folder: not checked here."""
    unnamed: int = 0
    """Files that no entry names: storing was interrupted before the entry was written."""
    texts: int = 0
    texts_gone: int = 0
    """Texts that left the store with their pages. Their hashes stay."""
    problems: int = 0
    head: Head | None = None
    stamps: int = 0
    stamped: "StampRecord | None" = None
    """The newest time stamp that holds: everything up to its head is older than it."""
    _gone: set[bytes] = field(default_factory=set)
    _own_folders: frozenset[str] | None = None
    _named: set[bytes] = field(default_factory=set)
    _stamped_hashes: dict[int, bytes] = field(default_factory=dict)


def verify(
    session: "Session",
    folder: EvidenceFolder,
    *,
    expected: Head | None = None,
    reads_files: bool = True,
    all_folders: bool = False,
    on_problem: Callable[[EvidenceProblem], None],
) -> Verified:
    """Checks everything; `expected` is a head noted before, which shows whether the end of the chain was cut off.

    `reads_files`: whether to check that each file is of its page and holds the page's text. Not needed after
    restoring a backup. `all_folders`: whether files that other folders keep have to be in this one, too; otherwise
    those are only counted.
    """
    seen = Verified(PageProofs(folder, keys=key_ring(chain_store.key_entries(session))))
    seen._own_folders = None if all_folders else frozenset(folder.names())
    for problem in _problems(session, folder, expected, seen, reads_files=reads_files):
        seen.problems += 1
        on_problem(problem)
    seen.unnamed = sum(digest not in seen._named for digest in folder.digests())
    return seen


def _problems(
    session: "Session", folder: EvidenceFolder, expected: Head | None, seen: Verified, *, reads_files: bool
) -> Iterator[EvidenceProblem]:
    stamps = timestamps.all_stamps(session)
    seen._stamped_hashes = dict.fromkeys((stamp.head.number for stamp in stamps), b"")
    yield from broken_links(_counted(chain_store.entries(session), seen), expected=expected)
    for stamp in stamps:
        yield from _problem_of_stamp(stamp, seen)
    yield from problems_of_keys(chain_store.key_entries(session))
    proofs = seen.proofs
    for entries in _batches(chain_store.entries(session)):
        texts = chain_store.text_bodies(session, {entry.text for entry in entries if entry.text is not None})
        for entry in entries:
            if other := _other_keeper(entry, folder, seen):
                seen.elsewhere[other] += 1
                continue
            problems = list(_problem_of_file(entry, folder, seen))
            yield from problems
            if reads_files and not problems and entry.record not in seen._gone:
                yield from proofs.check(entry, texts.get(entry.text or b""))
        yield from _problems_of_texts(entries, texts, seen)
    yield from proofs.finish()


def _batches(entries: Iterable[EvidenceEntry]) -> Iterator[list[EvidenceEntry]]:
    rest = iter(entries)
    while batch := list(islice(rest, TEXTS_AT_ONCE)):
        yield batch


def _counted(entries: Iterable[EvidenceEntry], seen: Verified) -> Iterator[EvidenceEntry]:
    for entry in entries:
        seen.entries += 1
        seen.head = Head(entry.number, entry.hash)
        seen._gone.update(removed_records(entry))
        if entry.number in seen._stamped_hashes:
            seen._stamped_hashes[entry.number] = entry.hash
        yield entry


def _problem_of_stamp(stamp: "StampRecord", seen: Verified) -> Iterator[EvidenceProblem]:
    seen.stamps += 1
    number = stamp.head.number
    found = seen._stamped_hashes[number]
    if found != stamp.head.hash:
        what = "its hash is not the one that was stamped" if found else "it was stamped and is not there"
        yield EvidenceProblem(number, f"{what} ({stamp.authority}, {stamp.at:%Y-%m-%d %H:%M:%S} UTC)")
        return
    try:
        at = checked(stamp.head, stamp.response, stamp.certificates)
    except StampFailed as error:
        yield EvidenceProblem(number, str(error))
        return
    if at != stamp.at:
        yield EvidenceProblem(number, f"its time stamp says {at:%Y-%m-%d %H:%M:%S} UTC, and is listed otherwise")
        return
    seen.stamped = stamp


def _problem_of_file(entry: EvidenceEntry, folder: EvidenceFolder, seen: Verified) -> Iterator[EvidenceProblem]:
    if entry.record is None:
        return
    seen._named.add(entry.record)
    actual = folder.actual_digest(entry.record)
    if entry.record in seen._gone:
        seen.removed += 1
        seen.left_over += actual is not None
        return
    seen.files += 1
    if actual is None:
        yield EvidenceProblem(entry.number, f"its file is missing: {folder.file_of(entry.record)}")
    elif actual != entry.record:
        yield EvidenceProblem(entry.number, f"its file was changed: {folder.file_of(entry.record)}")
    if entry.refers is not None and entry.refers in seen._gone:
        yield EvidenceProblem(entry.number, "the file that holds its body was removed")


def _other_keeper(entry: EvidenceEntry, folder: EvidenceFolder, seen: Verified) -> str | None:
    """The name of the other folder that keeps the entry's file; None if it is here, or should be."""
    if entry.record is None or seen._own_folders is None or entry.record in seen._gone or folder.has(entry.record):
        return None
    name = folder_of(entry)
    return None if name in seen._own_folders else name


def _problems_of_texts(
    entries: Iterable[EvidenceEntry], bodies: Mapping[bytes, str], seen: Verified
) -> Iterator[EvidenceProblem]:
    first: dict[bytes, int] = {}
    for entry in entries:
        if entry.text is not None:
            first.setdefault(entry.text, entry.number)
    seen.texts += len(bodies)
    seen.texts_gone += len(first) - len(bodies)
    for digest, body in bodies.items():
        if hashlib.sha256(body.encode()).digest() != digest:
            yield EvidenceProblem(first[digest], "the text in the store is not the one that was read from it")
