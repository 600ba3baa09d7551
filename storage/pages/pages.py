"""Reading pages with their versions."""

import hashlib
from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import (
    Select,
    and_,
    case,
    func,
    literal,
    literal_column,
    select,
    update,
)
from sqlalchemy.orm import Session, aliased

from fingerprint.model import ALGORITHM_VERSION
from storage.models.pages import Page, PageVersion, StoredFingerprint, Text
from storage.models.sites import Owner, OwnerAccount, Site
from storage.postgres.rows import columns_of, record_of, record_or_none, records_of
from storage.records.candidates import StoredCode
from storage.records.pages import Declared, PageRecord, Post

LIST_CHUNK = 1_000


def text_digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8")).digest()


OWNER_ID = case(
    (and_(Page.account.is_not(None), Site.role.is_distinct_from(literal_column("'original'"))), OwnerAccount.owner_id),
    else_=Site.owner_id,
)
"""The owner of a page: on a platform of many authors that of the account, not that of the platform."""
DECLARED = columns_of(
    Declared,
    at=PageVersion.published_at,
    precision=PageVersion.published_precision,
    origin=PageVersion.published_origin,
)
_PAGE_COLUMNS = columns_of(
    PageRecord, Page, PageVersion, Text, Site, declared=DECLARED, rights=PageVersion.rights, site_name=Site.name,
    version_id=PageVersion.id, owner_id=OWNER_ID, owner_name=Owner.name, site_rights=Site.rights,
)  # fmt: skip


def pages_with_versions(*, any_version: bool = False) -> Select[*tuple[Any, ...]]:
    """A select of pages with their current version; with `any_version`, one row for each version."""
    of_page = PageVersion.page_id == Page.id
    return (
        select(*_PAGE_COLUMNS)
        .join(PageVersion, of_page if any_version else and_(of_page, PageVersion.is_current))
        .join(Text, Text.id == PageVersion.text_id)
        .outerjoin(Site, Site.id == Page.site_id)
        .outerjoin(OwnerAccount, OwnerAccount.account == Page.account)
        .outerjoin(Owner, Owner.id == OWNER_ID)
    )


def get_page(session: Session, url: str) -> PageRecord | None:
    return record_or_none(PageRecord, session.execute(pages_with_versions().where(Page.url == url)))


def page_by_id(session: Session, page_id: int) -> PageRecord | None:
    return record_or_none(PageRecord, session.execute(pages_with_versions().where(Page.id == page_id)))


def pages_by_id(session: Session, page_ids: Collection[int]) -> dict[int, PageRecord]:
    """Those of these pages that exist, by id."""
    rows = session.execute(pages_with_versions().where(Page.id.in_(list(page_ids))))
    return {page.id: page for page in records_of(PageRecord, rows)}


def posts_of(session: Session, version_id: int) -> tuple[Post, ...]:
    """The posts of a version that is a thread, in order; none of any other."""
    stored = session.scalar(select(PageVersion.posts).where(PageVersion.id == version_id))
    return tuple(Post(**post) for post in stored or ())


def list_pages(session: Session, *, site: str | None = None) -> Iterator[PageRecord]:
    """All pages with their current versions, oldest first, fetched in chunks."""
    statement = pages_with_versions().order_by(Page.id)
    if site is not None:
        statement = statement.where(Site.name == site)
    for row in session.execute(statement.execution_options(yield_per=LIST_CHUNK)):
        yield record_of(PageRecord, row)


def page_at_version(session: Session, version_id: int) -> PageRecord | None:
    """A page with the version of this id."""
    statement = pages_with_versions(any_version=True).where(PageVersion.id == version_id)
    return record_or_none(PageRecord, session.execute(statement))


def text_body(session: Session, text_id: int) -> str | None:
    return session.scalar(select(Text.body).where(Text.id == text_id))


def text_bodies(session: Session, text_ids: Collection[int]) -> dict[int, str]:
    """Those of these texts that exist, by id."""
    rows = session.execute(select(Text.id, Text.body).where(Text.id.in_(text_ids)))
    return {row.id: row.body for row in rows}


def codes_of_texts(session: Session, text_ids: Collection[int]) -> dict[int, StoredCode]:
    """Those of these texts that have a fingerprint of the current version, by id: its parts that reading the text again
    is slow to make.
    """
    columns = columns_of(StoredCode, StoredFingerprint)
    wanted = select(StoredFingerprint.text_id.label("of"), *columns).where(
        StoredFingerprint.text_id.in_(text_ids), StoredFingerprint.algorithm_version == ALGORITHM_VERSION
    )
    rows = session.execute(wanted).all()
    return {row.of: code for row, code in zip(rows, records_of(StoredCode, rows), strict=True)}


def current_texts(session: Session, urls: Collection[str]) -> dict[str, str]:
    """The current texts of those of these pages that are stored, by URL."""
    if not urls:
        return {}
    statement = select(Page.url, Text.body).join(PageVersion, PageVersion.page_id == Page.id).join(Text)
    rows = session.execute(statement.where(Page.url.in_(list(urls)), PageVersion.is_current))
    return dict(list(rows))


def text_ids_of_site(session: Session, site_id: int) -> list[int]:
    statement = select(PageVersion.text_id).join(Page).where(Page.site_id == site_id).distinct()
    return list(session.scalars(statement))


def rename_below(session: Session, before: str, now: str) -> int:
    """Replaces the prefix `before` of page URLs by `now`. Pages whose new URL is taken stay unchanged. Returns how many
    were changed.
    """
    renamed = literal(now) + func.substr(Page.url, len(before) + 1)
    other = aliased(Page)
    is_free = ~select(other.id).where(other.url == renamed).exists()
    begins = Page.url.startswith(before, autoescape=True)
    return len(session.scalars(update(Page).where(begins, is_free).values(url=renamed).returning(Page.id)).all())


def pages_of_site(session: Session, site_id: int, *, bound: int) -> int:
    """Number of pages of a site, counted up to `bound`."""
    counted = select(Page.id).where(Page.site_id == site_id).limit(bound).subquery()
    return session.scalar(select(func.count()).select_from(counted)) or 0
