"""Who copies whom: parties, flows between them, and the most copied articles.

A party is an owner, or a host without a known owner. Figures are of the newest hits up to a bound, looked up by primary
keys, so that the cost does not grow with the store.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    CTE,
    ColumnElement,
    Select,
    String,
    and_,
    case,
    cast,
    extract,
    func,
    literal,
    select,
    true,
    union,
)
from sqlalchemy.orm import Session
from sqlalchemy.sql.selectable import LateralFromClause

from storage.matches.filters import copy_page_id
from storage.models.matches import Match, PageMatch
from storage.models.pages import Page, PageVersion
from storage.models.sites import Owner, OwnerAccount, Site
from storage.postgres.rows import columns_of
from storage.types import Credit, Precision, SiteRole

HITS_COUNTED: Final = 10_000
MOST_EDGES: Final = 1_000
MOST_COPIERS: Final = 100
MOST_ARTICLES: Final = 50

_DATED: Final = (Precision.SECOND, Precision.MINUTE, Precision.DAY)
"""Dates exact enough for delays in hours."""


@dataclass(frozen=True, slots=True)
class CopyingFilter:
    """Which hits are counted. `ours`: only copies of pages on our sites."""

    since: datetime | None = None
    ours: bool = False
    copier: str | None = None
    """The key of a party."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What one party copied from another."""

    source_key: str
    source_name: str
    source_is_ours: bool
    copier_key: str
    copier_name: str
    copier_is_ours: bool
    hits: int
    articles: int
    credited: int
    median_h: float | None
    """Median hours from the original to the copy, for dated pages."""
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Copier:
    """A party that copies: how much, from how many, how fast, and with which credit."""

    key: str
    name: str
    is_ours: bool
    hits: int
    articles: int
    sources: int
    linked: int
    named: int
    mean_share: float | None
    """Mean share of its pages that is in the source, 0…1."""
    median_h: float | None


@dataclass(frozen=True, slots=True)
class CopiedArticle:
    page_id: int
    title: str
    url: str
    name: str
    is_ours: bool
    copies: int
    copiers: int
    credited: int
    first_h: float | None
    """Hours to the first dated copy."""


@dataclass(frozen=True, slots=True)
class Overview:
    edges: list[Edge]
    copiers: list[Copier]
    articles: list[CopiedArticle]


@dataclass(frozen=True, slots=True)
class Party:
    """A copier with its edges, the numbers of its hits (the last found first), and how many hours after the original
    each dated copy came, ascending; before it: negative.
    """

    copier: Copier
    edges: list[Edge]
    hits: list[int]
    hours: list[float]


Rows: TypeAlias = Mapping[str, list[dict[str, Any]]]
"""The rows of queries, by the name of the query."""


def has_more(session: Session) -> bool:
    """Whether there are more hits than HITS_COUNTED."""
    return (session.scalar(select(func.count()).select_from(_newest(HITS_COUNTED + 1))) or 0) > HITS_COUNTED


def edges(session: Session, asked: CopyingFilter, *, limit: int = MOST_EDGES) -> list[Edge]:
    """Those with most hits first."""
    found = _together(session, edges=_edges(_hits_of_parties(asked), limit))
    return _edges_of(found)


def overview(
    session: Session, asked: CopyingFilter, *, copiers: int = MOST_COPIERS, articles: int = MOST_ARTICLES
) -> Overview:
    """One reading of the hits. Edges and copiers: those with most hits first. Articles: those that most parties have
    first, then those with most copies.
    """
    hits = _hits_of_parties(asked)
    found = _together(session, edges=_edges(hits, MOST_EDGES), copiers=_copiers(hits, copiers),
                      articles=_articles(hits, articles))  # fmt: skip
    return Overview(_edges_of(found), _copiers_of(found), _articles_of(found))


def party(session: Session, asked: CopyingFilter, *, edges: int, hits: int) -> Party | None:
    """The copier of the filter, from one reading of the hits; None if it has none. At most so many edges and hits."""
    counted = _hits_of_parties(asked)
    found = _together(
        session,
        copiers=_copiers(counted, 1),
        edges=_edges(counted, edges),
        ids=select(counted.c.hit_id).order_by(counted.c.hit_id.desc()).limit(hits),
        hours=select(counted.c.hours).where(counted.c.hours.is_not(None)).order_by(counted.c.hours),
    )
    if not found["copiers"]:
        return None
    ids, hours = ([row[name] for row in found[part]] for part, name in (("ids", "hit_id"), ("hours", "hours")))
    return Party(_copiers_of(found)[0], _edges_of(found), ids, hours)


