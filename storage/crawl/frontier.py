"""The URL frontier of a site: URLs are discovered, claimed by a run, visited, and due again. No state in processes.

Only the run that holds the site's lock claims URLs, so any lease found when a run opens the frontier is from a run that
died, and is freed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import and_, case, func, literal_column, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.frontier import FrontierTrap, FrontierUrl
from storage.models.pages import Page
from storage.postgres.rows import columns_of, record_or_none, records_of
from storage.postgres.writes import upsert, values_of
from storage.records.crawl import Claim, FoundUrl, History, KnownUrl, Tier, UrlKind, UrlState, Visit
from storage.records.pages import Declared
from storage.types import FoundBy

LEASE: Final = timedelta(minutes=15)
"""A visit takes at most two minutes. URLs lost inside a process are due again after this time."""

SUSPECT_ATTEMPTS: Final = 4
SUSPECT_WAIT: Final = timedelta(hours=6)

ADOPTED_AT_ONCE: Final = 1_000
FOLLOWING_PART: Final = "following-part"
"""The refusal of a URL that is a part of another page."""

_TIERS: Final = (Tier.ENTRY, Tier.LIST, Tier.NEW, Tier.REVISIT)
_CLAIM_COLUMNS: Final = columns_of(
    Claim,
    FrontierUrl,
    declared=columns_of(
        Declared,
        at=FrontierUrl.declared_at,
        precision=FrontierUrl.declared_precision,
        origin=FrontierUrl.declared_origin,
    ),
    history=columns_of(History, FrontierUrl),
)


def open_frontier(session: Session, site_id: int, entries: Sequence[FoundUrl], *, revisit: bool = False) -> None:
    """Frees the claims of a run that died, and makes the site's entries due; with `revisit`, all URLs."""
    of_site = FrontierUrl.site_id == site_id
    is_suspect = FrontierUrl.attempts >= SUSPECT_ATTEMPTS
    session.execute(
        update(FrontierUrl)
        .where(of_site, FrontierUrl.leased_until.is_not(None))
        .values(
            leased_until=None,
            leased_by=None,
            # A URL that was claimed whenever a run died may be the cause: others come first.
            due_at=case((is_suspect, func.now() + SUSPECT_WAIT), else_=FrontierUrl.due_at),
        )
    )
    add_urls(session, site_id, entries)
    identities = [found.identity for found in entries]
    is_entry = FrontierUrl.identity.in_(identities)
    session.execute(
        update(FrontierUrl).where(of_site, FrontierUrl.tier == Tier.ENTRY, ~is_entry).values(tier=Tier.LIST)
    )
    session.execute(update(FrontierUrl).where(of_site, is_entry).values(tier=Tier.ENTRY, due_at=func.now()))
    if revisit:
        is_part = FrontierUrl.refusal.is_not_distinct_from(FOLLOWING_PART)
        is_later = FrontierUrl.due_at > func.now()
        session.execute(update(FrontierUrl).where(of_site, is_later, ~is_part).values(due_at=func.now()))


def unadopted_pages(session: Session, site_id: int) -> Iterator[list[tuple[str, str | None, str | None]]]:
    """Stored pages of the site that are not in the frontier (imported ones), in chunks: URL, ETag, Last-Modified."""
    known = select(FrontierUrl.id).where(FrontierUrl.site_id == site_id, FrontierUrl.url == Page.url)
    statement = select(Page.url, Page.etag, Page.last_modified).where(
        Page.site_id == site_id, Page.url.startswith("http"), Page.gone_at.is_(None), ~known.exists()
    )
    rows = session.execute(statement.execution_options(yield_per=ADOPTED_AT_ONCE))
    for part in rows.partitions():
        yield [(url, etag, last_modified) for url, etag, last_modified in part]


def adopt(session: Session, site_id: int, found: Iterable[tuple[FoundUrl, str | None, str | None]]) -> None:
    """Adds stored pages as URLs to revisit; known URLs stay unchanged."""
    rows = [
        {
            **_columns(site_id, page),
            "state": UrlState.SEEN,
            "tier": Tier.REVISIT,
            "etag": etag,
            "last_modified": last_modified,
        }
        for page, etag, last_modified in found
    ]
    if rows:
        session.execute(insert(FrontierUrl).on_conflict_do_nothing(), rows)


