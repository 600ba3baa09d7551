"""The chain of evidence in the store: entries are appended one after the other, whoever appends them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import ColumnElement, and_, case, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session, aliased

from storage.evidence.hash_chain import FIRST, entry_body, entry_hash
from storage.models.evidence import Evidence, SiteEvidence
from storage.models.pages import Page, PageVersion, Text
from storage.pages.case_references import page_is_in_case
from storage.postgres.rows import record_of, record_or_none, records_of
from storage.postgres.text import storable
from storage.postgres.writes import upsert
from storage.records.evidence import (
    DEFAULT_RAW_DAYS,
    EvidenceEntry,
    EvidenceKind,
    EvidenceRule,
    Head,
    Keep,
    NewEvidence,
)
from storage.types import FoundBy

LOCK: Final = 0x7A68_6977_656E
"""Of the chain's end, while a transaction appends to it."""

FILES_LOCK: Final = 0x7A68_6977_66
"""Held shared while a back-up copies the files of the evidence; whoever deletes files needs it alone."""

CHUNK: Final = 1_000
_RAW_DAYS: Final = case((SiteEvidence.site_id.is_(None), DEFAULT_RAW_DAYS), else_=SiteEvidence.raw_days)
"""Without a rule the default holds; a rule without days keeps for good, since nothing is earlier than NULL."""
_COLUMNS: Final = ("kind", "at", "url", "record", "payload", "text", "refers")


def append(session: Session, new: NewEvidence) -> EvidenceEntry:
    """Adds an entry at the end. Until the transaction ends no other can: append last, and commit soon."""
    lock_chain(session)
    last = head(session)
    number, previous = (1, FIRST) if last is None else (last.number + 1, last.hash)
    body = entry_body(number, _said(new))
    values = {name: getattr(new, name) for name in _COLUMNS} | {
        "number": number,
        "url": storable(new.url),
        "body": body,
        "previous": previous,
        "hash": entry_hash(previous, body),
    }
    session.execute(insert(Evidence).values(**values))
    return EvidenceEntry(**values, removed_by=None)


def _said(new: NewEvidence) -> dict[str, object]:
    """The fields of an entry in JSON's words."""
    said: dict[str, object] = {name: _plain(value) for name, value in asdict(new).items()}
    return said | {"url": storable(new.url), "at": new.at.astimezone(UTC).isoformat(timespec="microseconds")}


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return storable(value) if isinstance(value, str) else value


def lock_chain(session: Session) -> None:
    session.execute(select(func.pg_advisory_xact_lock(LOCK)))


def may_delete_files(session: Session) -> bool:
    """Whether no back-up copies files just now; until the transaction ends none begins."""
    return bool(session.execute(select(func.pg_try_advisory_xact_lock(FILES_LOCK))).scalar_one())


def head(session: Session) -> Head | None:
    """The last entry; None where there is none yet."""
    statement = select(Evidence.number, Evidence.hash).order_by(Evidence.number.desc()).limit(1)
    return record_or_none(Head, session.execute(statement))


def entries(session: Session) -> Iterator[EvidenceEntry]:
    """All of them in order, fetched in chunks."""
    statement = select(Evidence).order_by(Evidence.number).execution_options(yield_per=CHUNK)
    for entry in session.scalars(statement):
        session.expunge(entry)
        yield record_of(EvidenceEntry, entry)


def removals(session: Session) -> list[EvidenceEntry]:
    """Those entries that tell of files that went."""
    statement = select(Evidence).where(Evidence.kind == EvidenceKind.REMOVED).order_by(Evidence.number)
    return records_of(EvidenceEntry, session.scalars(statement))


def entries_of_url(session: Session, url: str) -> list[EvidenceEntry]:
    found = session.scalars(select(Evidence).where(Evidence.url == storable(url)).order_by(Evidence.number))
    return records_of(EvidenceEntry, found)


def entries_of_urls(session: Session, urls: Collection[str], *, limit: int) -> list[EvidenceEntry]:
    """What is known of these pages, in the order of the chain; the last `limit` entries."""
    wanted = select(Evidence).where(Evidence.url.in_([storable(url) for url in urls]))
    found = session.scalars(wanted.order_by(Evidence.number.desc()).limit(limit))
    return records_of(EvidenceEntry, found)[::-1]


