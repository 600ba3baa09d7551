"""The decisions that a visit can lead to. `crawler.spider.executor` carries them out; nothing else does."""

from dataclasses import dataclass
from typing import TypeAlias

from crawler.outcomes.refusals import Refusal
from crawler.spider.crawl_store import VisitedArticle
from crawler.spider.decisions.series import Series
from crawler.spider.revisit_policy import Answer
from storage.records.crawl import Claim, FoundUrl, UrlKind


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The server answered that the page has not changed since the last visit."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Gone:
    """The page no longer exists; `reason`: how this was detected."""

    claim: Claim
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """The address gave nothing but the addresses in `found`. `wait_s`: seconds until it is due again, if known."""

    claim: Claim
    refusal: Refusal
    url: str
    found: tuple[FoundUrl, ...] = ()
    wait_s: float | None = None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The address redirects to another one of the site that a crawl visits anyway."""

    claim: Claim
    url: str


@dataclass(frozen=True, slots=True)
class Follow:
    """Follow what a list, feed, sitemap or other page names. `refusal`: why no article is stored of it.

    `next_list`: the page on which a list continues; it becomes due if this one has news.
    """

    claim: Claim
    answer: Answer
    kind: UrlKind
    found: tuple[FoundUrl, ...] = ()
    refusal: Refusal | None = None
    next_list: str | None = None


@dataclass(frozen=True, slots=True)
class AddUrls:
    """Add these addresses to the frontier; a further decision settles the claim."""

    found: tuple[FoundUrl, ...]


@dataclass(frozen=True, slots=True)
class RememberTrap:
    """Addresses of this shape are not followed for a while."""

    shape: str


@dataclass(frozen=True, slots=True)
class NextPart:
    """Fetch the page at `url`, on which the article continues."""

    series: Series
    url: str


@dataclass(frozen=True, slots=True)
class Store:
    """Store the article."""

    item: VisitedArticle


@dataclass(frozen=True, slots=True)
class Wait:
    """Visit the canonical address that the article names first, then store the article unless it is stored there."""

    item: VisitedArticle
    canonical: FoundUrl


@dataclass(frozen=True, slots=True)
class Alias:
    """The article is stored under its canonical address; its own address becomes an alias of that."""

    claim: Claim
    url: str
    found: tuple[FoundUrl, ...]


Settlement: TypeAlias = Unchanged | Gone | Refuse | Duplicate | Follow | Alias
"""A decision after which the claim is settled."""

Decision: TypeAlias = Settlement | AddUrls | RememberTrap | NextPart | Store | Wait
