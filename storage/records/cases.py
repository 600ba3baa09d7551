"""Records of licences and cases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from storage.records.copy_states import STANDING_STATES
from storage.records.evidence import NOTHING_KEPT, PageEvidence
from storage.types import (
    BY_MEANING,
    CaseEventKind,
    CaseKind,
    CaseQueue,
    CaseState,
    CopyState,
    Credit,
    Dismissal,
    FoundBy,
    LicenceTerm,
    NoticeChannel,
    Precision,
    Relation,
    Severity,
    Standing,
)


@dataclass(frozen=True, slots=True)
class LicenceTerms:
    """The terms of a licence. Exactly one of `owner`, `author` and `article_url` says which texts it covers."""

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
    """A judged pair of pages for a case: one of ours, and one of another owner."""

    queue: CaseQueue
    our_page_id: int
    our_text_id: int
    their_page_id: int
    their_text_id: int
    other_key: str
    """Who is behind their page: PageRecord.owner_key."""
    other_owner_id: int | None
    other_host: str
    kind: CaseKind
    chars: int
    """Characters of our text that are in theirs, without boilerplate (`matcher.judgement.overlap`); of a retelling,
    those of its sentences."""
    our_share: float
    """`chars` as a share of our text, 0…1."""
    their_share: float
    credit: Credit
    standing: Standing
    broken_terms: tuple[LicenceTerm, ...] = ()
    licence_id: int | None = None
    third_page_id: int | None = None
    """The stored page that both have it from: such a finding closes a case, or makes a closed one."""
    other_account: str | None = None
    """On a platform of many authors, whose page theirs is."""


@dataclass(frozen=True, slots=True)
class CasePageRecord:
    """A page of the copier in a case, with the last judgement of the pair."""

    their_page_id: int
    their_url: str
    our_text_id: int
    their_text_id: int
    kind: CaseKind
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
    """When the copy was found removed: two rechecks found that the page says it does not exist."""
    hit_id: int | None = None
    """The hit that shows the pair side by side; None where the match is no longer stored."""
    score: float | None = None
    confidence: float | None = None
    """Of the direction: that the source, whichever page it is, was first."""
    source_page_id: int | None = None
    captures: int = 0
    """Entries of evidence about the page."""
    captured_at: datetime | None = None
    evidence: PageEvidence = NOTHING_KEPT
    """Whether a response of its own is kept; `captures` counts all entries about its URL."""
    copy_state: CopyState | None = None
    """The result of the rechecks; None if there was none yet."""
    copy_since: datetime | None = None
    copy_refusal: str | None = None
    """Why the last recheck found no article."""
    retelling_id: int | None = None
    """The retelling that shows what the pair says in other words, if there is one."""
    relation: Relation | None = None
    """Of the hit; None where the match is no longer stored."""
    third_url: str | None = None
    """The page that both have it from, if one is known."""
    provisional: bool = False
    """Whether the hit rests on little: one passage that may be boilerplate."""
    in_our_articles: int = 0
    """Stories of ours in which that passage stands, if they are so many that it is provisional for that reason."""
    found_by: FoundBy = FoundBy.SPIDER

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
    """A notice to the copier, with its reply."""

    id: int
    recipient: str
    channel: NoticeChannel
    sent_at: datetime
    reply: str
    replied_at: datetime | None
    letter_id: int | None = None
    """The stored letter, if the notice was one."""


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """A case without its pages, as lists show it. Its figures are those of its live pages, or of the last ones."""

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
    """Number of their pages that hold a copy."""
    chars: int
    """The largest copy among them, in characters of our text."""
    our_share: float
    """The share of our text in that page, 0…1."""
    their_share: float
    kind: CaseKind | None
    credit: Credit | None
    """The least credit that one of the pages gives."""
    standing: Standing | None
    """The worst of the pages."""
    score: float | None
    severity: Severity
    our_title: str
    our_site: str | None
    assignee: str | None
    their_url: str | None
    """The page with the largest copy."""
    their_title: str
    snoozed_until: datetime | None = None
    """Put off until then; a moment in the past: it has come back."""
    our_published_at: datetime | None = None
    our_precision: Precision | None = None
    their_published_at: datetime | None = None
    """As the page with the largest copy states."""
    their_precision: Precision | None = None

    @property
    def accuses(self) -> bool:
        """Whether it says that somebody copied. Other cases are similar texts, or may have another source."""
        return self.queue is CaseQueue.COPIED and self.kind not in BY_MEANING

    @property
    def delay(self) -> timedelta | None:
        """From our stated date to theirs, negative if theirs is earlier; in whole days if one of them states no time of
        day. None if one states no day.
        """
        if self.our_published_at is None or self.their_published_at is None:
            return None
        if not {self.our_precision, self.their_precision} <= {Precision.SECOND, Precision.MINUTE, Precision.DAY}:
            return None
        apart = self.their_published_at - self.our_published_at
        is_by_day = Precision.DAY in (self.our_precision, self.their_precision)
        return timedelta(days=round(apart / timedelta(days=1))) if is_by_day else apart


@dataclass(frozen=True, slots=True)
class Actor:
    """The account that acts on a case. None stands for the program."""

    account_id: int
    name: str