def entries_with_records(session: Session, records: Collection[bytes]) -> list[EvidenceEntry]:
    """The first entry of each of these files that is still there."""
    first = (
        select(func.min(Evidence.number))
        .where(Evidence.record.in_(list(records)), Evidence.removed_by.is_(None))
        .group_by(Evidence.record)
    )
    statement = select(Evidence).where(Evidence.number.in_(first)).order_by(Evidence.number)
    return records_of(EvidenceEntry, session.scalars(statement))


def has_version(session: Session, url: str, text: bytes) -> bool:
    """Whether an entry tells of the response from which this text at this URL was stored."""
    of_version = (Evidence.url == storable(url)) & (Evidence.text == text)
    return session.scalar(select(Evidence.number).where(of_version).limit(1)) is not None


def record_with_payload(session: Session, payload: bytes) -> EvidenceEntry | None:
    """An entry whose file is there and holds this body whole."""
    live = Evidence.record.is_not(None) & Evidence.removed_by.is_(None) & Evidence.refers.is_(None)
    found = session.scalar(select(Evidence).where(Evidence.payload == payload, live).order_by(Evidence.number).limit(1))
    return None if found is None else record_of(EvidenceEntry, found)


def text_bodies(session: Session, texts: Collection[bytes]) -> dict[bytes, str]:
    """Those of these texts that the store holds, by the hash under which it holds them."""
    rows = session.execute(select(Text.sha256, Text.body).where(Text.sha256.in_(list(texts))))
    return {bytes(digest): body for digest, body in rows}


def outdated(session: Session, now: datetime, *, limit: int) -> list[EvidenceEntry]:
    """Entries whose files their sites' rules let go of: no case refers to their page, no other file needs them."""
    ends = or_(SiteEvidence.keep != Keep.RAW, Evidence.at < now - func.make_interval(0, 0, 0, _RAW_DAYS))
    return _removable(session, ends, limit=limit)


def spare(session: Session, *, limit: int) -> list[EvidenceEntry]:
    """Entries whose files may go before their time where there are too many, oldest first: no case refers to their
    page, no other file needs them, and their site does not keep them for good.
    """
    return _removable(session, _RAW_DAYS.is_not(None), limit=limit)


def _removable(session: Session, may_go: ColumnElement[bool], *, limit: int) -> list[EvidenceEntry]:
    needing = aliased(Evidence)
    statement = (
        select(Evidence)
        .outerjoin(Page, Page.url == Evidence.url)
        .outerjoin(SiteEvidence, SiteEvidence.site_id == Page.site_id)
        .where(
            Evidence.record.is_not(None),
            Evidence.removed_by.is_(None),
            may_go,
            ~and_(Page.id.is_not(None), page_is_in_case()),
            ~exists().where(needing.refers == Evidence.record, needing.removed_by.is_(None)),
        )
        .order_by(Evidence.number)
        .limit(limit)
    )
    return records_of(EvidenceEntry, session.scalars(statement))


def remove(session: Session, gone: Sequence[EvidenceEntry], now: datetime) -> EvidenceEntry:
    """Tells the chain that the files of these entries go. They may be deleted once this is committed."""
    records = tuple(entry.record for entry in gone if entry.record is not None)
    told = append(session, NewEvidence(EvidenceKind.REMOVED, now, "", records=records))
    numbers = [entry.number for entry in gone]
    session.execute(update(Evidence).where(Evidence.number.in_(numbers)).values(removed_by=told.number))
    return told


def pages_without(session: Session) -> Iterator[str]:
    """Addresses of crawled pages of whose stored version no entry tells, in chunks."""
    statement = (
        select(Page.url)
        .join(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.is_current))
        .join(Text, Text.id == PageVersion.text_id)
        .where(
            Page.site_id.is_not(None),
            Page.found_by.in_((FoundBy.SPIDER, FoundBy.SITEMAP, FoundBy.FEED)),
            ~exists().where(Evidence.url == Page.url, Evidence.text == Text.sha256),
        )
        .order_by(Page.id)
        .execution_options(yield_per=CHUNK)
    )
    yield from session.scalars(statement)


def rule_of_site(session: Session, site_id: int | None) -> EvidenceRule:
    """The site's rule, or the default."""
    row = None if site_id is None else session.get(SiteEvidence, site_id)
    return EvidenceRule() if row is None else record_of(EvidenceRule, row)


def set_rule(session: Session, site_id: int, rule: EvidenceRule) -> None:
    upsert(session, SiteEvidence, {"site_id": site_id}, asdict(rule))
