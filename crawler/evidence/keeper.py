"""Keeps responses as entries in the chain and, if the site's rule says so, as files."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
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
class NewVersion:
    """A response from which `text` is about to be stored at `url`.

    `page`: of an article on several pages, the address that it is stored under; `text` is that of all of them.
    """

    response: RawResponse
    url: str
    text: str
    site_id: int | None = None
    page: str | None = None


@dataclass(frozen=True, slots=True)
class _Draft:
    """A response with its entry, as far as that is known before its record is written. `is_whole`: it gets a record."""

    response: RawResponse
    new: NewEvidence
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class _Body:
    """A body that is kept in full: the file, and the response that it is of."""

    record: bytes
    of: Earlier


@dataclass(frozen=True, slots=True)
class Keeper:
    """Where evidence goes. Its methods block, each in a transaction of its own: call them from a thread."""

    engine: "Engine"
    folder: EvidenceFolder

    def keep_version(
        self, response: RawResponse, *, url: str, text: str, site_id: int | None = None, page: str | None = None
    ) -> EvidenceEntry | None:
        """The response of one version; see `keep_versions`."""
        return self.keep_versions([NewVersion(response, url, text, site_id, page)])[0]

    def keep_versions(self, versions: Sequence[NewVersion]) -> list[EvidenceEntry | None]:
        """The entry of each response; None where one is kept already for this text at this address.

        All of them are kept, or none. Called before the pages are stored: then none is stored without its evidence.
        Raises OSError, storage's errors.
        """
        keys = [(version.url, text_digest(version.text)) for version in versions]
        first = dict(zip(reversed(keys), reversed(versions), strict=True))
        with transaction(self.engine) as session:
            known = chain_store.known_versions(session, first)
            rules = {one.site_id: chain_store.rule_of_site(session, one.site_id) for one in versions}
            drafts = {
                key: _draft(first[key], key[1], rules[first[key].site_id].keep)
                for key in dict.fromkeys(keys)
                if key not in known
            }
            bodies = self._bodies(session, drafts.values())
        entries = dict(zip(drafts, self._keep_all(list(drafts.values()), bodies), strict=True))
        return [entries.pop(key, None) for key in keys]

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
        draft = _Draft(response, new)
        with transaction(self.engine) as session:
            bodies = self._bodies(session, [draft])
        return self._keep_all([draft], bodies)[0]

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

    def _keep_all(self, drafts: Sequence[_Draft], bodies: Mapping[bytes, _Body]) -> list[EvidenceEntry]:
        """`bodies`: those kept in full at the time of the lookup, by hash."""
        if not drafts:
            return []
        written = self._written(drafts, bodies)
        with transaction(self.engine) as session:
            chain_store.lock_chain(session)
            # Pruning takes the same lock: a file stays as long as an entry refers to it.
            if bodies and self._bodies(session, drafts) != bodies:
                written = self._written(drafts, {})
            return chain_store.append_all(session, written)

    def _bodies(self, session: "Session", drafts: Iterable[_Draft]) -> dict[bytes, _Body]:
        """By hash, the first record in this folder that has the body; a file on another machine would not do."""
        payloads = [draft.new.payload for draft in drafts if draft.is_whole and draft.new.payload is not None]
        found = chain_store.records_with_payloads(session, payloads)
        bodies = {}
        for payload, entries in found.items():
            here = (entry for entry in entries if entry.record is not None and self.folder.has(entry.record))
            entry = next(here, None)
            if entry is not None and entry.record is not None:
                bodies[payload] = _Body(entry.record, Earlier(entry.url, entry.at))
        return bodies

    def _written(self, drafts: Sequence[_Draft], bodies: Mapping[bytes, _Body]) -> list[NewEvidence]:
        """The entries; their records are on disk. A body that another of them holds is written once, too."""
        known, where = dict(bodies), self.folder.name()
        entries = []
        for draft in drafts:
            new, payload = draft.new, draft.new.payload
            if draft.is_whole and payload is not None:
                body = known.get(payload)
                record = _record(draft, None if body is None else body.of)
                self.folder.write(record.data, record.digest)
                known.setdefault(payload, _Body(record.digest, Earlier(new.url, new.at)))
                refers = None if body is None else body.record
                new = replace(new, record=record.digest, refers=refers, folder=where)
            entries.append(new)
        return entries

    def _append(self, new: NewEvidence) -> EvidenceEntry:
        with transaction(self.engine) as session:
            return chain_store.append(session, new)


def _draft(version: NewVersion, digest: bytes, keep: Keep) -> _Draft:
    response = version.response
    new = replace(described(response, EvidenceKind.STORED, version.url), text=digest, page=version.page)
    if keep is Keep.TEXT:
        new = replace(new, headers=response.headers)
    return _Draft(response, new, is_whole=keep is Keep.RAW)


def _record(draft: _Draft, earlier: Earlier | None) -> Record:
    record = response_record(draft.response, earlier=earlier)
    return with_certificate(record, draft.response) if draft.new.kind is EvidenceKind.CAPTURED else record


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
