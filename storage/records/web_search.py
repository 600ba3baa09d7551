"""Records of search services: queries, money, finds, hosts."""

from dataclasses import dataclass
from datetime import datetime

from storage.types import FindState


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
class ServiceSpent:
    """What was booked at a service since a day and a month began, answered or not."""

    service: str
    queries_today: int
    queries_this_month: int
    money_this_month: float