def _edges(hits: CTE, limit: int) -> Select[Any]:
    count, names = func.count(), (hits.c.source_key, hits.c.copier_key)
    return (
        select(
            hits.c.source_key, func.min(hits.c.source_name).label("source_name"),
            func.bool_or(hits.c.source_is_ours).label("source_is_ours"), hits.c.copier_key,
            func.min(hits.c.copier_name).label("copier_name"),
            func.bool_or(hits.c.copier_is_ours).label("copier_is_ours"), count.label("hits"),
            func.count(hits.c.source_page_id.distinct()).label("articles"), _credited(hits).label("credited"),
            _median(hits).label("median_h"), func.min(hits.c.found_at).label("first_at"),
            func.max(hits.c.found_at).label("last_at"),
        )
        .group_by(*names)
        .order_by(count.desc(), *names)
        .limit(limit)
    )  # fmt: skip


def _copiers(hits: CTE, limit: int) -> Select[Any]:
    count = func.count()
    return (
        select(
            hits.c.copier_key.label("key"), func.min(hits.c.copier_name).label("name"),
            func.bool_or(hits.c.copier_is_ours).label("is_ours"), count.label("hits"),
            func.count(hits.c.source_page_id.distinct()).label("articles"),
            func.count(hits.c.source_key.distinct()).label("sources"),
            func.count().filter(hits.c.credit == Credit.LINKED).label("linked"),
            func.count().filter(hits.c.credit == Credit.NAMED).label("named"),
            func.avg(hits.c.copy_share).label("mean_share"), _median(hits).label("median_h"),
        )
        .group_by(hits.c.copier_key)
        .order_by(count.desc(), hits.c.copier_key)
        .limit(limit)
    )  # fmt: skip


def _articles(hits: CTE, limit: int) -> Select[Any]:
    parties, copies = func.count(hits.c.copier_key.distinct()), func.count()
    found = (
        select(
            hits.c.source_page_id, func.min(hits.c.source_name).label("name"),
            func.bool_or(hits.c.source_is_ours).label("is_ours"), copies.label("copies"), parties.label("copiers"),
            _credited(hits).label("credited"), func.min(hits.c.hours).filter(hits.c.hours >= 0).label("first_h"),
        )
        .group_by(hits.c.source_page_id)
        .order_by(parties.desc(), copies.desc(), hits.c.source_page_id)
        .limit(limit)
        .subquery()
    )  # fmt: skip
    return (
        select(*columns_of(CopiedArticle, found, Page, page_id=Page.id, title=func.coalesce(PageVersion.title, "")))
        .join(found, found.c.source_page_id == Page.id)
        .outerjoin(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.is_current))
        .order_by(found.c.copiers.desc(), found.c.copies.desc(), Page.id)
    )


def _edges_of(found: Rows) -> list[Edge]:
    days = ("first_at", "last_at")
    return [Edge(**row | {day: datetime.fromisoformat(row[day]) for day in days}) for row in found["edges"]]


def _copiers_of(found: Rows) -> list[Copier]:
    return [Copier(**row) for row in found["copiers"]]


def _articles_of(found: Rows) -> list[CopiedArticle]:
    return [CopiedArticle(**row) for row in found["articles"]]


def _together(session: Session, **parts: Select[Any]) -> Rows:
    """The rows of several queries by name, in one statement: what they share is read once. Days are text."""
    columns = []
    for name, part in parts.items():
        rows = part.subquery(f"rows_of_{name}")
        columns.append(select(func.json_agg(func.row_to_json(rows.table_valued()))).scalar_subquery().label(name))
    found = session.execute(select(*columns)).one()
    return {name: getattr(found, name) or [] for name in parts}


def _newest(bound: int) -> CTE:
    """The newest hits, each with its two pages."""
    columns = (
        *(PageMatch.id, PageMatch.match_id, PageMatch.source_page_id, copy_page_id.label("copy_page_id")),
        *(PageMatch.credit, PageMatch.created_at),
    )
    return select(*columns).order_by(PageMatch.id.desc()).limit(bound).cte("newest_hits")


