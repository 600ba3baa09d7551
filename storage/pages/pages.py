"""Pages, their versions and texts: saved together with the fingerprint, in one transaction of the caller's."""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sqlalchemy import (
    Select,
    and_,
    delete,
    exists,
    func,
    literal,
    literal_column,
    null,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.orm import Session, aliased

from fingerprint.model import BAND_COUNT, Fingerprint
from storage.cases.page_pairs import page_is_in_case
from storage.errors import HeldByCase
from storage.models.pages import Backlog, Page, PageVersion, StoredFingerprint, Text
from storage.models.sites import Owner, Site
from storage.postgres.copy_rows import copy_rows
from storage.records.matches import Declared, FingerprintedArticle, NewArticle, PageRecord, SavedPage
from storage.types import to_signed

if TYPE_CHECKING:
    from sqlalchemy.sql.dml import ReturningInsert

LIST_CHUNK = 1_000
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
_FINGERPRINT_COLUMNS = (
    *("text_id", "algorithm_version", "simhash", "band_0", "band_1", "band_2", "band_3"),
    *("feature_count", "unit_count", "slices", "seeds"),
)


def save_pages(session: Session, items: Sequence[FingerprintedArticle]) -> list[SavedPage]:
    """Stores pages with their texts and fingerprints and puts each new version on the backlog.

    Saving the same again changes nothing but the time last seen. Returns one result per item, in order; of items
    with the same URL only the last is kept. Rows are written in a fixed order, so two savers cannot deadlock.
    """
    by_url = {item.article.url: _storable_item(item) for item in items}
    if not by_url:
        return []
    text_ids = _save_texts(session, list(by_url.values()))
    pages = _save_urls(session, {url: item.article for url, item in by_url.items()})
    wanted = {pages[url][0]: (text_ids[text_digest(item.article.text)], item.article) for url, item in by_url.items()}
    versions = _save_versions(session, wanted)
    saved: dict[str, SavedPage] = {}
    for url, (page_id, is_new_page) in pages.items():
        version_id, text_id, is_new_version = versions[page_id]
        saved[url] = SavedPage(page_id, version_id, text_id, is_new_page, is_new_version)
    return [saved[item.article.url] for item in items]


def storable(text: str) -> str:
    """`text` with the characters Postgres cannot hold (NUL, lone surrogates) replaced one for one: offsets stay."""
    return _UNSTORABLE.sub("\ufffd", text)


def _storable_item(item: FingerprintedArticle) -> FingerprintedArticle:
    article = item.article
    cleaned = replace(
        article,
        text=storable(article.text),
        title=storable(article.title),
        author=storable(article.author),
        credit_lines=tuple(map(storable, article.credit_lines)),
        credit_links=tuple(map(storable, article.credit_links)),
        canonical_link=_storable_or_none(article.canonical_link),
        lead_image=_storable_or_none(article.lead_image),
        etag=_storable_or_none(article.etag),
        last_modified=_storable_or_none(article.last_modified),
        found_by_whom=_storable_or_none(article.found_by_whom),
    )
    return FingerprintedArticle(cleaned, item.fingerprint)


def _storable_or_none(text: str | None) -> str | None:
    return None if text is None else storable(text)


def text_digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8")).digest()


def _save_texts(session: Session, items: Sequence[FingerprintedArticle]) -> dict[bytes, int]:
    by_digest = {text_digest(item.article.text): item for item in items}
    new: dict[bytes, int] = {}
    known: dict[bytes, int] = {}
    # Twice only where a text stood there and was removed with its last page before it could be locked.
    while missing := sorted(by_digest.keys() - new.keys() - known.keys()):
        rows = [
            {"sha256": digest, "body": (body := by_digest[digest].article.text), "chars": len(body)}
            for digest in missing
        ]
        added = session.execute(
            insert(Text).on_conflict_do_nothing(index_elements=[Text.sha256]).returning(Text.sha256, Text.id), rows
        )
        new |= {bytes(digest): text_id for digest, text_id in added}
        known |= _lock_texts(session, [digest for digest in missing if digest not in new])
    save_fingerprints(session, {text_id: by_digest[digest].fingerprint for digest, text_id in new.items()})
    return new | known


def _lock_texts(session: Session, digests: Sequence[bytes]) -> dict[bytes, int]:
    """Ids of those texts that are stored; nobody can remove them before this transaction ends."""
    statement = select(Text.sha256, Text.id).where(Text.sha256.in_(digests)).order_by(Text.sha256)
    found = session.execute(statement.with_for_update(read=True, key_share=True))
    return {bytes(digest): text_id for digest, text_id in found}


def save_fingerprints(session: Session, fingerprints: Mapping[int, Fingerprint]) -> None:
    rows = ((text_id, *_fingerprint_columns(found)) for text_id, found in sorted(fingerprints.items()))
    copy_rows(
        session,
        StoredFingerprint.__tablename__,
        _FINGERPRINT_COLUMNS,
        rows,
    )


def _fingerprint_columns(found: Fingerprint) -> tuple[object, ...]:
    bands = found.bands or (None,) * BAND_COUNT
    signed = None if found.simhash is None else to_signed(found.simhash)
    return (
        *(found.algorithm_version, signed, *bands, found.feature_count, found.unit_count),
        *(found.slices, found.seeds),
    )


def _save_urls(session: Session, articles: Mapping[str, NewArticle]) -> dict[str, tuple[int, bool]]:
    """Page ids by URL, each with whether the page is new."""
    rows = [_page_columns(articles[url]) for url in sorted(articles)]
    statement = insert(Page)
    upsert: ReturningInsert[str, int, bool] = statement.on_conflict_do_update(
        index_elements=[Page.url],
        set_={
            "last_seen_at": func.greatest(Page.last_seen_at, statement.excluded.last_seen_at),
            "site_id": func.coalesce(Page.site_id, statement.excluded.site_id),
            "etag": statement.excluded.etag,
            "last_modified": statement.excluded.last_modified,
            # Spelled out: with a parameter here SQLAlchemy sends each row by itself.
            "gone_at": null(),
        },
        # A row that this very statement made has no earlier version to have been locked or deleted.
    ).returning(Page.url, Page.id, literal_column("(page.xmax = 0)"))
    return {url: (page_id, bool(is_new)) for url, page_id, is_new in session.execute(upsert, rows)}


def _page_columns(article: NewArticle) -> dict[str, object]:
    return {
        "url": article.url,
        "host": urlsplit(article.url).netloc,
        "site_id": article.site_id,
        "found_by": article.found_by,
        "found_by_whom": article.found_by_whom,
        "first_seen_at": article.fetched_at,
        "last_seen_at": article.fetched_at,
        "etag": article.etag,
        "last_modified": article.last_modified,
    }


def _save_versions(session: Session, wanted: Mapping[int, tuple[int, NewArticle]]) -> dict[int, tuple[int, int, bool]]:
    """By page id: version id, text id, whether the version is new to the page or became current again."""
    current = session.execute(
        select(PageVersion.page_id, PageVersion.id, PageVersion.text_id).where(
            PageVersion.page_id.in_(wanted), PageVersion.is_current
        )
    ).all()
    unchanged = {page: (version, text, False) for page, version, text in current if wanted[page][0] == text}
    changed = sorted(wanted.keys() - unchanged.keys())
    outdated = [row.page_id for row in current if row.page_id not in unchanged]
    if outdated:
        session.execute(update(PageVersion).where(PageVersion.page_id.in_(outdated)).values(is_current=False))
    if not changed:
        return unchanged
    statement = insert(PageVersion).on_conflict_do_update(
        index_elements=[PageVersion.page_id, PageVersion.text_id], set_={"is_current": true()}
    )
    rows = [_version_columns(wanted[page][1], page, wanted[page][0]) for page in changed]
    added = session.execute(statement.returning(PageVersion.page_id, PageVersion.id, PageVersion.text_id), rows)
    new = {page: (version, text, True) for page, version, text in added}
    enqueue(session, [version for version, _, _ in new.values()])
    return unchanged | new


def enqueue_site(session: Session, site_id: int) -> None:
    """Puts all pages of a site on the backlog, as `enqueue` does."""
    versions = (
        select(PageVersion.id)
        .join(Page, Page.id == PageVersion.page_id)
        .where(Page.site_id == site_id, PageVersion.is_current)
        .order_by(PageVersion.id)
    )
    session.execute(_waiting_for(insert(Backlog).from_select(["page_version_id"], versions)))


def _waiting_for(statement: Insert) -> Insert:
    # An update that changes nothing: unlike DO NOTHING it waits for whoever is about to delete the row.
    return statement.on_conflict_do_update(
        index_elements=[Backlog.page_version_id], set_={"attempts": Backlog.attempts}
    )


def enqueue(session: Session, version_ids: Iterable[int]) -> None:
    """Puts versions on the backlog, to be compared with the store; one already there stays as it is.

    A version that a worker is just comparing, with what was stored when it began, is waited for and put there again.
    """
    rows = [{"page_version_id": version_id} for version_id in sorted(set(version_ids))]
    if rows:
        session.execute(_waiting_for(insert(Backlog)), rows)


def _version_columns(article: NewArticle, page_id: int, text_id: int) -> dict[str, object]:
    return {
        "page_id": page_id,
        "text_id": text_id,
        "fetched_at": article.fetched_at,
        "is_current": True,
        "title": article.title,
        "author": article.author,
        "language": article.language,
        "published_at": article.declared.at,
        "published_precision": article.declared.precision,
        "published_origin": article.declared.origin,
        "rights": article.rights,
        "credit_lines": list(article.credit_lines),
        "credit_links": list(article.credit_links),
        "canonical_link": article.canonical_link,
        "lead_image": article.lead_image,
    }


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


def touch(session: Session, url: str, at: datetime) -> None:
    """The page was seen unchanged."""
    statement = update(Page).where(Page.url == url).values(last_seen_at=func.greatest(Page.last_seen_at, at))
    session.execute(statement)


def text_ids_of_site(session: Session, site_id: int) -> list[int]:
    statement = select(PageVersion.text_id).join(Page).where(Page.site_id == site_id).distinct()
    return list(session.scalars(statement))


def remove_orphan_texts(session: Session, text_ids: Sequence[int]) -> int:
    """Of these texts, removes those that stand on no page any more, with their fingerprints and matches."""
    # Locked before it is asked where they stand: whoever is saving one of them on a page is waited for and then seen.
    session.execute(select(Text.id).where(Text.id.in_(text_ids)).order_by(Text.sha256).with_for_update())
    stands = exists().where(PageVersion.text_id == Text.id)
    removed = session.scalars(delete(Text).where(Text.id.in_(text_ids), ~stands).returning(Text.id))
    return len(removed.all())


def rename_below(session: Session, before: str, now: str) -> int:
    """Pages whose address begins with `before` get one that begins with `now`; how many. Those whose new address is
    taken stay as they are.
    """
    renamed = literal(now) + func.substr(Page.url, len(before) + 1)
    other = aliased(Page)
    is_free = ~select(other.id).where(other.url == renamed).exists()
    begins = Page.url.startswith(before, autoescape=True)
    return len(session.scalars(update(Page).where(begins, is_free).values(url=renamed).returning(Page.id)).all())


def remove_page(session: Session, url: str) -> bool:
    """Removes a page with its versions, and the texts that stand nowhere else. Raises HeldByCase."""
    page_id = session.scalar(select(Page.id).where(Page.url == url).with_for_update())
    if page_id is None:
        return False
    if session.scalar(select(Page.id).where(Page.id == page_id, page_is_in_case())) is not None:
        raise HeldByCase(url)
    texts = list(session.scalars(select(PageVersion.text_id).where(PageVersion.page_id == page_id)))
    session.execute(delete(Page).where(Page.id == page_id))
    remove_orphan_texts(session, texts)
    return True


def pages_of_site(session: Session, site_id: int, *, bound: int) -> int:
    """How many pages a site has, counted up to `bound`."""
    counted = select(Page.id).where(Page.site_id == site_id).limit(bound).subquery()
    return session.scalar(select(func.count()).select_from(counted)) or 0