def add_urls(session: Session, site_id: int, found: Iterable[FoundUrl]) -> int:
    """Adds URLs, due at once. Returns how many were new.

    A known URL becomes due if a feed or sitemap says that it changed since the last visit. A URL that is gone gets
    another chance under another spelling.
    """
    rows = {url.identity: _columns(site_id, url) for url in found}
    if not rows:
        return 0
    statement = insert(FrontierUrl)
    new = statement.excluded
    has_changed = new.modified_at > func.coalesce(FrontierUrl.modified_at, FrontierUrl.visited_at)
    is_respelled = and_(FrontierUrl.state == UrlState.GONE, FrontierUrl.url != new.url)
    is_sooner = or_(has_changed, is_respelled)
    # The facts of a feed or sitemap replace those of a link; of several feeds, the first is believed.
    is_better_source = and_(FrontierUrl.found_by == FoundBy.SPIDER, new.found_by != FoundBy.SPIDER)
    upsert: Any = statement.on_conflict_do_update(
        index_elements=[FrontierUrl.site_id, FrontierUrl.identity],
        set_={
            "due_at": case((is_sooner, func.least(FrontierUrl.due_at, func.now())), else_=FrontierUrl.due_at),
            "modified_at": func.coalesce(new.modified_at, FrontierUrl.modified_at),
            "url": case((is_respelled, new.url), else_=FrontierUrl.url),
            "link_depth": func.least(FrontierUrl.link_depth, new.link_depth),
            **{
                column.name: case((is_better_source, new[column.name]), else_=column)
                for column in (
                    *(FrontierUrl.found_by, FrontierUrl.declared_at),
                    *(FrontierUrl.declared_precision, FrontierUrl.declared_origin),
                )
            },
        },
        where=or_(is_sooner, is_better_source, new.link_depth < FrontierUrl.link_depth),
    ).returning(literal_column("(frontier_url.xmax = 0)"))
    # Always in the same order, so that two writers cannot deadlock.
    ordered = [rows[identity] for identity in sorted(rows)]
    return sum(bool(is_new) for (is_new,) in session.execute(upsert, ordered))


def add_entry(session: Session, site_id: int, found: FoundUrl, *, since: datetime) -> None:
    """Adds an entry URL, due at once unless it was visited after `since`."""
    add_urls(session, site_id, [found])
    is_due = or_(FrontierUrl.visited_at.is_(None), FrontierUrl.visited_at < since)
    session.execute(
        update(FrontierUrl)
        .where(FrontierUrl.site_id == site_id, FrontierUrl.identity == found.identity)
        .values(
            tier=Tier.ENTRY,
            due_at=case((is_due, func.least(FrontierUrl.due_at, func.now())), else_=FrontierUrl.due_at),
        )
    )


def claim(session: Session, site_id: int, *, run_id: int, limit: int) -> list[Claim]:
    """Claims up to `limit` due URLs, most urgent first; each is leased to this run until settled."""
    _free_overdue(session, site_id)
    claims: list[Claim] = []
    for tier in _TIERS:
        if len(claims) < limit:
            claims += _claim_tier(session, site_id, tier, run_id=run_id, limit=limit - len(claims))
    return claims


def next_due(session: Session, site_id: int) -> datetime | None:
    """When the next URL is due; in the past if one is due now."""
    return session.scalar(
        select(func.min(FrontierUrl.due_at)).where(FrontierUrl.site_id == site_id, FrontierUrl.leased_until.is_(None))
    )


def settle(session: Session, visit: Visit) -> None:
    """Stores the result of a claim and frees it."""
    history = asdict(visit.history)
    values = values_of(FrontierUrl, visit, visited_at=visit.at, leased_until=None, leased_by=None, **history)
    session.execute(update(FrontierUrl).where(FrontierUrl.id == values.pop("id")).values(**values))


def free(session: Session, claim_id: int) -> None:
    """Returns a claim without a visit."""
    session.execute(update(FrontierUrl).where(FrontierUrl.id == claim_id).values(leased_until=None, leased_by=None))


def renew(session: Session, claim_id: int) -> None:
    """Extends the lease of a visit: an article of thirty pages at a slow host takes longer than one lease."""
    is_ours = (FrontierUrl.id == claim_id) & FrontierUrl.leased_until.is_not(None)
    session.execute(update(FrontierUrl).where(is_ours).values(leased_until=func.now() + LEASE))


def claim_one(session: Session, site_id: int, found: FoundUrl, *, run_id: int) -> Claim | None:
    """Claims one URL, added if unknown; None if it was visited before or is claimed."""
    add_urls(session, site_id, [found])
    is_free = (FrontierUrl.state == UrlState.NEW) & FrontierUrl.leased_until.is_(None)
    statement = select(FrontierUrl.id).where(FrontierUrl.site_id == site_id, FrontierUrl.identity == found.identity)
    return next(iter(_lease(session, statement.where(is_free), run_id=run_id)), None)


