"""Crawl schedules of sites. A due crawl is queued in the transaction that sets its next time."""

import logging
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session

from storage.crawl import runs
from storage.errors import BadSchedule
from storage.jobs import queue
from storage.jobs.schedule_rules import BadRule, Rule
from storage.models.operation import Schedule
from storage.models.sites import Site
from storage.postgres.rows import record_of
from storage.postgres.writes import upsert
from storage.records.crawl import History
from storage.time_zones import is_known, zone_named

DUE_AT_ONCE = 500
CLOCK_STEP = timedelta(minutes=5)
"""A smaller correction of the clock is made gradually, without a step."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ScheduleRecord:
    """`time_zone`: the schedule's own, else the site's. `paused`: the schedule is paused or the site disabled."""

    site_id: int
    site: str
    rule: str
    time_zone: str
    jitter_s: int
    paused: bool
    next_at: datetime | None
    last_at: datetime | None
    wait_s: float | None
    """Seconds from the last start to the next, for adaptive schedules."""


def set_schedule(
    session: Session,
    site_id: int,
    rule: str,
    *,
    now: datetime,
    time_zone: str | None = None,
    jitter_s: int = 0,
) -> None:
    """Sets the schedule of a site and resumes it. All kinds but cron start now. Raises BadSchedule."""
    zone = time_zone or session.scalars(select(Site.time_zone).where(Site.id == site_id)).one()
    parsed = _parsed(rule)
    begins = now if parsed.begins_at_once else _later(parsed.next_after(now, zone_named(zone)), jitter_s)
    values = {
        "rule": " ".join(rule.split()),
        "time_zone": time_zone,
        "jitter_s": jitter_s,
        "paused": False,
        "next_at": begins,
    }
    upsert(session, Schedule, {"site_id": site_id}, values)


def pause(session: Session, site_id: int, *, paused: bool) -> bool:
    """Pauses or resumes a schedule. Returns whether there was one. Missed runs are caught up once."""
    done = update(Schedule).where(Schedule.site_id == site_id).values(paused=paused).returning(Schedule.site_id)
    return session.scalar(done) is not None


def remove(session: Session, site_id: int) -> bool:
    gone = delete(Schedule).where(Schedule.site_id == site_id).returning(Schedule.site_id)
    return session.scalar(gone) is not None


def get_schedule(session: Session, site_id: int) -> ScheduleRecord | None:
    row = session.execute(_schedules().where(Schedule.site_id == site_id)).one_or_none()
    return None if row is None else _record(*row)


def list_schedules(session: Session) -> list[ScheduleRecord]:
    """All schedules, next one first, paused ones last."""
    found = [_record(*row) for row in session.execute(_schedules().order_by(Site.name))]
    last = datetime.max.replace(tzinfo=UTC)
    return sorted(found, key=lambda one: (one.paused, one.next_at or last))


def start_due(session: Session, now: datetime) -> list[str]:
    """Queues a crawl of each due site, once however often it was missed. Returns their names.

    Concurrent schedulers share the work: locked rows are skipped. If the clock was set back since the last start, the
    schedule counts from now. A schedule whose rule cannot be read is paused, with an error in the log.
    """
    ahead = Schedule.last_at > now + CLOCK_STEP
    session.execute(update(Schedule).where(ahead, ~Schedule.paused).values(last_at=now, next_at=now))
    rows = session.execute(
        _schedules()
        .where(Schedule.next_at <= now, ~Schedule.paused, Site.enabled, func.cardinality(Site.start_urls) > 0)
        .order_by(Schedule.next_at)
        .limit(DUE_AT_ONCE)
        .with_for_update(of=Schedule, skip_locked=True)
    )
    started = []
    for schedule, site in rows.all():
        try:
            rule = Rule.parse(schedule.rule)
        except BadRule as error:  # of another version, or entered by hand; the other sites are due all the same
            log.error("the schedule of %s is paused: %s", site.name, error)
            schedule.paused = True
            continue
        queue.defer_crawl(session, site.name, trigger="schedule")
        schedule.last_at = now
        zone = zone_named(schedule.time_zone or site.time_zone, site.time_zone)
        history = runs.news_of_site(session, site.id) if rule.adaptive is not None else History()
        schedule.next_at = _later(rule.next_after(now, zone, history), schedule.jitter_s)
        started.append(site.name)
    session.flush()
    return started


def coming(rule: str, *, now: datetime, time_zone: str, count: int) -> list[datetime]:
    """The next times of a rule if it were set now, without jitter. Read-only. Raises BadSchedule.

    An adaptive rule is shown as for a site without history.
    """
    parsed, zone = _parsed(rule), zone_named(time_zone)
    found = [now if parsed.begins_at_once else parsed.next_after(now, zone)]
    while len(found) < count:
        found.append(parsed.next_after(found[-1], zone))
    return found


def _later(moment: datetime, jitter_s: int) -> datetime:
    return moment + timedelta(seconds=random.uniform(0, jitter_s))  # noqa: S311  # spreads load, keeps no secret


def _parsed(rule: str) -> Rule:
    try:
        return Rule.parse(rule)
    except BadRule as error:
        raise BadSchedule(str(error)) from error


def _is_adaptive(rule: str) -> bool:
    try:
        return Rule.parse(rule).adaptive is not None
    except BadRule:
        return False


def _record(schedule: Schedule, site: Site) -> ScheduleRecord:
    both = (schedule.last_at, schedule.next_at) if _is_adaptive(schedule.rule) else (None, None)
    return record_of(
        ScheduleRecord,
        schedule,
        site=site.name,
        time_zone=schedule.time_zone or site.time_zone,
        paused=schedule.paused or not site.enabled,
        wait_s=None if both[0] is None or both[1] is None else (both[1] - both[0]).total_seconds(),
    )


@cache
def _schedules() -> Select[Schedule, Site]:
    return select(Schedule, Site).join(Site, Site.id == Schedule.site_id)


def unknown_zones(session: Session) -> list[tuple[str, str]]:
    """Sites whose own or schedule's time zone is unknown on this machine, each with the zone's name."""
    of_sites = session.execute(select(Site.name, Site.time_zone)).all()
    of_schedules = session.execute(
        select(Site.name, Schedule.time_zone)
        .join(Schedule, Schedule.site_id == Site.id)
        .where(Schedule.time_zone.is_not(None))
    ).all()
    return sorted({(site, name) for site, name in (*of_sites, *of_schedules) if name and not is_known(name)})
