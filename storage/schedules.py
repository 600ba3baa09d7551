"""Schedules of sites. What is due is put into the queue in the transaction that says when it is due next."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage import jobs
from storage.errors import BadSchedule
from storage.models.operation import Schedule
from storage.models.sites import Site
from storage.schedule_rules import BadRule, Rule

DUE_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class ScheduleRecord:
    """`time_zone` is the one that holds: the schedule's own, or the site's. `paused`: the schedule or the site is."""

    site_id: int
    site: str
    rule: str
    time_zone: str
    jitter_s: int
    paused: bool
    next_at: datetime | None
    last_at: datetime | None


def set_schedule(
    session: Session,
    site_id: int,
    rule: str,
    *,
    now: datetime,
    time_zone: str | None = None,
    jitter_s: int = 0,
) -> None:
    """Gives the site a schedule, or another one; it is not paused then. `every …` begins now. Raises BadSchedule."""
    zone = time_zone or session.scalars(select(Site.time_zone).where(Site.id == site_id)).one()
    parsed = _parsed(rule)
    begins = now if parsed.period is not None else _next(parsed, now, zone, jitter_s)
    values = {
        "rule": " ".join(rule.split()),
        "time_zone": time_zone,
        "jitter_s": jitter_s,
        "paused": False,
        "next_at": begins,
    }
    statement = insert(Schedule).values(site_id=site_id, **values)
    session.execute(statement.on_conflict_do_update(index_elements=[Schedule.site_id], set_=values))


def pause(session: Session, site_id: int, *, paused: bool) -> bool:
    """Whether there was a schedule. What was missed meanwhile is caught up once."""
    done = update(Schedule).where(Schedule.site_id == site_id).values(paused=paused).returning(Schedule.site_id)
    return session.scalar(done) is not None


def remove(session: Session, site_id: int) -> bool:
    gone = delete(Schedule).where(Schedule.site_id == site_id).returning(Schedule.site_id)
    return session.scalar(gone) is not None


def get_schedule(session: Session, site_id: int) -> ScheduleRecord | None:
    row = session.execute(
        select(Schedule, Site).join(Site, Site.id == Schedule.site_id).where(Schedule.site_id == site_id)
    ).one_or_none()
    return None if row is None else _record(*row)


def list_schedules(session: Session) -> list[ScheduleRecord]:
    """The next one first; paused ones last."""
    rows = session.execute(select(Schedule, Site).join(Site, Site.id == Schedule.site_id).order_by(Site.name))
    found = [_record(*row) for row in rows]
    last = datetime.max.replace(tzinfo=UTC)
    return sorted(found, key=lambda one: (one.paused, one.next_at or last))


def start_due(session: Session, now: datetime) -> list[str]:
    """Puts a crawl of each site that is due into the queue, once however often it was missed. Returns their names.

    Two schedulers at once divide them: rows that another has locked are passed over.
    """
    rows = session.execute(
        select(Schedule, Site)
        .join(Site, Site.id == Schedule.site_id)
        .where(Schedule.next_at <= now, ~Schedule.paused, Site.enabled, func.cardinality(Site.start_urls) > 0)
        .order_by(Schedule.next_at)
        .limit(DUE_AT_ONCE)
        .with_for_update(of=Schedule, skip_locked=True)
    )
    started = []
    for schedule, site in rows.all():
        jobs.defer_crawl(session, site.name, trigger="schedule")
        schedule.last_at = now
        schedule.next_at = _next(_parsed(schedule.rule), now, schedule.time_zone or site.time_zone, schedule.jitter_s)
        started.append(site.name)
    session.flush()
    return started


def _next(rule: Rule, after: datetime, zone: str, jitter_s: int) -> datetime:
    later = random.uniform(0, jitter_s)  # noqa: S311  # spreads load, keeps no secret
    return rule.next_after(after, ZoneInfo(zone)) + timedelta(seconds=later)


def _parsed(rule: str) -> Rule:
    try:
        return Rule.parse(rule)
    except BadRule as error:
        raise BadSchedule(str(error)) from error


def _record(schedule: Schedule, site: Site) -> ScheduleRecord:
    return ScheduleRecord(
        site_id=site.id,
        site=site.name,
        rule=schedule.rule,
        time_zone=schedule.time_zone or site.time_zone,
        jitter_s=schedule.jitter_s,
        paused=schedule.paused or not site.enabled,
        next_at=schedule.next_at,
        last_at=schedule.last_at,
    )
