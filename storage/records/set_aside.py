"""Records of texts that people have set aside as proving nothing."""

from dataclasses import dataclass
from datetime import datetime

from storage.records.matches import Passage
from storage.types import CaseState, MatchKind, SetAsideScope


@dataclass(frozen=True, slots=True)
class NewSetAside:
    """A text to set aside. `site_id` and `owner_key` as the scope asks, else None."""

    body: str
    scope: SetAsideScope = SetAsideScope.EVERYWHERE
    site_id: int | None = None
    owner_key: str | None = None
    page_id: int | None = None
    """Where it was seen; None for a text that was handed in."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class SetAsideRecord:
    """A text that was set aside, with what it did to cases."""

    id: int
    body: str
    scope: SetAsideScope
    site_id: int | None
    site: str | None
    owner_key: str | None
    owner: str | None
    """The name of the party: an owner, or a host or an account without a known owner."""
    page_id: int | None
    page_url: str | None
    note: str
    actor: str
    """Empty: the command line."""
    made_at: datetime
    withdrawn_at: datetime | None
    withdrawn_by: str
    algorithm_version: int
    taken_back: int = 0
    """Cases that left the open ones, or lost a page, when it was set aside."""
    resting: int = 0
    """Decided cases that rest on it."""


@dataclass(frozen=True, slots=True)
class SetAsideCaseRecord:
    """A page of a case that rested on a text when it was set aside."""

    case_id: int
    their_page_id: int
    share: float
    state_before: CaseState
    state: CaseState
    is_taken_back: bool
    our_title: str
    our_url: str
    their_title: str
    their_url: str


@dataclass(frozen=True, slots=True)
class StoredPair:
    """A stored hit, with the open or decided case that its pages are in. In `passages`, left is the low text."""

    hit_id: int
    low_text_id: int
    high_text_id: int
    low_page_id: int
    high_page_id: int
    kind: MatchKind
    passages: tuple[Passage, ...]
    shared_slices: int
    case_id: int | None
    case_state: CaseState | None
    our_page_id: int | None
