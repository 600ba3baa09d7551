"""The evidence chain in the database. Appends are serialised."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, case, exists, func, or_, select, tuple_, update
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
from storage.types import FOUND_ON_THE_WEB

LOCK: Final = 0x7A68_6977_656E
"""Advisory lock held while a transaction appends."""

FILES_LOCK: Final = 0x7A68_6977_66
"""Advisory lock: shared while a backup copies evidence files, exclusive to delete files."""

CHUNK: Final = 1_000
MOST_FOLDERS: Final = 50
"""Machines with evidence folders of their own that are expected; with more, a body may be kept twice."""
_RAW_DAYS: Final = case((SiteEvidence.site_id.is_(None), DEFAULT_RAW_DAYS), else_=SiteEvidence.raw_days)
"""The default without a rule. A rule without days keeps files forever, since nothing is earlier than NULL."""
_COLUMNS: Final = ("kind", "at", "url", "record", "payload", "text", "refers")


def append(session: Session, new: NewEvidence) -> EvidenceEntry:
    """Appends an entry. Blocks other appends until the transaction ends: append last, and commit soon."""
    return append_all(session, [new])[0]


def append_all(session: Session, news: Sequence[NewEvidence]) -> list[EvidenceEntry]:
    """Appends entries in this order, one at least. As `append`."""
    lock_chain(session)
    last = head(session)
    number, previous = (0, FIRST) if last is None else (last.number, last.hash)
    rows: list[dict[str, Any]] = []
    for new in news:
        number += 1
        body = entry_body(number, _said(new))
        row = {name: getattr(new, name) for name in _COLUMNS} | {
            "number": number,
            "url": storable(new.url),
            "body": body,
            "previous": previous,
            "hash": entry_hash(previous, body),
        }
        previous = row["hash"]
        rows.append(row)
    session.execute(insert(Evidence), rows)
    return [EvidenceEntry(**row, removed_by=None) for row in rows]


def _said(new: NewEvidence) -> dict[str, object]:
    """The fields of an entry as JSON values."""
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
    """Whether no backup is copying files; if so, none begins until the transaction ends."""
    return bool(session.execute(select(func.pg_try_advisory_xact_lock(FILES_LOCK))).scalar_one())


def head(session: Session) -> Head | None:
    """The head of the chain; None if it is empty."""
    statement = select(Evidence.number, Evidence.hash).order_by(Evidence.number.desc()).limit(1)
    return record_or_none(Head, session.execute(statement))


def are_heads(session: Session, heads: Collection[tuple[int, bytes]]) -> bool:
    """Whether each is the number of an entry with its hash: a head of the chain, now or earlier."""
    if not heads:
        return True
    found = select(func.count()).where(tuple_(Evidence.number, Evidence.hash).in_(list(heads)))
    return session.scalar(found) == len(heads)


def entries(session: Session) -> Iterator[EvidenceEntry]:
    """All entries in order, fetched in chunks."""
    statement = select(Evidence).order_by(Evidence.number).execution_options(yield_per=CHUNK)
    for entry in session.scalars(statement):
        session.expunge(entry)
        yield record_of(EvidenceEntry, entry)


def removals(session: Session) -> list[EvidenceEntry]:
    """The entries that record removals of files."""
    statement = select(Evidence).where(Evidence.kind == EvidenceKind.REMOVED).order_by(Evidence.number)
    return records_of(EvidenceEntry, session.scalars(statement))


def key_entries(session: Session) -> list[EvidenceEntry]:
    """The entries that announce signing keys, in order: a handful."""
    statement = select(Evidence).where(Evidence.kind == EvidenceKind.KEY).order_by(Evidence.number)
    return records_of(EvidenceEntry, session.scalars(statement))


def entries_of_url(session: Session, url: str) -> list[EvidenceEntry]:
    found = session.scalars(select(Evidence).where(Evidence.url == storable(url)).order_by(Evidence.number))
    return records_of(EvidenceEntry, found)


def entries_of_urls(session: Session, urls: Collection[str], *, limit: int) -> list[EvidenceEntry]:
    """The last `limit` entries about these URLs, in the order of the chain."""
    wanted = select(Evidence).where(Evidence.url.in_([storable(url) for url in urls]))
    found = session.scalars(wanted.order_by(Evidence.number.desc()).limit(limit))
    return records_of(EvidenceEntry, found)[::-1]


def entries_with_records(session: Session, records: Collection[bytes]) -> list[EvidenceEntry]:
    """For each of these files that exists, its first entry."""
    first = (
        select(func.min(Evidence.number))
        .where(Evidence.record.in_(list(records)), Evidence.removed_by.is_(None))
        .group_by(Evidence.record)
    )
    statement = select(Evidence).where(Evidence.number.in_(first)).order_by(Evidence.number)
    return records_of(EvidenceEntry, session.scalars(statement))


def known_versions(session: Session, versions: Collection[tuple[str, bytes]]) -> frozenset[tuple[str, bytes]]:
    """Those of these texts, each with its URL, that there is an entry about."""
    by_stored = {(storable(url), text): (url, text) for url, text in versions}
    statement = select(Evidence.url, Evidence.text).where(tuple_(Evidence.url, Evidence.text).in_(list(by_stored)))
    return frozenset(by_stored[url, bytes(text)] for url, text in session.execute(statement) if text is not None)


def records_with_payloads(session: Session, payloads: Iterable[bytes]) -> dict[bytes, list[EvidenceEntry]]:
    """By body, the entries whose files contain it in full, in order: one for each evidence folder, or MOST_FOLDERS."""
    wanted = list(payloads)
    if not wanted:
        return {}
    live = Evidence.record.is_not(None) & Evidence.removed_by.is_(None) & Evidence.refers.is_(None)
    statement = select(Evidence).where(Evidence.payload.in_(wanted), live).order_by(Evidence.number)
    found: dict[bytes, list[EvidenceEntry]] = {}
    for entry in records_of(EvidenceEntry, session.scalars(statement.limit(MOST_FOLDERS * len(wanted)))):
        if entry.payload is not None:
            found.setdefault(entry.payload, []).append(entry)
    return found


def text_bodies(session: Session, texts: Collection[bytes]) -> dict[bytes, str]:
    """The bodies of stored texts by their SHA-256."""
    rows = session.execute(select(Text.sha256, Text.body).where(Text.sha256.in_(list(texts))))
    return {bytes(digest): body for digest, body in rows}


def outdated(session: Session, now: datetime, *, limit: int) -> list[EvidenceEntry]:
    """Entries whose files have expired by their sites' rules, and that no case and no other file needs."""
    ends = or_(SiteEvidence.keep != Keep.RAW, Evidence.at < now - func.make_interval(0, 0, 0, _RAW_DAYS))
    return _removable(session, ends, limit=limit)


def spare(session: Session, *, limit: int, after: int = 0) -> list[EvidenceEntry]:
    """Entries with numbers above `after` whose files may be removed early to save space, oldest first: no case refers
    to their page, no other file needs them, and their site does not keep files forever.
    """
    return _removable(session, _RAW_DAYS.is_not(None) & (Evidence.number > after), limit=limit)


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
    """Appends an entry about the removal of the files of `gone`. Delete the files after the commit."""
    records = tuple(entry.record for entry in gone if entry.record is not None)
    removal = append(session, NewEvidence(EvidenceKind.REMOVED, now, "", records=records))
    numbers = [entry.number for entry in gone]
    session.execute(update(Evidence).where(Evidence.number.in_(numbers)).values(removed_by=removal.number))
    return removal


def pages_without(session: Session) -> Iterator[str]:
    """URLs of crawled pages without an entry about their current version, in chunks."""
    statement = (
        select(Page.url)
        .join(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.is_current))
        .join(Text, Text.id == PageVersion.text_id)
        .where(
            Page.site_id.is_not(None),
            Page.found_by.in_(FOUND_ON_THE_WEB),
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
