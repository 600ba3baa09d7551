"""The audit log: who changed what, and when. Entries are written in the transaction of the change."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.models.people import AuditEvent
from storage.postgres.rows import records_of
from storage.records.accounts import AccountRecord

LONGEST_SUBJECT: Final = 400
LONGEST_DETAIL: Final = 2_000
"""Characters of one value, so that the log stays readable."""

_ACT: Final = re.compile(r"[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class AuditRecord:
    id: int
    at: datetime
    actor: str
    """Empty: the command line."""
    act: str
    subject: str
    detail: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AuditFilter:
    actor: str | None = None
    act: str | None = None
    """An act (`site.add`), or a noun (`site`) for all its acts."""
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""
    subject: str | None = None
    """The whole subject; `text` is part of one."""


def record(
    session: Session, *, actor: AccountRecord | None, act: str, subject: str, detail: Mapping[str, str] | None = None
) -> None:
    """Adds an entry. `act`: `noun.verb` in lower case. `subject`: what was changed, in words that remain meaningful
    after its deletion. Long texts are cut, NUL and lone surrogates replaced: a change must not fail because of its log.

    Raises ValueError for a malformed act.
    """
    if not _ACT.fullmatch(act):
        message = f"{act!r} is no act: say noun.verb, such as site.add."
        raise ValueError(message)
    session.add(
        AuditEvent(
            actor_id=actor.id if actor else None,
            actor=actor.name if actor else "",
            act=act,
            subject=_storable(subject, LONGEST_SUBJECT),
            detail={key: _storable(value, LONGEST_DETAIL) for key, value in (detail or {}).items()},
        )
    )


def list_events(session: Session, where: AuditFilter, *, limit: int, before_id: int | None = None) -> list[AuditRecord]:
    """Matching entries, newest first; with `before_id`, those with lower ids."""
    query = select(AuditEvent).order_by(AuditEvent.id.desc()).limit(limit)
    if before_id is not None:
        query = query.where(AuditEvent.id < before_id)
    if where.actor is not None:
        query = query.where(AuditEvent.actor == where.actor)
    if where.act is not None:
        is_act = "." in where.act
        query = query.where(
            AuditEvent.act == where.act if is_act else AuditEvent.act.startswith(f"{where.act}.", autoescape=True)
        )
    if where.subject is not None:
        query = query.where(AuditEvent.subject == where.subject)
    if where.text:
        query = query.where(AuditEvent.subject.icontains(where.text, autoescape=True))
    if where.since is not None:
        query = query.where(AuditEvent.at >= where.since)
    if where.until is not None:
        query = query.where(AuditEvent.at < where.until)
    return records_of(AuditRecord, session.scalars(query))


def _storable(text: str, limit: int) -> str:
    clean = text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
