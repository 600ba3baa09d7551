"""Proofs that the evidence of a page is of that page, and holds the text that was stored of it."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from crawler.evidence.key_announcements import KeyRing
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.record_reader import DamagedRecord, KeptRecord, read_record
from crawler.evidence.recordings.capture_checks import problems_of_capture
from crawler.evidence.text_share import found_in, is_enough, pieces_of
from crawler.outcomes.errors import UnusableUrl
from crawler.urls.canonical import canonical_url
from storage.records.evidence import EvidenceEntry, EvidenceKind, EvidenceProblem

ANSWERS: Final = frozenset({EvidenceKind.STORED, EvidenceKind.CAPTURED})
"""Kinds of entries that record a server's answer."""


@dataclass(slots=True)
class _Pool:
    """Pieces of one text found so far on the pages of its article, none of which holds all of it."""

    pieces: tuple[str, ...]
    bits: int = 0
    entries: list[EvidenceEntry] = field(default_factory=list)


@dataclass(slots=True)
class PageProofs:
    """Checks entries one by one, then what several of them hold together."""

    folder: EvidenceFolder
    answers: int = 0
    """Files that are of their page's address and have the hashes of their entry."""
    proved: int = 0
    """Entries whose text is in their bytes, or in those of all pages of their article."""
    recorded: int = 0
    """Files of captures whose record, signature and members hold."""
    unread: int = 0
    """Entries whose bytes cannot be unpacked now, so that only address and hashes are proved."""
    keys: KeyRing = field(default_factory=KeyRing)
    """Those that the chain names."""
    _pools: dict[tuple[str, bytes], _Pool] = field(default_factory=dict)

    def check(self, entry: EvidenceEntry, text: str | None) -> Iterator[EvidenceProblem]:
        """Checks an entry whose file exists unchanged; `text`: what the store holds under its hash."""
        if entry.record is None or entry.kind is EvidenceKind.REMOVED:
            return
        if entry.kind is EvidenceKind.RECORDED:
            problems = list(problems_of_capture(entry, self.folder.read(entry.record) or b"", self.keys))
            yield from problems
            self.recorded += not problems
            return
        try:
            record = read_record(self.folder.read(entry.record) or b"")
            whole = record if entry.refers is None else self._referred(entry, record)
        except DamagedRecord as error:
            yield EvidenceProblem(entry.number, str(error), entry.url)
            return
        problems = list(_differences(entry, record, whole))
        yield from problems
        self.answers += not problems
        if not problems and text is not None and entry.text is not None and entry.kind in ANSWERS:
            self._search_text(text, entry, whole)

    def finish(self) -> Iterator[EvidenceProblem]:
        """Reports texts that no page, and no pages together, hold."""
        for pool in self._pools.values():
            if is_enough(pool.bits, pool.pieces):
                self.proved += len(pool.entries)
                continue
            for entry in pool.entries:
                yield _not_in_it(entry)

    def _referred(self, entry: EvidenceEntry, record: KeptRecord) -> KeptRecord:
        """With the body that an earlier file holds."""
        assert entry.refers is not None  # noqa: S101  # callers have checked
        data = self.folder.read(entry.refers)
        if data is None:
            raise DamagedRecord("the file that holds its body is missing")
        return KeptRecord(record.kind, record.url, record.head, read_record(data).body)

    def _search_text(self, text: str, entry: EvidenceEntry, record: KeptRecord) -> None:
        pieces = pieces_of(text)
        bits = found_in(pieces, record)
        page = _said(entry).get("page")
        if bits is None:
            self.unread += 1
        elif is_enough(bits, pieces):
            self.proved += 1
        else:
            # Older entries do not record the page: parts of an article are recognised by text and host.
            place = page if isinstance(page, str) else urlsplit(entry.url).netloc
            pool = self._pools.setdefault((place, entry.text or b""), _Pool(pieces))
            pool.bits |= bits
            pool.entries.append(entry)


def _differences(entry: EvidenceEntry, record: KeptRecord, whole: KeptRecord) -> Iterator[EvidenceProblem]:
    """Between what an entry says and what its file holds: the address, the server's head, the body."""
    said = _said(entry)
    if _canonical(record.url) != _canonical(entry.url):
        yield EvidenceProblem(entry.number, f"it is of {entry.url}, and its file of {record.url}", entry.url)
    if entry.payload is not None and hashlib.sha256(whole.body).digest() != entry.payload:
        yield EvidenceProblem(entry.number, "the body in its file is not the one it names", entry.url)
    head = said.get("head")
    if head is not None and hashlib.sha256(record.head).hexdigest() != head:
        yield EvidenceProblem(entry.number, "the headers in its file are not those it names", entry.url)


def _not_in_it(entry: EvidenceEntry) -> EvidenceProblem:
    return EvidenceProblem(entry.number, "the text that was stored does not stand in what was kept", entry.url)


def _said(entry: EvidenceEntry) -> Mapping[str, object]:
    try:
        said = json.loads(entry.body)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _canonical(url: str) -> str:
    try:
        return canonical_url(url)
    except UnusableUrl:
        return url
