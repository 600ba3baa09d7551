"""Self-monitoring of the worker: totals of crawl runs, alarms of sites, samples of the disk."""

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
    """Runs all checks. Each is a transaction of its own and can be repeated."""
    taken = AT_ONCE
    while taken == AT_ONCE:
        with transaction(engine) as session:
            taken, site_ids = tally(session)
            opened = site_alarms.watch_sites(session, site_ids, queue.database_time(session))
        for alarm in opened:
            log.warning(
                "%s: %s is %.4g, its usual value %.4g", alarm.site, alarm.measure, alarm.value, alarm.band.usual
            )
    with transaction(engine) as session:
        now = queue.database_time(session)
        site_alarms.close_released(session, now)
        _sample_disk(session, home, now)


def _sample_disk(session: "Session", home: "Path", now: "datetime") -> None:
    """Samples the disk once an hour; raises an alert for a nearly full one once a week."""
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
    """The folder itself, or its nearest existing parent."""
    return next(folder for folder in (path, *path.parents) if folder.is_dir())
