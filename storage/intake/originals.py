"""Originals: articles pushed by a publisher's system under its own ids. Pushing twice changes nothing."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Final

from sqlalchemy import Select, delete, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from fingerprint.model import Fingerprint
from storage.crawl.site_lock import SITE_KEYS
from storage.errors import StorageError
from storage.models.originals import Original, OriginalBackfill
from storage.models.pages import Page, PageVersion, Text
from storage.models.sites import Site
from storage.pages.saving import save_pages
from storage.postgres.rows import columns_of, record_of, records_of
from storage.postgres.text import storable
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.takedowns.page_presence import record_gone, record_seen
from storage.types import Precision, Rights

LONGEST_POSITION: Final = 200
WITHDRAWN: Final = "withdrawn by its publisher"
MOVED: Final = "moved to another address by its publisher"

_LOCK_CLASS: Final = 0x6F72_6967
"""The class of the advisory locks that serialise pushes to one site; two batches could deadlock otherwise."""


class Pushed(StrEnum):
    """The result of a push."""

    CREATED = "created"
    CHANGED = "changed"
    """The text changed; the former one stays as a version."""
    CORRECTED = "corrected"
    """The text is the same; title, author or date changed."""
    RETURNED = "returned"
    """It had been withdrawn before."""
    UNCHANGED = "unchanged"


class AddressTaken(StorageError):
    def __init__(self, url: str, external_id: str, site: str) -> None:
        super().__init__(
            f"{url} is the address of the article {external_id!r} of {site} already. One address, one article: "
            "withdraw that one, or give this one another address."
        )


class NotStored(StorageError):
    """The database refused the article."""


@dataclass(frozen=True, slots=True)
class OriginalRecord:
    id: int
    site_id: int
    site_name: str
    external_id: str
    page_id: int
    url: str
    title: str
    chars: int
    rights: Rights
    first_pushed_at: datetime
    pushed_at: datetime
    gone_at: datetime | None


@dataclass(frozen=True, slots=True)
class BackfillRecord:
    name: str
    position: str
    taken: int
    refused: int
    updated_at: datetime


def push_original(
    session: Session, site_id: int, external_id: str, item: FingerprintedArticle, *, at: datetime
) -> tuple[Pushed, OriginalRecord]:
    """Stores or updates an article under its publisher's id.

    A new text is a new version; a new URL moves the article, and the page at the old URL is gone. Raises AddressTaken
    if another article has the URL, NotStored if the database refuses it otherwise: nothing of the article is stored
    then, and the caller's transaction goes on.
    """
    try:
        with session.begin_nested():
            return _push(session, site_id, external_id, replace(item.article, site_id=site_id), item.fingerprint, at)
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        raise NotStored(f"{item.article.url}: {error.orig}") from error


def _push(
    session: Session, site_id: int, external_id: str, article: NewArticle, fingerprint: Fingerprint, at: datetime
) -> tuple[Pushed, OriginalRecord]:
    lock_site(session, site_id)
    under_number = Original.site_id == site_id, Original.external_id == external_id
    before = session.execute(select(Original.page_id, Original.gone_at).where(*under_number)).one_or_none()
    _require_free(session, article.url, site_id, external_id)
    was_gone = record_seen(session, article.url, at)
    (saved,) = save_pages(session, [FingerprintedArticle(article, fingerprint)])
    is_corrected = not saved.is_new_version and _correct(session, saved.page_id, article)
    if before is not None and before.page_id != saved.page_id:
        old_url = session.scalar(select(Page.url).where(Page.id == before.page_id))
        record_gone(session, old_url or "", at, reason=MOVED)
    values = {"page_id": saved.page_id, "pushed_at": at, "gone_at": None}
    statement = insert(Original).values(site_id=site_id, external_id=external_id, first_pushed_at=at, **values)
    session.execute(
        statement.on_conflict_do_update(index_elements=[Original.site_id, Original.external_id], set_=values)
    )
    kept = find_originals(session, external_id, site_id=site_id)[0]
    if before is None:
        return Pushed.CREATED, kept
    is_changed = saved.is_new_version or before.page_id != saved.page_id
    returned = was_gone or before.gone_at is not None
    return _outcome(is_changed=is_changed, is_corrected=is_corrected, returned=returned), kept


def _require_free(session: Session, url: str, site_id: int, external_id: str) -> None:
    """Ids belong to a site: the same id on another site is another article."""
    holder = session.execute(
        select(Original.site_id, Original.external_id, Site.name)
        .join(Page, Page.id == Original.page_id)
        .join(Site, Site.id == Original.site_id)
        .where(Page.url == url)
    ).one_or_none()
    if holder is not None and (holder.site_id, holder.external_id) != (site_id, external_id):
        raise AddressTaken(url, holder.external_id, holder.name)


def _outcome(*, is_changed: bool, is_corrected: bool, returned: bool) -> Pushed:
    if returned:
        return Pushed.RETURNED
    if is_changed:
        return Pushed.CHANGED
    return Pushed.CORRECTED if is_corrected else Pushed.UNCHANGED


def lock_site(session: Session, site_id: int) -> None:
    """Blocks other pushes to this site until the transaction ends."""
    session.execute(
        text("SELECT pg_advisory_xact_lock(:kind, :site)"), {"kind": _LOCK_CLASS, "site": site_id % SITE_KEYS}
    )


def withdraw_original(session: Session, original: OriginalRecord, *, at: datetime) -> bool:
    """Marks an article as withdrawn by its publisher; its page and hits stay stored. Returns whether that is new."""
    lock_site(session, original.site_id)
    is_open = Original.gone_at.is_(None)
    marked = update(Original).where(Original.id == original.id, is_open).values(gone_at=at).returning(Original.id)
    is_news = session.scalar(marked) is not None
    record_gone(session, original.url, at, reason=WITHDRAWN)
    return is_news


def find_originals(session: Session, external_id: str, *, site_id: int | None = None) -> list[OriginalRecord]:
    """The articles with this id, at most one per site."""
    statement = _originals().where(Original.external_id == storable(external_id)).order_by(Original.id)
    if site_id is not None:
        statement = statement.where(Original.site_id == site_id)
    return records_of(OriginalRecord, session.execute(statement))


def list_originals(
    session: Session, *, site_id: int | None = None, below: int | None = None, limit: int
) -> list[OriginalRecord]:
    """Newest first; with `below`, those with lower ids."""
    statement = _originals().order_by(Original.id.desc()).limit(limit)
    if site_id is not None:
        statement = statement.where(Original.site_id == site_id)
    if below is not None:
        statement = statement.where(Original.id < below)
    return records_of(OriginalRecord, session.execute(statement))


def note_backfill(
    session: Session, site_id: int, name: str, position: str, *, taken: int, refused: int, at: datetime
) -> None:
    """Records the progress of a backfill, in the transaction of its articles."""
    statement = insert(OriginalBackfill).values(
        site_id=site_id, name=name, position=position, taken=taken, refused=refused, updated_at=at
    )
    session.execute(
        statement.on_conflict_do_update(
            index_elements=[OriginalBackfill.site_id, OriginalBackfill.name],
            set_={
                "position": position,
                "taken": OriginalBackfill.taken + taken,
                "refused": OriginalBackfill.refused + refused,
                "updated_at": at,
            },
        )
    )


def backfill_of(session: Session, site_id: int, name: str) -> BackfillRecord | None:
    row = session.get(OriginalBackfill, (site_id, storable(name)), populate_existing=True)
    return None if row is None else record_of(BackfillRecord, row)


def forget_backfill(session: Session, site_id: int, name: str) -> bool:
    """Resets a backfill; the articles stay. Returns whether there was one."""
    here = (OriginalBackfill.site_id == site_id, OriginalBackfill.name == storable(name))
    return session.scalar(delete(OriginalBackfill).where(*here).returning(OriginalBackfill.name)) is not None


def _correct(session: Session, page_id: int, article: NewArticle) -> bool:
    """Updates title, author, date and rights of the current version; missing values stay. Returns whether any did."""
    said: dict[str, Any] = {
        name: storable(value) for name, value in (("title", article.title), ("author", article.author)) if value
    }
    if article.declared.precision is not Precision.NONE:
        said |= {
            "published_at": article.declared.at,
            "published_precision": article.declared.precision,
            "published_origin": article.declared.origin,
        }
    if article.rights is not Rights.UNKNOWN:
        said["rights"] = article.rights
    differs = [getattr(PageVersion, name).is_distinct_from(value) for name, value in said.items()]
    if not differs:
        return False
    current = update(PageVersion).where(PageVersion.page_id == page_id, PageVersion.is_current)
    return session.scalar(current.where(or_(*differs)).values(**said).returning(PageVersion.id)) is not None


@cache
def _originals() -> Select[*tuple[Any, ...]]:
    return (
        select(*columns_of(OriginalRecord, Original, Page, PageVersion, Text, site_name=Site.name))
        .join(Site, Site.id == Original.site_id)
        .join(Page, Page.id == Original.page_id)
        .join(PageVersion, (PageVersion.page_id == Page.id) & PageVersion.is_current)
        .join(Text, Text.id == PageVersion.text_id)
    )
