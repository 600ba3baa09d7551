"""Site alarms: a measure outside its band is an alarm until it returns, or a person marks it as normal."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy import Select, exists, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.jobs import alert_events
from storage.models.alerts import AlertHold
from storage.models.pages import Page
from storage.models.sites import CrawlRun, Site
from storage.models.watch import SiteAlarm
from storage.monitoring import control_limits
from storage.monitoring.run_totals import site_days
from storage.postgres.rows import columns_of, records_of
from storage.records.alerts import AlertKind
from storage.records.monitoring import Alarm, Band, Measure, SiteDayFigures
from storage.time_zones import zone_named

REWRITTEN_SHARE: Final = 0.2
"""Share of known pages changed or gone in one run from which a person has to review it first."""
FEWEST_REWRITTEN: Final = 20
"""Least known pages of a site for that."""

SHOWN: Final = 200
_DAY: Final = timedelta(days=1)
_LOOKED_BACK: Final = timedelta(days=control_limits.HISTORY_DAYS + 3)


def watch_sites(session: Session, site_ids: Collection[int], now: datetime) -> list[Alarm]:
    """Judge yesterday and today of each of these sites; open, update and close alarms. Return those opened."""
    known = site_days(session, site_ids, now.date() - _LOOKED_BACK)
    zones = dict(session.execute(select(Site.id, Site.time_zone).where(Site.id.in_(known), Site.enabled)).all())
    alarms: dict[int, list[SiteAlarm]] = {}
    for alarm in _alarms_since(session, zones, now - _LOOKED_BACK):
        alarms.setdefault(alarm.site_id, []).append(alarm)
    opened = []
    for site_id, zone in sorted(zones.items()):
        today = now.astimezone(zone_named(zone)).date()
        for measure in control_limits.OF_DAYS:
            of_measure = [alarm for alarm in alarms.get(site_id, ()) if alarm.measure is measure]
            judged = _newest_judged(measure, known[site_id], of_measure, today, zone_named(zone))
            if judged is not None:
                opened += _settle(session, site_id, measure, of_measure, judged, now)
    return alarms_by_id(session, opened)


def judge_run(session: Session, run_id: int, counters: Mapping[str, int]) -> int | None:
    """Check whether a run changes so many known pages that its alerts need a review, and hold them if so. Return the id
    of the alarm opened.

    Cheap enough to be called every few seconds: without many changes it runs no query, and then counts only as far as
    necessary.
    """
    changed = counters.get("articles/changed", 0) + counters.get("articles/gone", 0)
    if changed < FEWEST_REWRITTEN or session.scalar(select(exists().where(SiteAlarm.run_id == run_id))):
        return None
    run = session.execute(select(CrawlRun.site_id, CrawlRun.started_at).where(CrawlRun.id == run_id)).one_or_none()
    if run is None:
        return None
    enough = int(changed / REWRITTEN_SHARE) + 1
    of_before = select(literal(1)).where(Page.site_id == run.site_id, Page.first_seen_at < run.started_at).limit(enough)
    before = session.scalar(select(func.count()).select_from(of_before.subquery())) or 0
    share = min(1.0, changed / max(before, 1))
    if share <= REWRITTEN_SHARE or before < FEWEST_REWRITTEN / REWRITTEN_SHARE:
        return None
    band = Band(0.0, None, REWRITTEN_SHARE)
    now = session.execute(select(func.now())).scalar_one()
    alarm_id = _open(session, run.site_id, Measure.REWRITTEN, (now.date(), share, band), now, run_id=run_id)
    reason = f"Run {run_id} found {changed} of the {before} known pages changed or gone ({share:.0%})."
    alert_events.hold(session, run.site_id, reason, run_id=run_id, since=run.started_at)
    return alarm_id


def close_released(session: Session, now: datetime) -> int:
    """Close the alarms of runs whose alerts were reviewed since. Return how many."""
    is_held = exists().where(AlertHold.site_id == SiteAlarm.site_id, AlertHold.ended_at.is_(None))
    closed = session.scalars(
        update(SiteAlarm)
        .where(SiteAlarm.measure == Measure.REWRITTEN, SiteAlarm.closed_at.is_(None), ~is_held)
        .values(closed_at=now)
        .returning(SiteAlarm.id)
        .execution_options(synchronize_session=False)
    )
    return len(closed.all())


def open_alarms(session: Session) -> list[Alarm]:
    """Return the present alarms of sites that are not paused, the newest first."""
    of_open = _alarms().where(SiteAlarm.closed_at.is_(None), Site.enabled)
    return _records(session, of_open.order_by(SiteAlarm.id.desc()).limit(SHOWN))


def recent_alarms(session: Session, *, site_id: int | None = None, limit: int = SHOWN) -> list[Alarm]:
    """Return open and closed alarms, the newest first."""
    statement = _alarms().order_by(SiteAlarm.id.desc()).limit(limit)
    return _records(session, statement if site_id is None else statement.where(SiteAlarm.site_id == site_id))


def alarms_by_id(session: Session, alarm_ids: Collection[int]) -> list[Alarm]:
    if not alarm_ids:
        return []
    return _records(session, _alarms().where(SiteAlarm.id.in_(list(alarm_ids))).order_by(SiteAlarm.id))


def accept(session: Session, alarm_id: int, *, by: str, now: datetime) -> Alarm | None:
    """Mark the present values as normal: earlier ones are no longer compared with, and nothing is judged until there
    is enough new history. Returns None if the alarm is closed, or if its alerts are held: release those instead.
    """
    closed = session.scalar(
        update(SiteAlarm)
        .where(SiteAlarm.id == alarm_id, SiteAlarm.closed_at.is_(None), SiteAlarm.measure != Measure.REWRITTEN)
        .values(closed_at=now, accepted_by=by)
        .returning(SiteAlarm.id)
        .execution_options(synchronize_session=False)
    )
    return None if closed is None else next(iter(alarms_by_id(session, [closed])), None)


def _newest_judged(
    measure: Measure, days: Sequence[SiteDayFigures], alarms: Sequence[SiteAlarm], today: date, zone: ZoneInfo
) -> tuple[date, float, Band] | None:
    """Judge today if it has enough data, else yesterday; dates of an open alarm are no history."""
    history = [one for one in days if _is_usual(one.day, alarms, zone)]
    by_day = {one.day: one for one in days}
    for day in (today, today - _DAY):
        if day in by_day:
            judged = control_limits.judge(measure, history, by_day[day], is_over=day < today)
            if judged is not None:
                return day, *judged
    return None


def _is_usual(day: date, alarms: Iterable[SiteAlarm], zone: ZoneInfo) -> bool:
    for alarm in alarms:
        begun = alarm.opened_at.astimezone(zone).date() - _DAY
        if alarm.accepted_by is not None and alarm.closed_at is not None:
            if day < alarm.closed_at.astimezone(zone).date():
                return False
        elif begun <= day <= alarm.day:
            return False
    return True


def _settle(
    session: Session,
    site_id: int,
    measure: Measure,
    alarms: Iterable[SiteAlarm],
    judged: tuple[date, float, Band],
    now: datetime,
) -> list[int]:
    """Update the alarm of one measure; return the id of the alarm if it opened one."""
    day, value, band = judged
    standing = next((alarm for alarm in alarms if alarm.closed_at is None), None)
    if not band.holds(value):
        # A date on which a person closed or ended the alarm does not open it again.
        is_settled = any(alarm.closed_at is not None and alarm.day >= day for alarm in alarms)
        if is_settled:
            return []
        alarm_id = _open(session, site_id, measure, judged, now)
        if standing is None and alarm_id is not None:
            _tell(session, AlertKind.SITE_BLIND, alarm_id, site_id, measure, value, band)
            return [alarm_id]
    elif standing is not None and day > standing.day:
        session.execute(update(SiteAlarm).where(SiteAlarm.id == standing.id).values(closed_at=now))
        _tell(session, AlertKind.SITE_RECOVERED, standing.id, site_id, measure, value, band)
    return []


def _open(
    session: Session,
    site_id: int,
    measure: Measure,
    judged: tuple[date, float, Band],
    now: datetime,
    *,
    run_id: int | None = None,
) -> int | None:
    """Open an alarm, or update the open one."""
    day, value, band = judged
    now_true: dict[str, Any] = {"day": day, "value": value, "usual": band.usual, "low": band.low, "high": band.high}
    if run_id is not None:
        now_true["run_id"] = run_id
    statement = insert(SiteAlarm).values(site_id=site_id, measure=measure, opened_at=now, **now_true)
    upsert = statement.on_conflict_do_update(
        index_elements=[SiteAlarm.site_id, SiteAlarm.measure], index_where=SiteAlarm.closed_at.is_(None), set_=now_true
    )
    return session.scalar(upsert.returning(SiteAlarm.id))


def _tell(
    session: Session, kind: AlertKind, alarm_id: int, site_id: int, measure: Measure, value: float, band: Band
) -> None:
    bounds = {name: bound for name, bound in (("low", band.low), ("high", band.high)) if bound is not None}
    problem = (
        f"{measure.value}: {value:.4g}, {' – '.join(f'{one:.4g}' for one in (band.low or 0.0, band.high or value))}"
    )
    details: dict[str, str | int | float] = {"measure": measure.value, "value": value, "usual": band.usual, **bounds}
    details["problem"] = problem
    alert_events.raise_event(session, kind, key=str(alarm_id), site_id=site_id, details=details)


def _alarms_since(session: Session, site_ids: Collection[int], since: datetime) -> list[SiteAlarm]:
    is_near = or_(SiteAlarm.closed_at.is_(None), SiteAlarm.closed_at > since)
    statement = select(SiteAlarm).where(SiteAlarm.site_id.in_(list(site_ids)), is_near).order_by(SiteAlarm.id)
    return list(session.scalars(statement))


@cache
def _alarms() -> Select[*tuple[Any, ...]]:
    columns = columns_of(Alarm, SiteAlarm, site=Site.name, band=columns_of(Band, SiteAlarm))
    return select(*columns).join(Site, Site.id == SiteAlarm.site_id)


def _records(session: Session, statement: Select[*tuple[Any, ...]]) -> list[Alarm]:
    return records_of(Alarm, session.execute(statement))
