"""Records of checked texts: what was found in one, as it is kept, and the certificates of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.records.matches import Passage
from storage.records.retellings import AlikeSentences
from storage.types import CheckState, Credit, MatchKind, Relation, RetellingKind


@dataclass(frozen=True, slots=True)
class ComparedScope:
    """What a text was compared with: see `matcher.comparison.check.ComparedWith`."""

    texts: int
    sites: int
    newest: datetime | None
    waiting: int = 0
    is_estimate: bool = False


@dataclass(frozen=True, slots=True)
class CheckedPage:
    """A page that holds a source, as it was when the text was checked."""

    url: str
    page_id: int
    title: str
    site: str | None
    published_at: datetime | None
    first_seen_at: datetime


@dataclass(frozen=True, slots=True)
class CheckedParty:
    """Who stands behind a source. `key`: equal for pages of one party. `host`: of its first page."""

    key: str
    name: str
    host: str
    is_ours: bool
    author: str = ""


@dataclass(frozen=True, slots=True)
class CheckedSource:
    """A stored text whose wording was found. In `passages`, left is the checked text. `text_id`: negative for a
    submission. `share`: of the checked text; `source_share`: of the source. `why_later`: the clue, encoded, that
    decided that the source is the later one; None where a date did.
    """

    id: int
    text_id: int
    pages: tuple[CheckedPage, ...]
    other_pages: int
    party: CheckedParty
    kind: MatchKind
    share: float
    source_share: float
    own_share: float
    longest: int
    score: float
    credit: Credit
    relation: Relation
    third: str | None
    is_earlier: bool
    why_later: str | None
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class CheckedRetelling:
    """A stored text that is similar in meaning. `beside`: whether wording was found, too. `proof`: kinds of proof with
    their counts, and `said`: the same in English.
    """

    text_id: int
    pages: tuple[CheckedPage, ...]
    other_pages: int
    party: CheckedParty
    kind: RetellingKind
    share: float
    source_share: float
    own_share: float
    longest: int
    score: float
    credit: Credit
    relation: Relation
    third: str | None
    is_earlier: bool
    why_later: str | None
    beside: bool
    proof: tuple[tuple[str, Mapping[str, Any]], ...]
    said: tuple[str, ...]
    in_order: int
    figures: tuple[int, int]
    particulars: tuple[str, ...]
    sentences: tuple[AlikeSentences, ...]


@dataclass(frozen=True, slots=True)
class CheckedResult:
    """The result of a check. `share`: of the text that is in any source, 0…1. `cut`: matches or candidates that a bound
    left out; `unseen`: similar submissions among them. `not_by_meaning`: why the store was not searched by meaning,
    empty if it was or nobody asked for it.
    """

    chars: int
    verdict: str
    share: float
    scope: ComparedScope
    sources: tuple[CheckedSource, ...]
    retold: tuple[CheckedRetelling, ...] = ()
    cut: int = 0
    unseen: int = 0
    not_by_meaning: str = ""
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The text of a check with what its form said."""

    body: str
    title: str = ""
    author: str = ""
    url: str = ""
    kind: str = "text"
    collection: str = ""
    by_meaning: bool = True


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A kept check without its text and result, for lists. `batch`: of the files that were handed in together.
    `problem`: the code of what is wrong with the file, or empty.
    """

    id: int
    key: str
    account_id: int
    is_shared: bool
    batch: str | None
    state: CheckState
    problem: str
    file_name: str
    title: str
    author: str
    url: str
    kind: str
    collection: str
    by_meaning: bool
    chars: int
    verdict: str
    share: float
    sources: int
    created_at: datetime
    checked_at: datetime | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class KeptCheck:
    """A kept check with its text and what was found. `sha256`: of the UTF-8 bytes of the text."""

    record: CheckRecord
    body: str
    sha256: bytes
    result: CheckedResult


@dataclass(frozen=True, slots=True)
class CertificateRecord:
    """A certificate. `facts`: what the document states; `pdf_sha256`: of the file as it was handed out."""

    id: int
    number: str
    account_id: int | None
    made_by: str
    made_at: datetime
    title: str
    text_sha256: bytes
    chars: int
    verdict: str
    share: float
    language: str
    facts: Mapping[str, Any]
    pdf_sha256: bytes
    withdrawn_at: datetime | None
    withdrawn_by: str
