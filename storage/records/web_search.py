"""Records of search services: queries, money, finds, hosts."""

from dataclasses import dataclass
from datetime import datetime

from storage.types import FindState, HostDecision


@dataclass(frozen=True, slots=True)
class NewQuery:
    """`price`: in the currency of the service."""

    service: str
    phrase: str
    site_id: int | None
    page_id: int | None
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class SpentRecord:
    """What was booked since a day and a month began, answered or not."""

    queries_today: int
    queries_this_month: int
    money_this_month: float


@dataclass(frozen=True, slots=True)
class RestRecord:
    """A service that failed `failures` times in a row, and until when it is left alone."""

    service: str
    failures: int
    until: datetime
    fault: str
    problem: str


@dataclass(frozen=True, slots=True)
class NewFind:
    """`state`: WAITING, or LEFT_OUT with its reason."""

    url: str
    host: str
    title: str
    snippet: str
    services: tuple[str, ...]
    score: float
    state: FindState
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class FindRecord:
    id: int
    page_id: int
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


@dataclass(frozen=True, slots=True)
class ArticleToAsk:
    """An article of ours about which services may be asked."""

    page_id: int
    text_id: int
    url: str
    title: str
    author: str
    language: str
    site_id: int
    site_name: str
    owner_id: int
    published_at: datetime
    """Where unknown, when it was first seen."""
    last_seen_at: datetime
    done: int
    """Visits made."""
    was_copied: bool
    was_crawled: bool
    """Whether a crawl found it, and saw it on the web: not an import, and not pushed by a publisher's system."""


@dataclass(frozen=True, slots=True)
class HostFigures:
    """What was fetched from a host because services returned it, and how much of it was a copy."""

    host: str
    fetched: int
    copies: int


@dataclass(frozen=True, slots=True)
class ProposedHost:
    """A host with copies that belongs to no site, and about which nobody has decided."""

    host: str
    articles: int
    """Of ours, of which it has copies."""
    copies: int
    last_found_at: datetime
    example: str


@dataclass(frozen=True, slots=True)
class SearchFigures:
    """`queries_today`: booked since the day began. `waiting`: finds to be fetched. `copies`: found so far."""

    queries_today: int
    waiting: int
    copies: int


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
