"""Alert events, raised in the transaction in which they happen, and holds on the alerts of suspicious runs."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.alerts import Alert, AlertEvent, AlertHold
from storage.models.cases import Case, CasePage
from storage.models.pages import Page
from storage.models.sites import Site
from storage.postgres.rows import columns_of, records_of
from storage.postgres.text import storable
from storage.records.alerts import OF_CASES, AlertKind, AlertState, HoldRecord

KEY_CHARS = 200
REASON_CHARS = 1_000


def raise_event(
    session: Session,
    kind: AlertKind,
    *,
    key: str,
    case_id: int | None = None,
    site_id: int | None = None,
    details: Mapping[str, str | int | float] | None = None,
) -> bool:
    """Raises an event, which exists only if the caller's transaction commits. Rules decide who is notified.

    `key` identifies the event: raised again under the same key it is not a new event, and False is returned. An event
    that may recur needs a key with its date (`site-blind:7:2026-03-01`). `details` go into the message; `problem` is
    shown as it is.
    """
    said = {name: storable(value) if isinstance(value, str) else value for name, value in (details or {}).items()}
    values = {"kind": kind, "case_id": case_id, "site_id": site_id, "details": said}
    made = insert(AlertEvent).values(key=f"{kind}:{key}"[:KEY_CHARS], **values).on_conflict_do_nothing()
    return session.scalar(made.returning(AlertEvent.id)) is not None


def is_waiting(session: Session, kind: AlertKind, *, key: str) -> bool:
    """Whether an event was raised under this key, and nobody has been notified of it yet."""
    found = select(AlertEvent.id).where(AlertEvent.key == f"{kind}:{key}"[:KEY_CHARS], AlertEvent.routed_at.is_(None))
    return session.scalar(found) is not None


def raise_page_event(session: Session, kind: AlertKind, case_id: int, page_id: int) -> bool:
    """Raises `COPY_REMOVED` or `COPY_REAPPEARED`. Every call is a new event: call once per change."""
    url, now = session.execute(select(Page.url, func.clock_timestamp()).where(Page.id == page_id)).one()
    key = f"{case_id}:{page_id}:{now.isoformat()}"
    return raise_event(session, kind, key=key, case_id=case_id, details={"page": page_id, "url": url})


def hold(
    session: Session, site_id: int, reason: str, *, run_id: int | None = None, since: datetime | None = None
) -> int:
    """Holds back alerts about cases that involve this site, for events since `since` (None: from now on), until
    `release`. Raises `ALERTS_HELD` at once. Returns the id of the hold.

    A site has one open hold: a second call returns its id and can only extend it further back.
    """
    begins = since or session.execute(select(func.clock_timestamp())).scalar_one()
    values = {"site_id": site_id, "reason": storable(reason[:REASON_CHARS]), "run_id": run_id, "since": begins}
    made = insert(AlertHold).values(**values)
    earlier = func.least(AlertHold.since, made.excluded.since)
    statement = made.on_conflict_do_update(
        index_elements=[AlertHold.site_id], index_where=AlertHold.ended_at.is_(None), set_={"since": earlier}
    )
    hold_id: int = session.execute(statement.returning(AlertHold.id)).scalar_one()
    details = {"problem": reason[:REASON_CHARS]} | ({} if run_id is None else {"run": run_id})
    raise_event(session, AlertKind.ALERTS_HELD, key=str(hold_id), site_id=site_id, details=details)
    _hold_what_waits(session, hold_id, site_id, begins)
    return hold_id


def release(session: Session, hold_id: int, *, send: bool, by: str = "") -> int:
    """Ends a hold; its alerts are sent or dropped. Returns how many; 0 also if the hold had ended before."""
    ended = (
        update(AlertHold)
        .where(AlertHold.id == hold_id, AlertHold.ended_at.is_(None))
        .values(ended_at=func.clock_timestamp(), is_sent=send, ended_by=by)
        .returning(AlertHold.id)
    )
    if session.scalar(ended) is None:
        return 0
    state = AlertState.WAITING if send else AlertState.DROPPED
    held = (Alert.hold_id == hold_id, Alert.state == AlertState.HELD)
    return len(session.scalars(update(Alert).where(*held).values(state=state).returning(Alert.id)).all())


def open_holds(session: Session) -> list[HoldRecord]:
    """Open holds, newest first."""
    waiting = (
        select(func.count())
        .where(Alert.hold_id == AlertHold.id, Alert.state == AlertState.HELD)
        .correlate(AlertHold)
        .scalar_subquery()
    )
    rows = session.execute(
        select(*columns_of(HoldRecord, AlertHold, site=Site.name, waiting=waiting))
        .join(Site, Site.id == AlertHold.site_id)
        .where(AlertHold.ended_at.is_(None))
        .order_by(AlertHold.id.desc())
    )
    return records_of(HoldRecord, rows)


def _hold_what_waits(session: Session, hold_id: int, site_id: int, since: datetime) -> None:
    """Puts waiting alerts on hold, except those already in a message."""
    on_site = select(Page.id).where(Page.site_id == site_id)
    theirs = select(CasePage.case_id).where(CasePage.their_page_id.in_(on_site))
    cases = select(Case.id).where(Case.our_page_id.in_(on_site) | Case.id.in_(theirs))
    of_cases = and_(AlertEvent.kind.in_(OF_CASES), AlertEvent.case_id.in_(cases))
    on_either_side = or_(AlertEvent.site_id == site_id, AlertEvent.details["other_site"].as_integer() == site_id)
    of_retellings = and_(AlertEvent.kind == AlertKind.RETELLING_FOUND, on_either_side)
    events = select(AlertEvent.id).where(AlertEvent.at >= since, or_(of_cases, of_retellings))
    waits = (Alert.state == AlertState.WAITING, Alert.message_id.is_(None), Alert.event_id.in_(events))
    session.execute(update(Alert).where(*waits).values(state=AlertState.HELD, hold_id=hold_id))
