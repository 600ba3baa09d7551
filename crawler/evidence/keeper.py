"""Keeps a response as an entry in the chain and, if the site's rule says so, as a file."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from crawler.evidence.record_files import EvidenceFolder
from crawler.warc.writer import Earlier, RawResponse, Record, resource_record, response_record, with_certificate
from storage.engine import transaction
from storage.evidence import chain_store
from storage.pages import pages
from storage.postgres import text as postgre_text
from storage.records.evidence import EvidenceEntry, EvidenceKind, Keep, NewEvidence

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class Keeper:
    """Where evidence goes. Its methods block, each in a transaction of its own: call them from a thread."""

    engine: "Engine"
    folder: EvidenceFolder

    def keep_version(
        self, response: RawResponse, *, url: str, text: str, site_id: int | None = None, page: str | None = None
    ) -> EvidenceEntry | None:
        """The response from which `text` is about to be stored at `url`; None if one is kept already.

        `page`: of an article on several pages, the address that it is stored under; `text` is that of all of them.
        Called before the page is stored: then none is stored without its evidence. Raises OSError, storage's errors.
        """
        digest = text_digest(text)
        new = replace(described(response, EvidenceKind.STORED, url), text=digest, page=page)
        with transaction(self.engine) as session:
            if chain_store.has_version(session, url, digest):
                return None
            rule = chain_store.rule_of_site(session, site_id)
            earlier = self._earlier(session, new) if rule.keep is Keep.RAW else None
        if rule.keep is Keep.RAW:
            return self._keep_response(response, new, earlier)
        if rule.keep is Keep.TEXT:
            new = replace(new, headers=response.headers)
        return self._append(new)

    def keep_capture(
        self,
        response: RawResponse,
        *,
        url: str,
        text: str | None = None,
        why: str | None = None,
        whom: str | None = None,
    ) -> EvidenceEntry:
        """A response that was asked for as evidence: kept whole, whatever the site's rule is."""
        digest = None if text is None else text_digest(text)
        new = replace(described(response, EvidenceKind.CAPTURED, url), text=digest, why=why, whom=whom)
        with transaction(self.engine) as session:
            earlier = self._earlier(session, new)
        return self._keep_response(response, new, earlier)

    def keep_failure(self, url: str, at: datetime, *, why: str, whom: str | None = None) -> EvidenceEntry:
        """Records that a page could not be fetched, which is evidence, too."""
        return self._append(NewEvidence(EvidenceKind.FAILED, at, url, why=why, whom=whom))

    def keep_content(
        self,
        content: bytes,
        content_type: str,
        *,
        url: str,
        at: datetime,
        kind: EvidenceKind = EvidenceKind.GIVEN,
        text: str | None = None,
        whom: str | None = None,
    ) -> EvidenceEntry:
        """Keeps content that no server sent: a person's upload, or a screenshot."""
        record = resource_record(url, at, content, content_type)
        self.folder.write(record.data, record.digest)
        digest = None if text is None else text_digest(text)
        payload = hashlib.sha256(content).digest()
        return self._append(
            NewEvidence(
                kind, at, url, record=record.digest, payload=payload, text=digest, folder=self.folder.name(), whom=whom
            )
        )

    def _keep_response(self, response: RawResponse, new: NewEvidence, earlier: EvidenceEntry | None) -> EvidenceEntry:
        """`earlier`: the entry whose record held the same body at the time of the lookup."""
        is_capture = new.kind is EvidenceKind.CAPTURED
        record = self._written(response, earlier, is_capture=is_capture)
        with transaction(self.engine) as session:
            chain_store.lock_chain(session)
            # Pruning takes the same lock: a file stays as long as an entry refers to it.
            if earlier is not None and self._earlier(session, new) != earlier:
                earlier, record = None, self._written(response, None, is_capture=is_capture)
            refers = None if earlier is None else earlier.record
            where = self.folder.name()
            return chain_store.append(session, replace(new, record=record.digest, refers=refers, folder=where))

    def _earlier(self, session: "Session", new: NewEvidence) -> EvidenceEntry | None:
        """The first entry whose file in this folder has the body; a file on another machine would not do."""
        found = [] if new.payload is None else chain_store.records_with_payload(session, new.payload)
        here = (entry for entry in found if entry.record is not None and self.folder.has(entry.record))
        return next(here, None)

    def _written(self, response: RawResponse, earlier: EvidenceEntry | None, *, is_capture: bool) -> Record:
        record = response_record(response, earlier=None if earlier is None else Earlier(earlier.url, earlier.at))
        if is_capture:
            record = with_certificate(record, response)
        self.folder.write(record.data, record.digest)
        return record

    def _append(self, new: NewEvidence) -> EvidenceEntry:
        with transaction(self.engine) as session:
            return chain_store.append(session, new)


def described(response: RawResponse, kind: EvidenceKind, url: str) -> NewEvidence:
    """The content of an entry about a response; `url` is the page's, by which its evidence is looked up."""
    certificate = response.certificate
    return NewEvidence(
        kind,
        response.at,
        url,
        payload=hashlib.sha256(response.body).digest(),
        head=hashlib.sha256(response.head).digest(),
        status=response.status,
        peer=response.peer,
        certificate=None if certificate is None else hashlib.sha256(certificate).digest(),
    )


def text_digest(text: str) -> bytes:
    """The hash by which the store identifies the text."""
    return pages.text_digest(postgre_text.storable(text))