def absorb(session: Session, site_id: int, parts: Iterable[FoundUrl], *, until: datetime) -> None:
    """Makes URLs aliases of another page, not visited before `until`; claimed URLs stay unchanged."""
    alias = {"state": UrlState.ALIAS, "tier": Tier.REVISIT, "refusal": FOLLOWING_PART, "due_at": until}
    rows = [_columns(site_id, part) | alias for part in parts]
    if rows:
        statement = insert(FrontierUrl).on_conflict_do_update(
            index_elements=[FrontierUrl.site_id, FrontierUrl.identity],
            set_=alias,
            where=FrontierUrl.leased_until.is_(None),
        )
        session.execute(statement, sorted(rows, key=lambda row: str(row["url"])))


def make_due(session: Session, site_id: int, identity: int) -> None:
    """Makes a known list due at once, whatever its revisit interval."""
    session.execute(
        update(FrontierUrl)
        .where(FrontierUrl.site_id == site_id, FrontierUrl.identity == identity, FrontierUrl.kind == UrlKind.LIST)
        .values(due_at=func.least(FrontierUrl.due_at, func.now()))
    )


def lists(session: Session, site_id: int, *, limit: int) -> list[str]:
    """URLs of lists, last visited first."""
    statement = select(FrontierUrl.url).where(
        FrontierUrl.site_id == site_id, FrontierUrl.kind == UrlKind.LIST, FrontierUrl.state == UrlState.SEEN
    )
    return list(session.scalars(statement.order_by(FrontierUrl.visited_at.desc()).limit(limit)))


def known(session: Session, site_id: int, identity: int) -> KnownUrl | None:
    statement = select(*columns_of(KnownUrl, FrontierUrl))
    here = (FrontierUrl.site_id == site_id, FrontierUrl.identity == identity)
    return record_or_none(KnownUrl, session.execute(statement.where(*here)))


def due_urls(session: Session, site_id: int, *, limit: int) -> list[str]:
    """Some of the due URLs, most urgent first."""
    statement = select(FrontierUrl.url).where(
        FrontierUrl.site_id == site_id, FrontierUrl.leased_until.is_(None), FrontierUrl.due_at <= func.now()
    )
    return list(session.scalars(statement.order_by(FrontierUrl.tier, FrontierUrl.due_at).limit(limit)))


def traps(session: Session, site_id: int, *, limit: int) -> list[str]:
    """Shapes of URLs that are not followed at present."""
    statement = select(FrontierTrap.shape).where(FrontierTrap.site_id == site_id, FrontierTrap.until > func.now())
    return list(session.scalars(statement.order_by(FrontierTrap.until.desc()).limit(limit)))


def remember_trap(session: Session, site_id: int, shape: str, *, until: datetime) -> None:
    upsert(session, FrontierTrap, {"site_id": site_id, "shape": shape}, {"until": until})


def _columns(site_id: int, found: FoundUrl) -> dict[str, object]:
    return values_of(
        FrontierUrl,
        found,
        site_id=site_id,
        tier=Tier.NEW if found.kind is UrlKind.ARTICLE else Tier.LIST,
        declared_at=found.declared.at,
        declared_precision=found.declared.precision,
        declared_origin=found.declared.origin,
    )


def _free_overdue(session: Session, site_id: int) -> None:
    session.execute(
        update(FrontierUrl)
        .where(FrontierUrl.site_id == site_id, FrontierUrl.leased_until < func.now())
        .values(leased_until=None, leased_by=None)
    )


def _claim_tier(session: Session, site_id: int, tier: Tier, *, run_id: int, limit: int) -> list[Claim]:
    due = (
        select(FrontierUrl.id)
        .where(
            *(FrontierUrl.site_id == site_id, FrontierUrl.tier == tier),
            *(FrontierUrl.leased_until.is_(None), FrontierUrl.due_at <= func.now()),
        )
        .order_by(FrontierUrl.due_at, FrontierUrl.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    claims = _lease(session, due, run_id=run_id)
    return sorted(claims, key=lambda claimed: claimed.id)


def _lease(session: Session, chosen: Any, *, run_id: int) -> list[Claim]:
    statement = (
        update(FrontierUrl)
        .where(FrontierUrl.id.in_(chosen.scalar_subquery()))
        .values(leased_until=func.now() + LEASE, leased_by=run_id, attempts=FrontierUrl.attempts + 1)
        .returning(*_CLAIM_COLUMNS)
        .execution_options(synchronize_session=False)
    )
    return records_of(Claim, session.execute(statement))
