"""Routing of events to channels: which channels are notified, when, and what is held back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.alerts.case_facts import facts_of
from storage.alerts.rules import CaseFacts, fits
from storage.alerts.timing import next_digest, parse_time_of_day
from storage.cases.lists.filters import CaseFilter
from storage.models.alerts import Alert, AlertEvent, AlertHold
from storage.postgres.rows import records_of
from storage.records.alerts import OF_ARTICLES, OF_CASES, AlertKind, AlertState, EventRecord, RuleRecord, RuleTerms
from storage.time_zones import zone_named

ROUTED_AT_ONCE: Final = 500
"""Events in one transaction, short enough that placing a hold never waits long."""


@dataclass(frozen=True, slots=True)
class Notification:
    """One channel to notify of an event: when, and whether in a digest."""

    channel_id: int
    due_at: datetime
    is_digest: bool


def route(
    session: Session,
    rules: Sequence[RuleRecord],
    views: Mapping[int, CaseFilter],
    *,
    now: datetime,
    time_zone: str,
) -> int:
    """Routes some of the waiting events. Returns how many; 0 when none is left.

    `views`: the saved lists that rules name. `time_zone`: for sites without one. Safe to run concurrently: each call
    takes events that no other has locked.
    """
    # No hold may begin while it is decided here which alerts are on hold.
    session.execute(text("LOCK TABLE alert_hold IN SHARE MODE"))
    events = _take(session)
    facts = facts_of(session, {event.case_id for event in events if event.case_id is not None}, views)
    holds = _open_holds(session)
    for event in events:
        of_case = None if event.case_id is None else facts.get(event.case_id)
        hold_id = _hold_of(event, of_case, holds)
        for notification in notifications_of(rules, event, of_case, now=now, time_zone=time_zone):
            _write(session, event, notification, hold_id)
    session.execute(update(AlertEvent).where(AlertEvent.id.in_([event.id for event in events])).values(routed_at=now))
    return len(events)


def notifications_of(
    rules: Sequence[RuleRecord], event: EventRecord, facts: CaseFacts | None, *, now: datetime, time_zone: str
) -> list[Notification]:
    """Each channel once, by the rule that notifies it first. Pure."""
    found: dict[int, Notification] = {}
    for rule in rules:
        if not fits(rule.terms, event, facts):
            continue
        notification = _when(rule, event, facts, now, time_zone)
        known = found.get(rule.channel_id)
        if known is None or notification.due_at < known.due_at:
            found[rule.channel_id] = notification
    return [found[channel_id] for channel_id in sorted(found)]


def _when(rule: RuleRecord, event: EventRecord, facts: CaseFacts | None, now: datetime, time_zone: str) -> Notification:
    at = None if rule.terms.digest_at is None else parse_time_of_day(rule.terms.digest_at)
    if at is None or event.kind not in OF_ARTICLES:
        return Notification(rule.channel_id, now, is_digest=False)
    zone = _zone(rule.terms, facts, time_zone)
    return Notification(rule.channel_id, next_digest(now, at, zone), is_digest=True)


def _zone(terms: RuleTerms, facts: CaseFacts | None, time_zone: str) -> ZoneInfo:
    of_site = None if facts is None else facts.time_zone
    return zone_named(terms.time_zone or of_site or time_zone, time_zone)


def _take(session: Session) -> list[EventRecord]:
    rows = session.scalars(
        select(AlertEvent)
        .where(AlertEvent.routed_at.is_(None))
        .order_by(AlertEvent.id)
        .limit(ROUTED_AT_ONCE)
        .with_for_update(skip_locked=True)
    )
    return records_of(EventRecord, rows)


def _open_holds(session: Session) -> dict[int, tuple[int, datetime]]:
    """By site id: the id of its hold, and since when it applies."""
    rows = session.execute(select(AlertHold.site_id, AlertHold.id, AlertHold.since).where(AlertHold.ended_at.is_(None)))
    return {site_id: (hold_id, since) for site_id, hold_id, since in rows}


def _hold_of(event: EventRecord, facts: CaseFacts | None, holds: Mapping[int, tuple[int, datetime]]) -> int | None:
    found = (holds[site_id] for site_id in _held_sites(event, facts) if site_id in holds)
    return next((hold_id for hold_id, since in found if event.at >= since), None)


def _held_sites(event: EventRecord, facts: CaseFacts | None) -> list[int]:
    """The sites whose holds apply to the event, in a fixed order."""
    if event.kind is AlertKind.RETELLING_FOUND:
        sides = (event.site_id, event.details.get("other_site"))
        return sorted(site_id for site_id in sides if isinstance(site_id, int))
    return sorted(facts.site_ids) if facts is not None and event.kind in OF_CASES else []


def _write(session: Session, event: EventRecord, notification: Notification, hold_id: int | None) -> None:
    values = {
        "event_id": event.id,
        "channel_id": notification.channel_id,
        "state": AlertState.WAITING if hold_id is None else AlertState.HELD,
        "due_at": notification.due_at,
        "is_digest": notification.is_digest,
        "hold_id": hold_id,
    }
    session.execute(insert(Alert).values(values).on_conflict_do_nothing())
