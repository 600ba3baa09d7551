"""Records of lists of search services: queries, what they found, hosts that somebody decided about."""

from dataclasses import dataclass
from datetime import datetime

from storage.types import FindState, HostDecision


@dataclass(frozen=True, slots=True)
class QueryFilter:
    """None: any. `is_answered`: False are those that failed or have no end. `page_id`: the article of ours."""

    service: str | None = None
    site: str | None = None
    is_answered: bool | None = None
    page_id: int | None = None


@dataclass(frozen=True, slots=True)
class QueryLine:
    """A query. Without article: a person tried the service out, or the article is not stored any more."""

    id: int
    service: str
    phrase: str
    site_name: str | None
    page_id: int | None
    our_url: str | None
    our_title: str | None
    price: float
    booked_at: datetime
    ended_at: datetime | None
    fault: str | None
    results: int
    unusable: int
    beyond: int


@dataclass(frozen=True, slots=True)
class FindFilter:
    """None: any. `text`: part of an address or a title. `page_id`: the article of ours."""

    state: FindState | None = None
    site: str | None = None
    host: str | None = None
    text: str | None = None
    page_id: int | None = None


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that services returned for an article of ours, with the case that came of it."""

    id: int
    page_id: int
    our_url: str
    our_title: str
    site_name: str | None
    url: str
    host: str
    title: str
    services: tuple[str, ...]
    score: float
    state: FindState
    reason: str | None
    found_at: datetime
    fetched_at: datetime | None
    their_page_id: int | None
    case_id: int | None


@dataclass(frozen=True, slots=True)
class DecidedHost:
    host: str
    decision: HostDecision
    decided_at: datetime
    decided_by: str


@dataclass(frozen=True, slots=True)
class DiscoveryTotals:
    """Since the beginning. `articles`: of ours that were asked about; `finds`: pages that services returned, by state;
    `cases`: with a page that only a service found.
    """

    articles: int
    queries: int
    failed: int
    money: float
    finds: dict[FindState, int]
    cases: int
