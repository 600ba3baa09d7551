"""Revisit times, by how often visits brought news. Pure."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from crawler.extraction.list_pagination import page_number
from crawler.outcomes.refusals import Refusal
from crawler.urls.dated_archives import period_of
from storage.crawl import revisit_interval
from storage.records.crawl import Claim, History, Tier, UrlKind, UrlState, Visit

REMEMBERED_VISITS: Final = 6
"""More are halved: a site that stops publishing is noticed after a few visits, not after a year."""

ALIAS_AGAIN: Final = timedelta(days=60)
REFUSED_AGAIN: Final = timedelta(days=30)
GONE_FIRST: Final = timedelta(days=1)
FAILED_FIRST: Final = timedelta(hours=1)
LONGEST_BACK_OFF: Final = timedelta(days=30)

_PASSING_TEXT: Final = """
    timeout unreachable bad-status host-held barred broken-response parser-died
"""
PASSING: Final = frozenset(map(Refusal, _PASSING_TEXT.split()))
"""Refusals that may pass within an hour."""

LISTS: Final = frozenset({Refusal.LIST_PAGE, Refusal.NOT_AN_ARTICLE})
"""Pages that hold no article and lead to some."""


class Answer(NamedTuple):
    """The answer of an address, as far as it is stored. `url` is canonical, after redirects."""

    url: str
    at: datetime
    etag: str | None = None
    last_modified: str | None = None


class Rhythm(NamedTuple):
    """The first, least and longest interval between visits."""

    first: timedelta
    least: timedelta
    most: timedelta


RHYTHMS: Final = {
    UrlKind.ARTICLE: Rhythm(timedelta(days=1), timedelta(hours=12), timedelta(days=90)),
    UrlKind.LIST: Rhythm(timedelta(hours=1), timedelta(minutes=15), timedelta(days=30)),
    UrlKind.FEED: Rhythm(timedelta(minutes=30), timedelta(minutes=10), timedelta(days=7)),
    UrlKind.SITEMAP: Rhythm(timedelta(hours=1), timedelta(minutes=30), timedelta(days=7)),
}
"""Articles are corrected in their first days and taken down in their first weeks; news shows on lists and feeds."""

LATER_PAGE: Final = Rhythm(timedelta(days=2), timedelta(hours=12), timedelta(days=90))
"""Of the later pages of a list: news shows on its first page."""

PAST_PERIOD: Final = Rhythm(timedelta(days=30), timedelta(days=7), timedelta(days=180))
"""An archive of past dates."""

PERIOD_OVER: Final = timedelta(days=3)
"""An archive may still be filled for this long after its last date."""


def rhythm_of(kind: UrlKind, url: str, *, at: datetime) -> Rhythm:
    """The rhythm for a kind of page; for a list, also by its address."""
    if kind is UrlKind.LIST:
        period = period_of(url)
        if period is not None and period.last + PERIOD_OVER < at.date():
            return PAST_PERIOD
        if page_number(url) > 1:
            return LATER_PAGE
    return RHYTHMS[kind]


def interval(kind: Rhythm, history: History) -> timedelta:
    """The interval until the next visit: a share of the mean time between changes, within the bounds of the rhythm."""
    wait_s = revisit_interval.wait_s(history)
    if wait_s is None:
        return kind.first
    return timedelta(seconds=min(max(wait_s, kind.least.total_seconds()), kind.most.total_seconds()))


def observed(claim: Claim, *, changed: bool, at: datetime) -> History:
    """The history with this visit. The very first visit says nothing about change."""
    if claim.visited_at is None or claim.state in (UrlState.NEW, UrlState.REFUSED):
        return claim.history
    before = claim.history
    elapsed_s = max(0.0, (at - claim.visited_at).total_seconds())
    after = History(before.visits + 1, before.changes + changed, before.observed_s + elapsed_s)
    if after.visits <= REMEMBERED_VISITS:
        return after
    return History(after.visits // 2, after.changes // 2, after.observed_s / 2)


def read(claim: Claim, answer: Answer, *, kind: UrlKind, changed: bool, refusal: Refusal | None = None) -> Visit:
    """The address was read: an article, or a list that may lead to some."""
    history = observed(claim, changed=changed, at=answer.at)
    return Visit(
        id=claim.id,
        url=answer.url,
        kind=kind,
        state=UrlState.SEEN,
        tier=_tier(claim, kind),
        at=answer.at,
        due_at=answer.at + interval(rhythm_of(kind, answer.url, at=answer.at), history),
        history=history,
        refusal=refusal,
        etag=answer.etag,
        last_modified=answer.last_modified,
    )


def unchanged(claim: Claim, *, at: datetime) -> Visit:
    """The server said that nothing changed."""
    return read(claim, Answer(claim.url, at, claim.etag, claim.last_modified), kind=claim.kind, changed=False)


def refused(claim: Claim, refusal: Refusal, *, at: datetime, due_at: datetime | None = None) -> Visit:
    """The address gave nothing. Passing refusals, and pages that are gone, are retried with growing delays."""
    back_off = min(LONGEST_BACK_OFF, _first(refusal) * 3 ** min(claim.attempts - 1, 9))
    is_kept = refusal in PASSING and claim.state in (UrlState.NEW, UrlState.SEEN)
    state = UrlState.GONE if refusal is Refusal.GONE else claim.state if is_kept else UrlState.REFUSED
    return Visit(
        id=claim.id,
        url=claim.url,
        kind=claim.kind,
        state=state,
        tier=claim.tier if is_kept else _tier(claim, claim.kind),
        at=at,
        due_at=due_at or at + back_off,
        history=claim.history,
        attempts=claim.attempts,
        refusal=refusal,
        etag=claim.etag if is_kept else None,
        last_modified=claim.last_modified if is_kept else None,
    )


def leads_elsewhere(claim: Claim, *, at: datetime) -> Visit:
    """The address leads to another one of the site."""
    return Visit(
        id=claim.id,
        url=claim.url,
        kind=claim.kind,
        state=UrlState.ALIAS,
        tier=_tier(claim, claim.kind),
        at=at,
        due_at=at + ALIAS_AGAIN,
        refusal=Refusal.DUPLICATE,
    )


def _first(refusal: Refusal) -> timedelta:
    if refusal is Refusal.GONE:
        return GONE_FIRST
    return FAILED_FIRST if refusal in PASSING else REFUSED_AGAIN


def _tier(claim: Claim, kind: UrlKind) -> Tier:
    if claim.tier is Tier.ENTRY:
        return Tier.ENTRY
    return Tier.REVISIT if kind is UrlKind.ARTICLE else Tier.LIST
