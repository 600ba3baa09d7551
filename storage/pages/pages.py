"""Pages, their versions and texts: saved together with the fingerprint, in one transaction of the caller's."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import (
    Select,
    and_,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.orm import Session, aliased

from storage.models.pages import Page, PageVersion, Text
from storage.models.sites import Owner, Site
from storage.records.pages import Declared, PageRecord

LIST_CHUNK = 1_000


def text_digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8")).digest()


_PAGE_COLUMNS = (
    *(Page.id, Page.url, Page.host, Page.site_id, Site.name, Site.owner_id, Site.role, Page.found_by),
    *(Page.first_seen_at, Page.gone_at, PageVersion.id, PageVersion.text_id, Text.chars, PageVersion.fetched_at),
    *(PageVersion.title, PageVersion.author, PageVersion.language, PageVersion.published_at),
    *(PageVersion.published_precision, PageVersion.published_origin, PageVersion.rights),
    *(PageVersion.credit_lines, PageVersion.credit_links, PageVersion.canonical_link, Page.last_modified),
    *(Owner.name, Site.rights),
)


def pages_with_versions(*, any_version: bool = False) -> Select[*tuple[Any, ...]]:
    """Each page with its current version, or once with each of its versions."""
    of_page = PageVersion.page_id == Page.id
    return (
        select(*_PAGE_COLUMNS)
        .join(PageVersion, of_page if any_version else and_(of_page, PageVersion.is_current))
        .join(Text, Text.id == PageVersion.text_id)
        .outerjoin(Site, Site.id == Page.site_id)
        .outerjoin(Owner, Owner.id == Site.owner_id)
    )


def page_record(row: Sequence[Any]) -> PageRecord:
    *plain, published_at, precision, origin, rights, lines, links, canonical, modified, owner, rule = row
    declared = Declared(published_at, precision, origin)
    return PageRecord(*plain, declared, rights, tuple(lines), tuple(links), canonical, modified, owner, rule)  # type: ignore[call-arg]  # the columns are listed in the record's order


def get_page(session: Session, url: str) -> PageRecord | None:
    row = session.execute(pages_with_versions().where(Page.url == url)).one_or_none()
    return None if row is None else page_record(row)


def page_by_id(session: Session, page_id: int) -> PageRecord | None:
    row = session.execute(pages_with_versions().where(Page.id == page_id)).one_or_none()
    return None if row is None else page_record(row)


def pages_by_id(session: Session, page_ids: Collection[int]) -> dict[int, PageRecord]:
    """Those of these pages that are there, by id."""
    rows = session.execute(pages_with_versions().where(Page.id.in_(list(page_ids))))
    return {page.id: page for page in map(page_record, rows)}


def list_pages(session: Session, *, site: str | None = None) -> Iterator[PageRecord]:
    """Every page with its current version, oldest first, fetched in chunks."""
    statement = pages_with_versions().order_by(Page.id)
    if site is not None:
        statement = statement.where(Site.name == site)
    for row in session.execute(statement.execution_options(yield_per=LIST_CHUNK)):
        yield page_record(row)


def page_at_version(session: Session, version_id: int) -> PageRecord | None:
    """A page as it was with one of its versions."""
    row = session.execute(pages_with_versions(any_version=True).where(PageVersion.id == version_id)).one_or_none()
    return None if row is None else page_record(row)


def text_body(session: Session, text_id: int) -> str | None:
    return session.scalar(select(Text.body).where(Text.id == text_id))


def validators(session: Session, site_id: int) -> dict[str, tuple[str | None, str | None]]:
    """ETag and Last-Modified by URL, of the site's pages that have either."""
    statement = select(Page.url, Page.etag, Page.last_modified).where(
        Page.site_id == site_id, Page.gone_at.is_(None), Page.etag.is_not(None) | Page.last_modified.is_not(None)
    )
    return {url: (etag, last_modified) for url, etag, last_modified in session.execute(statement)}


def text_ids_of_site(session: Session, site_id: int) -> list[int]:
    statement = select(PageVersion.text_id).join(Page).where(Page.site_id == site_id).distinct()
    return list(session.scalars(statement))


def rename_below(session: Session, before: str, now: str) -> int:
    """Pages whose address begins with `before` get one that begins with `now`; how many. Those whose new address is
    taken stay as they are.
    """
    renamed = literal(now) + func.substr(Page.url, len(before) + 1)
    other = aliased(Page)
    is_free = ~select(other.id).where(other.url == renamed).exists()
    begins = Page.url.startswith(before, autoescape=True)
    return len(session.scalars(update(Page).where(begins, is_free).values(url=renamed).returning(Page.id)).all())


def pages_of_site(session: Session, site_id: int, *, bound: int) -> int:
    """How many pages a site has, counted up to `bound`."""
    counted = select(Page.id).where(Page.site_id == site_id).limit(bound).subquery()
    return session.scalar(select(func.count()).select_from(counted)) or 0
