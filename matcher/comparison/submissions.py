"""Submitted texts, prepared to be compared by the check like stored ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis, fingerprint_texts
from matcher.comparison.compare_pair import Beside
from matcher.retrieval.candidates import SIMHASH_DISTANCE, Candidate
from storage.intake import submissions
from storage.pages.pages import text_digest
from storage.postgres.text import storable
from storage.records.candidates import StoredText
from storage.records.pages import Declared, PageRecord
from storage.records.submissions import SubmissionCandidate
from storage.types import FoundBy, Rights

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SCHEME: Final = "submission:"
"""Address of a submission, which no page has: `submission:17`."""
COMPARED: Final = 40
"""Submissions that are aligned, those that share most first."""
REFRESHED: Final = 500
"""Submissions with an older fingerprint version that one check recomputes: some seconds of work."""


@dataclass(frozen=True, slots=True)
class SubmissionsBeside:
    """Retrieves the submissions of one collection that share something with a text, except the author's own.

    `on_cut` receives the number that a bound left out.
    """

    session: "Session"
    collection: str
    author: str
    on_cut: Callable[[int], None]

    def __call__(self, asked: Analysis) -> Sequence[Beside]:
        self._refresh()
        found, cut = submissions.candidates_of(
            self.session,
            collection=self.collection,
            not_author=self.author,
            sha256=text_digest(storable(asked.canonical.source)),
            simhash=asked.fingerprint.simhash,
            slices=asked.slice_keys.tolist(),
            seeds=asked.asked_seeds.hashes.tolist(),
            distance=SIMHASH_DISTANCE,
            bound=COMPARED,
        )
        self.on_cut(cut)
        return [beside(item) for item in found]

    def _refresh(self) -> None:
        outdated = submissions.outdated(self.session, collection=self.collection, limit=REFRESHED)
        found = dict(zip(outdated, fingerprint_texts(outdated.values()), strict=True))
        submissions.keep_fingerprints(self.session, found)


def beside(found: SubmissionCandidate) -> Beside:
    """Return a submission as a text to compare; its ids are negative, so that none equals an id of the store."""
    own = found.submission
    number = -own.id
    candidate = Candidate(number, 0.0, found.shared_seeds, found.shared_slices, found.simhash_distance)
    stored = StoredText(number, found.body, None)
    page = PageRecord(
        id=number,
        url=f"{SCHEME}{own.id}",
        host=f"{SCHEME}{own.id}",
        site_id=None,
        site_name=None,
        owner_id=None,
        role=None,
        found_by=FoundBy.HAND,
        first_seen_at=own.created_at,
        gone_at=None,
        version_id=number,
        text_id=number,
        chars=own.chars,
        fetched_at=own.created_at,
        title=own.title,
        author=own.author,
        language="",
        declared=Declared(),
        rights=Rights.UNKNOWN,
        credit_lines=(),
        credit_links=(),
        canonical_link=None,
        last_modified=None,
    )
    return Beside(candidate, stored, page)


def submission_id(url: str) -> int | None:
    """Return the number of the submission at this address; None for a web page."""
    return int(url.removeprefix(SCHEME)) if url.startswith(SCHEME) else None
