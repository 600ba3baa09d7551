"""What became of a page: the texts that stood on it, how it was found, when it was seen."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from storage.models.pages import Backlog, Page, PageVersion, StoredFingerprint, Text
from storage.records.pages import Declared
from storage.types import Rights

MOST_VERSIONS = 100
"""Of a page, newest first: a front page that changes every hour has thousands."""


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One text of a page. `is_waiting`: it was not yet compared with the store."""

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
    """How a page became known, and when it was visited."""

    found_by_whom: str | None
    first_seen_at: datetime
    last_seen_at: datetime
    next_visit_at: datetime | None


def versions_of_pages(session: Session, page_ids: Collection[int]) -> dict[int, list[VersionRecord]]:
    """By page, newest first, `MOST_VERSIONS` each at most."""
    newest = aliased(PageVersion, name="newest")
    of_page = (
        select(newest.id)
        .where(newest.page_id == Page.id)
        .order_by(newest.fetched_at.desc(), newest.id.desc())
        .limit(MOST_VERSIONS)
        .correlate(Page)
        .lateral()
    )
    statement = (
        select(
            *(PageVersion.id, PageVersion.page_id, PageVersion.text_id, PageVersion.fetched_at),
            *(PageVersion.is_current, PageVersion.title, PageVersion.author, PageVersion.published_at),
            *(PageVersion.published_precision, PageVersion.published_origin, PageVersion.rights),
            *(Text.chars, Text.sha256, Backlog.page_version_id),
        )
        .select_from(Page)
        .join(of_page, Page.id.in_(list(page_ids)))
        .join(PageVersion, PageVersion.id == of_page.c.id)
        .join(Text, Text.id == PageVersion.text_id)
        .outerjoin(Backlog, Backlog.page_version_id == PageVersion.id)
        .order_by(PageVersion.page_id, PageVersion.fetched_at.desc(), PageVersion.id.desc())
    )
    found: dict[int, list[VersionRecord]] = {}
    for row in session.execute(statement):
        *head, published_at, precision, origin, rights, chars, digest, waiting = row
        declared = Declared(published_at, precision, origin)
        version = VersionRecord(*head, declared, rights, chars, bytes(digest), waiting is not None)  # type: ignore[call-arg]  # the columns are listed in the record's order
        found.setdefault(version.page_id, []).append(version)
    return found


def sightings(session: Session, page_id: int) -> Sightings | None:
    columns = (Page.found_by_whom, Page.first_seen_at, Page.last_seen_at, Page.next_visit_at)
    row = session.execute(select(*columns).where(Page.id == page_id)).one_or_none()
    return None if row is None else Sightings(*row)


@dataclass(frozen=True, slots=True)
class StoredKeys:
    """What is stored of a text to find it by; `slices` and `seeds` are how many."""

    algorithm_version: int
    simhash: int | None
    feature_count: int
    unit_count: int
    slices: int
    seeds: int


def keys_of_text(session: Session, text_id: int) -> StoredKeys | None:
    """By the newest algorithm that it was fingerprinted with; None where it waits for its fingerprint."""
    found = StoredFingerprint
    row = session.execute(
        select(
            *(found.algorithm_version, found.simhash, found.feature_count, found.unit_count),
            *(func.cardinality(found.slices), func.cardinality(found.seeds)),
        )
        .where(found.text_id == text_id)
        .order_by(found.algorithm_version.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else StoredKeys(*row)
