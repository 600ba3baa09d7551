"""Saving pages: page, version, text, fingerprint and backlog entry in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sqlalchemy import delete, exists, func, literal_column, null, select, true, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from fingerprint.model import BAND_COUNT, Fingerprint
from storage.column_types import to_signed
from storage.errors import HeldByCase
from storage.models.pages import Page, PageVersion, StoredFingerprint, Text
from storage.pages.backlog_entry import enqueue
from storage.pages.case_references import page_is_in_case
from storage.pages.pages import text_digest
from storage.postgres.copy_rows import copy_rows
from storage.postgres.text import storable
from storage.postgres.writes import values_of
from storage.records.pages import FingerprintedArticle, NewArticle, SavedPage

if TYPE_CHECKING:
    from sqlalchemy.sql.dml import ReturningInsert


_FINGERPRINT_COLUMNS = (
    *("text_id", "algorithm_version", "simhash", "band_0", "band_1", "band_2", "band_3"),
    *("feature_count", "unit_count", "slices", "seeds"),
)


def save_pages(session: Session, items: Sequence[FingerprintedArticle]) -> list[SavedPage]:
    """Stores pages with their texts and fingerprints, and puts each new version on the backlog.

    Idempotent except for the time last seen. Returns one result per item, in order; of items with the same URL only the
    last is stored. Rows are written in a fixed order, so two savers cannot deadlock.
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
        account=_storable_or_none(article.account),
        account_name=storable(article.account_name),
    )
    return FingerprintedArticle(cleaned, item.fingerprint)


def _storable_or_none(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _save_texts(session: Session, items: Sequence[FingerprintedArticle]) -> dict[bytes, int]:
    by_digest = {text_digest(item.article.text): item for item in items}
    new: dict[bytes, int] = {}
    known: dict[bytes, int] = {}
    # A second round only if a text was removed with its last page before it could be locked.
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
    """Ids of stored texts, locked against removal until the transaction ends."""
    if not digests:
        return {}
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
            "account": func.coalesce(statement.excluded.account, Page.account),
            "account_name": func.coalesce(func.nullif(statement.excluded.account_name, ""), Page.account_name),
            # A literal NULL: with a parameter SQLAlchemy would send each row separately.
            "gone_at": null(),
        },
        # xmax = 0: the row was inserted by this statement.
    ).returning(Page.url, Page.id, literal_column("(page.xmax = 0)"))
    return {url: (page_id, bool(is_new)) for url, page_id, is_new in session.execute(upsert, rows)}


def _page_columns(article: NewArticle) -> dict[str, object]:
    seen = article.fetched_at
    return values_of(Page, article, host=urlsplit(article.url).netloc, first_seen_at=seen, last_seen_at=seen)


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


def _version_columns(article: NewArticle, page_id: int, text_id: int) -> dict[str, object]:
    return values_of(
        PageVersion,
        article,
        page_id=page_id,
        text_id=text_id,
        is_current=True,
        published_at=article.declared.at,
        published_precision=article.declared.precision,
        published_origin=article.declared.origin,
        posts=[{"author": storable(post.author), "start": post.start} for post in article.posts],
    )


def touch(session: Session, url: str, at: datetime) -> None:
    """Records that the page was seen unchanged."""
    statement = update(Page).where(Page.url == url).values(last_seen_at=func.greatest(Page.last_seen_at, at))
    session.execute(statement)


def remove_orphan_texts(session: Session, text_ids: Sequence[int]) -> int:
    """Removes those of these texts that are on no page, with their fingerprints and matches. Returns how many."""
    # Locked before the check: a transaction that is saving one of them on a page is waited for and then seen.
    session.execute(select(Text.id).where(Text.id.in_(text_ids)).order_by(Text.sha256).with_for_update())
    stands = exists().where(PageVersion.text_id == Text.id)
    removed = session.scalars(delete(Text).where(Text.id.in_(text_ids), ~stands).returning(Text.id))
    return len(removed.all())


def remove_page(session: Session, url: str) -> bool:
    """Removes a page with its versions, and texts that are on no other page. Returns whether it existed. Raises
    HeldByCase.
    """
    page_id = session.scalar(select(Page.id).where(Page.url == url).with_for_update())
    if page_id is None:
        return False
    if session.scalar(select(Page.id).where(Page.id == page_id, page_is_in_case())) is not None:
        raise HeldByCase(url)
    texts = list(session.scalars(select(PageVersion.text_id).where(PageVersion.page_id == page_id)))
    session.execute(delete(Page).where(Page.id == page_id))
    remove_orphan_texts(session, texts)
    return True