def _hits_of_parties(asked: CopyingFilter) -> CTE:
    """Each of the newest hits with its two parties: who published the source, and who the copy. Hits of a party with
    itself are left out.

    Columns: `hit_id`, `found_at`, `credit`, `source_page_id`, `copy_page_id`, `copy_share` (of the copy's text, NULL
    where the page has changed since), `hours` (from the source's date to the copy's, NULL where either is vague), and
    `key`, `name` and `is_ours` of both parties, with `source_` and `copier_` before them.
    """
    newest = _newest(HITS_COUNTED)
    parties = _parties(newest)
    source, copy = parties.alias("source"), parties.alias("copier")
    match = _looked_up(
        "found_match", Match.id == newest.c.match_id,
        (Match.low_text_id, Match.high_text_id, Match.low_share, Match.high_share),
    )  # fmt: skip
    # By the text that the page holds now; where neither is, the page has changed since.
    has_low, has_high = (copy.c.text_id == text_id for text_id in (match.c.low_text_id, match.c.high_text_id))
    copy_share = case((has_low, match.c.low_share), (has_high, match.c.high_share))
    both_dated = and_(copy.c.published_precision.in_(_DATED), source.c.published_precision.in_(_DATED))
    hours = extract("epoch", copy.c.published_at - source.c.published_at) / literal(3_600.0)
    statement: Select[Any] = (
        select(
            newest.c.id.label("hit_id"), newest.c.source_page_id, newest.c.copy_page_id, newest.c.credit,
            newest.c.created_at.label("found_at"), copy_share.label("copy_share"),
            case((both_dated, hours)).label("hours"),
            *(side.c[name].label(f"{side.name}_{name}") for side in (source, copy) for name in _OF_PARTY),
        )
        .select_from(newest)
        .join(match, true())
        .join(source, source.c.page_id == newest.c.source_page_id)
        .join(copy, copy.c.page_id == newest.c.copy_page_id)
        .where(source.c.key != copy.c.key)
    )  # fmt: skip
    if asked.since is not None:
        statement = statement.where(newest.c.created_at >= asked.since)
    if asked.ours:
        statement = statement.where(source.c.is_ours)
    if asked.copier is not None:
        statement = statement.where(copy.c.key == asked.copier)
    return statement.cte("hits_of_parties")


_OF_PARTY: Final = ("key", "name", "is_ours")


def _parties(hits: CTE) -> CTE:
    """Each page of these hits once, with who published it and the version that it holds now.

    Columns: `page_id`, `key` (as PageRecord.owner_key has it), `name`, `is_ours`, `text_id`, `published_at`,
    `published_precision`.
    """
    pages = _pages(hits)
    is_account = and_(pages.c.account.is_not(None), Site.role.is_distinct_from(SiteRole.ORIGINAL))
    of_owner, of_host = literal("owner:") + cast(Owner.id, String), literal("host:") + pages.c.host
    of_account = case((is_account, literal("account:") + pages.c.account))
    named = case((is_account, func.coalesce(func.nullif(pages.c.account_name, ""), pages.c.account)))
    return (
        select(
            pages.c.page_id, pages.c.text_id, pages.c.published_at, pages.c.published_precision,
            func.coalesce(of_owner, of_account, of_host).label("key"),
            func.coalesce(Owner.name, named, pages.c.host).label("name"),
            func.coalesce(Site.role == SiteRole.ORIGINAL, False).label("is_ours"),
        )
        .select_from(pages)
        .outerjoin(Site, Site.id == pages.c.site_id)
        .outerjoin(OwnerAccount, OwnerAccount.account == pages.c.account)
        .outerjoin(Owner, Owner.id == case((is_account, OwnerAccount.owner_id), else_=Site.owner_id))
        .cte("parties")
    )  # fmt: skip


def _pages(hits: CTE) -> CTE:
    """The rows of the pages of these hits, looked up in the order of their ids: neighbours share blocks."""
    either = union(select(hits.c.source_page_id.label("id")), select(hits.c.copy_page_id)).subquery("either")
    ids = select(either.c.id).order_by(either.c.id).subquery("page_ids")
    page = _looked_up("found_page", Page.id == ids.c.id, (Page.site_id, Page.host, Page.account, Page.account_name))
    version = _looked_up(
        "found_version", and_(PageVersion.page_id == ids.c.id, PageVersion.is_current),
        (PageVersion.text_id, PageVersion.published_at, PageVersion.published_precision),
    )  # fmt: skip
    found = select(ids.c.id.label("page_id"), *page.c, *version.c).select_from(ids)
    return found.join(page, true()).outerjoin(version, true()).cte("pages_of_hits")


def _looked_up(name: str, condition: ColumnElement[bool], columns: tuple[Any, ...]) -> LateralFromClause:
    """One row for each row outside. With the limit it is looked up by its key: to join ten thousand rows, the planner
    would read a whole table of a million, since their blocks seem far apart.
    """
    return select(*columns).where(condition).limit(1).lateral(name)


def _credited(hits: CTE) -> ColumnElement[int]:
    return func.count().filter(hits.c.credit != Credit.NONE)


def _median(hits: CTE) -> ColumnElement[float]:
    return func.percentile_cont(0.5).within_group(hits.c.hours).filter(hits.c.hours >= 0)
