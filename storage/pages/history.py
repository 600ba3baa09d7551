"""The history of a page: its versions, how it was found, when it was seen."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from storage.models.pages import Backlog, Page, PageVersion, StoredFingerprint, Text
from storage.pages.pages import DECLARED
from storage.postgres.rows import columns_of, record_or_none, records_of
from storage.records.pages import Declared
from storage.types import Rights

MOST_VERSIONS = 100
"""Per page, newest first: a front page that changes every hour has thousands."""


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One version of a page. `is_waiting`: it is on the backlog."""

    id: int
    page_id: int
    text_id: int
    fetched_at: datetime
    is_current: bool
    title: str
    author: str
    declared: Declared
    rights: Rights
    chars: int
    sha256: bytes
    is_waiting: bool


@dataclass(frozen=True, slots=True)
class Sightings:
    """How a page was found, and when it was visited."""

    found_by_whom: str | None
    first_seen_at: datetime
    last_seen_at: datetime
    next_visit_at: datetime | None


def versions_of_pages(session: Session, page_ids: Collection[int]) -> dict[int, list[VersionRecord]]:
    """By page id, newest first, at most `MOST_VERSIONS` each."""
    newest = aliased(PageVersion, name="newest")
    of_page = (
        select(newest.id)
        .where(newest.page_id == Page.id)
        .order_by(newest.fetched_at.desc(), newest.id.desc())
        .limit(MOST_VERSIONS)
        .correlate(Page)
        .lateral()
    )
    is_waiting = Backlog.page_version_id.is_not(None)
    statement = (
        select(*columns_of(VersionRecord, PageVersion, Text, declared=DECLARED, is_waiting=is_waiting))
        .select_from(Page)
        .join(of_page, Page.id.in_(list(page_ids)))
        .join(PageVersion, PageVersion.id == of_page.c.id)
        .join(Text, Text.id == PageVersion.text_id)
        .outerjoin(Backlog, Backlog.page_version_id == PageVersion.id)
        .order_by(PageVersion.page_id, PageVersion.fetched_at.desc(), PageVersion.id.desc())
    )
    found: dict[int, list[VersionRecord]] = {}
    for version in records_of(VersionRecord, session.execute(statement)):
        found.setdefault(version.page_id, []).append(version)
    return found


def sightings(session: Session, page_id: int) -> Sightings | None:
    columns = columns_of(Sightings, Page)
    return record_or_none(Sightings, session.execute(select(*columns).where(Page.id == page_id)))


@dataclass(frozen=True, slots=True)
class StoredKeys:
    """The stored fingerprint of a text in figures; `slices` and `seeds` are counts."""

    algorithm_version: int
    simhash: int | None
    feature_count: int
    unit_count: int
    slices: int
    seeds: int


def keys_of_text(session: Session, text_id: int) -> StoredKeys | None:
    """Of the newest algorithm version; None if the text has no fingerprint yet."""
    found = StoredFingerprint
    counts = {"slices": func.cardinality(found.slices), "seeds": func.cardinality(found.seeds)}
    statement = (
        select(*columns_of(StoredKeys, found, **counts))
        .where(found.text_id == text_id)
        .order_by(found.algorithm_version.desc())
        .limit(1)
    )
    return record_or_none(StoredKeys, session.execute(statement))
