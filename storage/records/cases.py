"""Frozen values in and out of the tables of licences and cases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from storage.records.copy_states import STANDING_STATES
from storage.records.evidence import NOTHING_KEPT, PageEvidence
from storage.types import (
    CaseEventKind,
    CaseQueue,
    CaseState,
    CopyState,
    Credit,
    Dismissal,
    LicenceTerm,
    MatchKind,
    NoticeChannel,
    Severity,
    Standing,
)


@dataclass(frozen=True, slots=True)
class LicenceTerms:
    """Who may republish what, and how. One of `owner`, `author` and `article_url` says whose texts these are."""

    owner: str | None = None
    author: str | None = None
    article_url: str | None = None
    copier: str | None = None
    """An owner's name; None: anyone may."""
    columns: tuple[str, ...] = ()
    """Path prefixes (`/news/`) or sections (`sport`) of the original's address; empty: all of it."""
    requires: Credit = Credit.NONE
    """At least this credit."""
    delay_days: int = 0
    """How long after the original a copy may appear."""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    """The first moment at which it holds no more."""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class LicenceRecord:
    id: int
    owner_id: int | None
    copier_id: int | None
    terms: LicenceTerms


@dataclass(frozen=True, slots=True)
class CaseFinding:
    """A judged pair that belongs into a case: a page of ours, and one of another owner."""

    queue: CaseQueue
    our_page_id: int
    our_text_id: int
    their_page_id: int
    their_text_id: int
    other_key: str
    """Who is behind their page: PageRecord.owner_key."""
    other_owner_id: int | None
    other_host: str
    kind: MatchKind
    chars: int
    """Characters of our text that stand in theirs, boilerplate left out (`matcher.judgement.overlap`)."""
    our_share: float
    """`chars` of all characters of our text, 0…1."""
    their_share: float
    credit: Credit
    standing: Standing
    broken_terms: tuple[LicenceTerm, ...] = ()
    licence_id: int | None = None


@dataclass(frozen=True, slots=True)
class CasePageRecord:
    """A page of the other side, with what the last judgement of the pair found."""

    their_page_id: int
    their_url: str
    our_text_id: int
    their_text_id: int
    kind: MatchKind
    chars: int
    our_share: float
    their_share: float
    credit: Credit
    standing: Standing
    broken_terms: tuple[LicenceTerm, ...]
    licence_id: int | None
    found_at: datetime
    gone_at: datetime | None
    """When a new judgement no longer found the copy."""
    their_title: str = ""
    their_site: str | None = None
    published_at: datetime | None = None
    page_gone_at: datetime | None = None
    """When the copy was found removed: two looks found the page saying that it is not there."""
    hit_id: int | None = None
    """The hit that shows the pair side by side; None where the match is no longer stored."""
    score: float | None = None
    confidence: float | None = None
    """That the source, whichever of the two it is, was first."""
    source_page_id: int | None = None
    captures: int = 0
    """Entries of evidence about the page."""
    captured_at: datetime | None = None
    evidence: PageEvidence = NOTHING_KEPT
    """Whether a response of its own is kept; `captures` counts all that is known of its address."""
    copy_state: CopyState | None = None
    """What the looks at the page made known; None where there was none yet."""
    copy_since: datetime | None = None
    copy_refusal: str | None = None
    """Why the last look found no article."""

    @property
    def stands(self) -> bool:
        """Whether it holds a copy as far as is known."""
        is_there = self.page_gone_at is None if self.copy_state is None else self.copy_state in STANDING_STATES
        return self.gone_at is None and is_there


@dataclass(frozen=True, slots=True)
class CaseEventRecord:
    at: datetime
    kind: CaseEventKind
    actor: str
    """Empty: the program."""
    from_state: CaseState | None
    to_state: CaseState | None
    note: str
    details: Mapping[str, object] = field(default_factory=dict)
    id: int = 0


@dataclass(frozen=True, slots=True)
class NoticeRecord:
    """That the copier was written to, and what came back."""

    id: int
    recipient: str
    channel: NoticeChannel
    sent_at: datetime
    reply: str
    replied_at: datetime | None


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """A case without its pages: what a list shows. Its figures are those of its live pages, or the last there were."""

    id: int
    our_page_id: int
    our_url: str
    other_key: str
    other_owner_id: int | None
    other_name: str
    """The owner's name, or the host where no owner is known."""
    queue: CaseQueue
    state: CaseState
    touched: bool
    assignee_id: int | None
    deadline: datetime | None
    notes: str
    opened_at: datetime
    changed_at: datetime
    dismissed_because: Dismissal | None
    pages: int
    """How many of their pages hold a copy."""
    chars: int
    """The most that one of them has of ours, in characters."""
    our_share: float
    """Of that page: the share of our text that stands in it."""
    their_share: float
    kind: MatchKind | None
    credit: Credit | None
    """The least that one of the pages gives."""
    standing: Standing | None
    """The worst of the pages."""
    score: float | None
    severity: Severity
    our_title: str
    our_site: str | None
    assignee: str | None
    their_url: str | None
    """Of the page that has most."""
    their_title: str


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something with a case: an account. The program is None."""

    account_id: int
    name: str
