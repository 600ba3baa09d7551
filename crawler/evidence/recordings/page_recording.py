"""Records pages in a browser as evidence: opened, signed, kept as one file, and entered in the chain."""

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from crawler.browser.recording import BOUNDS, PARTS, NotRecorded, Recording, RecordingBounds, record_page
from crawler.evidence.keeper import Keeper, text_digest
from crawler.evidence.key_announcements import current_key, signing_key
from crawler.evidence.page_capture import CapturedPage
from crawler.evidence.recordings import program_facts
from crawler.evidence.recordings.capture_file import parts_of, signed_file
from crawler.evidence.recordings.capture_record import Circumstances, Judged, record_json
from crawler.evidence.signing_keys import KeyFiles
from crawler.extraction.article import Article
from crawler.network.public_addresses import Network
from storage.engine import transaction
from storage.evidence import chain_store, clock_checks
from storage.records.evidence import EvidenceEntry, EvidenceKind, NewEvidence

NOT_RECORDED: Final = "not recorded in a browser"
"""Begins the reason of an entry about a recording that failed."""


@dataclass(frozen=True, slots=True)
class PageRecorder:
    """Records pages. `keeper`: where evidence goes."""

    keeper: Keeper
    allowed_networks: tuple[Network, ...] = ()
    bounds: RecordingBounds = BOUNDS

    def record(self, page: CapturedPage, *, why: str | None = None, whom: str | None = None) -> EvidenceEntry:
        """Opens a page that was just captured, keeps what the browser showed, and returns the entry; of a page that
        cannot be opened, an entry with the reason. `why`, `whom`: the occasion.

        Blocks up to one and a half minutes. Raises KeyUnusable, OSError if it cannot be kept.
        """
        return self.record_and_judge(page, why=why, whom=whom)[0]

    def record_and_judge(
        self, page: CapturedPage, *, why: str | None = None, whom: str | None = None
    ) -> tuple[EvidenceEntry, str | None]:
        """The same, with what is to be tried again: why there is no record, or which parts of it failed; None: none.

        What a bound cut off is no failure: it would be cut off again.
        """
        try:
            found = record_page(page.url, allowed_networks=self.allowed_networks, bounds=self.bounds)
        except NotRecorded as error:
            reason = f"{NOT_RECORDED}: {error}" + (f"; {why}" if why else "")
            entry = self.keeper.keep_failure(page.url, datetime.now(UTC), why=reason, whom=whom)
            return entry, str(error)
        return self.keep(found, page.url, judged=_judged(page), why=why, whom=whom), failed_parts(found)

    def keep(
        self, found: Recording, url: str, *, judged: Judged | None, why: str | None = None, whom: str | None = None
    ) -> EvidenceEntry:
        """Signs and keeps a recording."""
        folder, engine = self.keeper.folder, self.keeper.engine
        files, where = KeyFiles(folder.home), folder.name()
        with transaction(engine) as session:
            clock = clock_checks.newest(session, where)
        machine = program_facts.machine(where, urlsplit(url).hostname or "")
        browser = program_facts.browser(found.facts["browser"])
        around = Circumstances(url, program_facts.program(), machine, browser, clock, judged, why, whom)
        parts = parts_of(found, url)
        new = NewEvidence(EvidenceKind.RECORDED, parts.at, url, folder=where, why=why, whom=whom)
        while True:
            # Large files are written before the chain is locked, for which everybody waits.
            key = signing_key(engine, files, folder)
            record = record_json(found, around, parts.members, key)
            file = signed_file(parts, url, record, key)
            folder.write(file.data, file.digest)
            signed = ((key.id, key.sign(record).hex()),)
            with transaction(engine) as session:
                if current_key(session, files, folder).id == key.id:
                    digest = hashlib.sha256(record).digest()
                    return chain_store.append(
                        session, replace(new, record=file.digest, payload=digest, signatures=signed)
                    )
            folder.remove(file.digest)  # the key was renewed meanwhile


def failed_parts(found: Recording) -> str | None:
    """The steps that should have made a part of the record and failed, each with its reason; None where none did."""
    failed = [
        f"{one['step']}: {one['result']}"
        for one in found.facts["steps"]
        if one["step"] in PARTS and one["result"] != "done"
    ]
    if not failed and not found.slices:
        failed = ["no picture was taken"]
    return "; ".join(failed) or None


def why_not_recorded(entry: EvidenceEntry) -> str | None:
    """Why a page was not recorded, by the entry that `record` returned; None if it was."""
    return None if entry.record is not None else str(json.loads(entry.body).get("why"))


def _judged(page: CapturedPage) -> Judged | None:
    if not isinstance(page.outcome, Article):
        return None
    return Judged(page.outcome.text, text_digest(page.outcome.text), page.entry.number)
