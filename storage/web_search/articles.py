"""Articles of ours about which search services may be asked, and what is known about each. Published ones only."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Interval,
    Select,
    and_,
    any_,
    cast,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.cases import Case, CasePage
from storage.models.matches import Match
from storage.models.originals import Original
from storage.models.pages import Page, PageVersion, Text
from storage.models.sites import Licence, Owner, Site
from storage.models.web_search import SearchVisit
from storage.postgres.rows import columns_of, records_of
from storage.postgres.text import storable
from storage.records.web_search import ArticleToAsk
from storage.types import FOUND_BY_CRAWLS, CaseQueue, CaseState, SiteRole

_NO_COPY: Final = (CaseState.DISMISSED, CaseState.WITHDRAWN)
_published: Final = func.coalesce(PageVersion.published_at, Page.first_seen_at)
_was_copied: Final = (
    select(CasePage.id)
    .join(Case, Case.id == CasePage.case_id)
    .where(Case.our_page_id == Page.id, Case.state.not_in(_NO_COPY), Case.queue != CaseQueue.SHARED_PASSAGE)
    .exists()
)


def articles_of_site(
    session: Session, site_id: int, *, now: datetime, visits: Sequence[timedelta], limit: int
) -> list[ArticleToAsk]:
    """Return the articles of a site that are due, those copied before first, then the newest.

    `visits`: how long after its publication an article is asked about. One visit stands for all missed before it.
    """
    waits = func.unnest(cast(list(visits), ARRAY(Interval))).column_valued("wait")
    passed = select(func.count()).where(_published + waits <= now).scalar_subquery()
    due = func.coalesce(SearchVisit.done, 0) < passed
    statement = _articles(now).where(Site.id == site_id, due)
    order = (_was_copied.desc(), _published.desc(), Page.id.desc())
    return records_of(ArticleToAsk, session.execute(statement.order_by(*order).limit(limit)))


def article_at(session: Session, url: str, *, now: datetime) -> ArticleToAsk | None:
    """Return the article of ours at a canonical address, due or not; None if nothing may be asked about it."""
    rows = session.execute(_articles(now).where(Page.url == storable(url)))
    return next(iter(records_of(ArticleToAsk, rows)), None)


def keep_visit(session: Session, page_id: int, *, done: int) -> None:
    """Record that the first `done` visits of an article are made."""
    values = {"done": done, "visited_at": func.now()}
    statement = insert(SearchVisit).values(page_id=page_id, **values)
    session.execute(statement.on_conflict_do_update(index_elements=[SearchVisit.page_id], set_=values))


def bodies_elsewhere(session: Session, text_id: int, text_ids: Collection[int]) -> list[str]:
    """Return those of these texts that are no known copies of a text of ours: wording that stands there as well is
    nobody's own. Texts of our own sites are among them, whatever they share.
    """
    low, high = func.least(Text.id, text_id), func.greatest(Text.id, text_id)
    is_match = exists().where(Match.low_text_id == low, Match.high_text_id == high)
    is_ours = (
        exists()
        .where(PageVersion.text_id == Text.id, PageVersion.page_id == Page.id)
        .where(Page.site_id == Site.id, Site.role == SiteRole.ORIGINAL)
    )
    statement = select(Text.body).where(Text.id.in_(text_ids), Text.id != text_id, or_(is_ours, ~is_match))
    return list(session.scalars(statement.order_by(Text.id)))


def own_hosts(session: Session) -> set[str]:
    """Return the hosts of our sites, and of all sites of their owners."""
    ours = select(Site.owner_id).where(Site.role == SiteRole.ORIGINAL)
    return set(session.scalars(select(func.unnest(Site.hosts)).where(Site.owner_id.in_(ours))))


def licensed_hosts(session: Session, article: ArticleToAsk, *, now: datetime) -> set[str]:
    """Return the hosts of sites whose owners have a licence for an article at this time."""
    is_for = or_(
        Licence.owner_id == article.owner_id,
        *([Licence.author == article.author] if article.author else []),
        Licence.article_url == article.url,
    )
    holds = and_(
        or_(Licence.valid_from.is_(None), Licence.valid_from <= now),
        or_(Licence.valid_until.is_(None), Licence.valid_until > now),
    )
    statement = select(func.unnest(Site.hosts)).join(Licence, Licence.copier_id == Site.owner_id).where(is_for, holds)
    return set(session.scalars(statement))


def _articles(now: datetime) -> Select[*tuple[Any, ...]]:
    """Pages of our sites that are published as far as is known: on the web, not gone, not withdrawn, not dated ahead.

    What was not seen by a crawl has still to be looked at before it is asked about.
    """
    withdrawn = exists().where(Original.page_id == Page.id, Original.gone_at.is_not(None))
    is_published: tuple[ColumnElement[bool], ...] = (
        or_(Page.url.startswith("http://"), Page.url.startswith("https://")),
        Page.host == any_(Site.hosts),
        Page.gone_at.is_(None),
        _published <= now,
        ~withdrawn,
    )
    columns = columns_of(
        ArticleToAsk,
        Page,
        PageVersion,
        page_id=Page.id,
        site_id=Site.id,
        site_name=Site.name,
        owner_id=Owner.id,
        published_at=_published,
        done=func.coalesce(SearchVisit.done, 0),
        was_copied=_was_copied,
        was_crawled=Page.found_by.in_(FOUND_BY_CRAWLS),
    )
    return (
        select(*columns)
        .join(PageVersion, (PageVersion.page_id == Page.id) & PageVersion.is_current)
        .join(Site, Site.id == Page.site_id)
        .join(Owner, Owner.id == Site.owner_id)
        .outerjoin(SearchVisit, SearchVisit.page_id == Page.id)
        .where(Site.role == SiteRole.ORIGINAL, Site.enabled, *is_published)
    )
