"""The data of a case for report, bundle and letters, read once."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from admin.passages.alike_sentences import AlikeTexts, alike_texts
from admin.passages.passage_pairs import PassagePair, passage_pairs
from storage.cases import detail, handout
from storage.cases.handout import StoredBody
from storage.evidence import chain_store
from storage.matches import hits as match_hits
from storage.meaning import retelling_list
from storage.pages import pages
from storage.records.cases import CasePageRecord, CaseRecord
from storage.records.evidence import EvidenceEntry, Head
from storage.records.matches import HitRecord
from storage.records.pages import PageRecord
from storage.records.retellings import RetellingRecord

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

MOST_COPIES: Final = 50
"""Pages of one case, those with most of our text first."""
MOST_ENTRIES: Final = 500
"""Entries of the chain of evidence, the newest ones."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copying page. `hit` is None where the wording of the texts does not match (any more); `retelling` is what they
    say in other words.
    """

    found: CasePageRecord
    page: PageRecord
    hit: HitRecord | None
    retelling: RetellingRecord | None = None

    @property
    def is_ours_the_source(self) -> bool:
        found = self.hit or self.retelling
        return found is None or found.copy.page_id == self.page.id


@dataclass(frozen=True, slots=True)
class Dossier:
    case: CaseRecord
    our_page: PageRecord
    copies: tuple[Copy, ...]
    copies_left_out: int
    texts: dict[int, StoredBody]
    entries: tuple[EvidenceEntry, ...]
    head: Head | None
    """Head of the chain of evidence at that time."""
    made_at: datetime
    made_by: str

    def entries_of(self, url: str) -> list[EvidenceEntry]:
        return [entry for entry in self.entries if entry.url == url]

    def pairs_of(self, copy: Copy, most: int) -> tuple[tuple[PassagePair, ...], int]:
        """Passages of a copy, theirs left and ours right, and the number of passages left out."""
        theirs, ours = (self.texts.get(number) for number in (copy.found.their_text_id, copy.found.our_text_id))
        if copy.hit is None or theirs is None or ours is None:
            return (), 0
        passages = copy.hit.passages
        if not copy.is_ours_the_source:
            passages = tuple(passage.swapped() for passage in passages)
        return passage_pairs(theirs.body, ours.body, passages, most=most)

    def alike_of(self, copy: Copy) -> AlikeTexts | None:
        """The sentences of a copy that say what ours say, theirs left and ours right; None where none are stored."""
        found = copy.retelling
        if found is None:
            return None
        theirs, ours = (found.copy, found.source) if copy.is_ours_the_source else (found.source, found.copy)
        bodies = [self.texts.get(side.text_id) for side in (theirs, ours)]
        if bodies[0] is None or bodies[1] is None:
            return None
        sentences = found.sentences if copy.is_ours_the_source else tuple(one.swapped() for one in found.sentences)
        return alike_texts(bodies[0].body, bodies[1].body, sentences)


def dossier_of(session: "Session", case: CaseRecord, *, made_by: str) -> Dossier | None:
    """The dossier of a case; None where our page was removed meanwhile. Takes nine queries for any case."""
    our_page = pages.page_by_id(session, case.our_page_id)
    if our_page is None:
        return None
    found = detail.pages_of_case(session, case.id, limit=MOST_COPIES)
    total = detail.count_pages_of_case(session, case.id)
    their_ids = [one.their_page_id for one in found]
    theirs = pages.pages_by_id(session, their_ids)
    hits = {hit.id: hit for hit in match_hits.hits_between(session, case.our_page_id, their_ids)}
    retold = [one.retelling_id for one in found if one.retelling_id is not None]
    alike = {record.id: record for record in retelling_list.retellings_by_id(session, retold)}
    copies = tuple(
        Copy(
            one,
            theirs[one.their_page_id],
            hits.get(one.hit_id) if one.hit_id is not None else None,
            alike.get(one.retelling_id) if one.retelling_id is not None else None,
        )
        for one in found
        if one.their_page_id in theirs
    )
    urls = [our_page.url, *(copy.page.url for copy in copies)]
    return Dossier(
        case=case,
        our_page=our_page,
        copies=copies,
        copies_left_out=total - len(copies),
        texts=handout.texts_by_id(session, _text_ids(our_page, copies)),
        entries=tuple(
            _with_what_they_refer_to(session, chain_store.entries_of_urls(session, urls, limit=MOST_ENTRIES))
        ),
        head=chain_store.head(session),
        made_at=datetime.now(UTC),
        made_by=made_by,
    )


def _text_ids(our_page: PageRecord, copies: Iterable[Copy]) -> set[int]:
    own = {number for copy in copies for number in (copy.found.our_text_id, copy.found.their_text_id)}
    for copy in copies:
        if copy.retelling is not None:
            own |= {copy.retelling.copy.text_id, copy.retelling.source.text_id}
    return own | {our_page.text_id}


def _with_what_they_refer_to(session: "Session", found: list[EvidenceEntry]) -> list[EvidenceEntry]:
    """`found` with the earlier entries whose files hold the bodies that they refer to."""
    own = {entry.record for entry in found}
    missing = {entry.refers for entry in found if entry.refers is not None} - own
    more = chain_store.entries_with_records(session, missing) if missing else []
    return sorted([*found, *more], key=lambda entry: entry.number)
