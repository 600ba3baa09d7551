"""The worker's look at itself: runs are summed up, sites that are not seen as usual found, disks sampled."""

import logging
import platform
import shutil
from typing import TYPE_CHECKING, Final

from storage.engine import transaction
from storage.jobs import alert_events, queue
from storage.monitoring import disk_forecast, site_alarms
from storage.monitoring.run_totals import AT_ONCE, tally
from storage.records.alerts import AlertKind

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

MACHINE_CHARS: Final = 200

log = logging.getLogger(__name__)


def machine_name() -> str:
    return platform.node()[:MACHINE_CHARS] or "this machine"


def watch(engine: "Engine", home: "Path") -> None:
    """One look; each part of it is a transaction of its own, and may be done again."""
    taken = AT_ONCE
    while taken == AT_ONCE:
        with transaction(engine) as session:
            taken, site_ids = tally(session)
            opened = site_alarms.watch_sites(session, site_ids, queue.database_time(session))
        for alarm in opened:
            log.warning("%s: %s is %.4g, usual is %.4g", alarm.site, alarm.measure, alarm.value, alarm.band.usual)
    with transaction(engine) as session:
        now = queue.database_time(session)
        site_alarms.close_released(session, now)
        _look_at_disk(session, home, now)


def _look_at_disk(session: "Session", home: "Path", now: "datetime") -> None:
    """Once an hour; one that is nearly full is told of once a week."""
    machine = machine_name()
    if not disk_forecast.is_due(session, machine, now):
        return
    usage = shutil.disk_usage(nearest_folder(home))
    disk_forecast.add_sample(session, machine, now, total=usage.total, free=usage.free)
    for one in disk_forecast.forecasts(session, now):
        if one.machine == machine and one.is_low(now):
            year, week, _ = now.isocalendar()
            details: dict[str, str | int | float] = {"machine": machine, "free": one.free, "total": one.total}
            if one.full_at is not None:
                details["full_at"] = one.full_at.isoformat()
            alert_events.raise_event(session, AlertKind.DISK_LOW, key=f"{machine}:{year}-{week}", details=details)


def nearest_folder(path: "Path") -> "Path":
    """The folder itself, or the nearest one above it that is there."""
    return next(folder for folder in (path, *path.parents) if folder.is_dir())
