"""The audit log: who changed what, and when. Written in the transaction of the change: neither is without the other."""

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
"""Characters of one value: a log is to be read, and what was changed stands where it was changed."""

_ACT: Final = re.compile(r"[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class AuditRecord:
    id: int
    at: datetime
    actor: str
    """Empty: done on the command line."""
    act: str
    subject: str
    detail: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AuditFilter:
    actor: str | None = None
    act: str | None = None
    """An act (`site.add`), or a noun (`site`) for all of its acts."""
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is too late."""


def record(
    session: Session, *, actor: AccountRecord | None, act: str, subject: str, detail: Mapping[str, str] | None = None
) -> None:
    """Adds to the log. `act` is `noun.verb` (lower case); `subject` says on what it was done, in words that still
    mean something when the thing is deleted. Over-long texts are cut, NUL and lone surrogates replaced: a change
    must not fail for its log. Raises ValueError for an act that is none.
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
    """Newest first; `before_id` is the last one of the page before."""
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
