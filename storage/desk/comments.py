"""Comments on cases, and the people whom they mention."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.cases.findings import record_event
from storage.errors import NotKnown
from storage.jobs import alert_events
from storage.models.cases import Case, CaseEvent
from storage.models.pages import PageVersion
from storage.postgres.rows import columns_of, records_of
from storage.postgres.text import storable
from storage.records.alerts import AlertKind
from storage.records.cases import Actor
from storage.types import CaseEventKind

COMMENT_CHARS: Final = 2_000
MOST_MENTIONED: Final = 20
MENTIONS: Final = "mentions"
"""The detail of the event: ids of accounts."""
SHOWN_MENTIONS: Final = 20


@dataclass(frozen=True, slots=True)
class MentionRecord:
    """A comment that mentions somebody. `title`: of our article."""

    id: int
    case_id: int
    at: datetime
    actor: str
    note: str
    title: str


def comment(session: Session, case_id: int, words: str, mentioned: Sequence[Actor], *, actor: Actor) -> None:
    """Adds a comment to the history of a case, and raises an alert for each person in `mentioned` but the author.

    Comments are only ever added, so that no one replaces another. Raises NotKnown.
    """
    locked = select(Case.id).where(Case.id == case_id).with_for_update(key_share=True)
    if session.scalar(locked) is None:
        raise NotKnown("case", str(case_id))
    words = storable(words[:COMMENT_CHARS])
    others = [one for one in mentioned[:MOST_MENTIONED] if one.account_id != actor.account_id]
    details = {MENTIONS: [one.account_id for one in others], "names": [one.name for one in others]}
    record_event(session, case_id, CaseEventKind.COMMENTED, actor=actor, note=words, details=details)
    event_id = session.scalar(select(func.max(CaseEvent.id)).where(CaseEvent.case_id == case_id))
    for one in others:
        said: dict[str, str | int | float] = {
            "account": one.account_id,
            "name": one.name,
            "by": actor.name,
            "words": words,
        }
        key = f"{event_id}:{one.account_id}"
        alert_events.raise_event(session, AlertKind.MENTIONED, key=key, case_id=case_id, details=said)


def mentions_of(session: Session, account_id: int, since: datetime) -> list[MentionRecord]:
    """Comments since `since` that mention an account, newest first, up to a bound."""
    rows = session.execute(
        select(*columns_of(MentionRecord, CaseEvent, title=func.coalesce(PageVersion.title, "")))
        .join(Case, Case.id == CaseEvent.case_id)
        .outerjoin(PageVersion, (PageVersion.page_id == Case.our_page_id) & PageVersion.is_current)
        .where(CaseEvent.kind == CaseEventKind.COMMENTED, CaseEvent.at >= since)
        .where(CaseEvent.details.contains({MENTIONS: [account_id]}))
        .order_by(CaseEvent.at.desc(), CaseEvent.id.desc())
        .limit(SHOWN_MENTIONS)
    )
    return records_of(MentionRecord, rows)
