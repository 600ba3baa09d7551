"""The scheduler's look at the clock: what is due goes into the queue, what a dead worker left goes back.

Every worker ticks; they divide what is due among them, and what one has queued no other queues again.
"""

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from storage import alert_outbox, backlog, backups, captures, jobs, recompute, schedules
from storage.engine import transaction
from storage.schedule_rules import Rule
from zhiwen.jobs import PRIORITIES

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from zhiwen.config import Settings

TICK_S: Final = 20.0
"""Three looks a minute: both pages of a case are to be captured within one."""

DAY: Final = timedelta(hours=24)
KEPT: Final = timedelta(days=14)
"""How long finished jobs are remembered."""

WATCH_EVERY: Final = timedelta(minutes=5)
"""How soon after the end of a run it is noticed that its site is not seen any more."""

CALM: Final = timedelta(hours=1)
"""After a job of its own accord was set aside, none like it is queued for so long: never a loop, and never for ever."""

log = logging.getLogger(__name__)


def tick(engine: "Engine", settings: "Settings") -> None:
    """One look. Raises what the database raises; then nothing of it has happened."""
    with transaction(engine) as session:
        now = jobs.database_time(session)
        for job in jobs.take_over(session):
            log.warning("job %s (%s) is taken over: its worker is gone; it is %s now", job.id, job.task, job.state)
        for site in schedules.start_due(session, now):
            log.info("%s is due", site)
        # It reads first what an older version of the program read, and an update brings no page of its own.
        if backlog.waiting(session) or recompute.waiting(session):
            _ask_for(session, jobs.MATCH, now)
        if captures.pending(session, limit=1):
            _ask_for(session, jobs.CAPTURE, now)
        if captures.to_confirm(session, now, limit=1):
            _ask_for(session, jobs.LOOK, now)
        if alert_outbox.is_due(session, now):
            _ask_for(session, jobs.ALERT, now)
        for task in _daily(settings):
            if not jobs.was_deferred_since(session, task, now - DAY):
                _ask_for(session, task, now)
        if not jobs.was_deferred_since(session, jobs.WATCH, now - WATCH_EVERY):
            _ask_for(session, jobs.WATCH, now)
        if settings.backup_folder is not None and _is_backup_due(session, settings, now):
            _ask_for(session, jobs.BACKUP, now)
        jobs.forget(session, now - KEPT)


def _daily(settings: "Settings") -> tuple[str, ...]:
    stamps = (jobs.STAMP,) if settings.time_stamp_url is not None else ()
    return (jobs.RECHECK, jobs.LEARN, jobs.PRUNE, *stamps)


def _is_backup_due(session: "Session", settings: "Settings", now: datetime) -> bool:
    """The first one at once; then as the rule says, and once where times were missed."""
    last = jobs.last_deferred(session, jobs.BACKUP)
    newest = backups.newest(session)
    if last is None and newest is None:
        return True
    since = max(at for at in (last, None if newest is None else newest.made_at) if at is not None)
    return Rule.parse(settings.backup_rule).next_after(since, ZoneInfo(settings.time_zone)) <= now


def _ask_for(session: "Session", task: str, now: datetime) -> None:
    if not jobs.was_set_aside_since(session, task, now - CALM):
        jobs.defer_once(session, task, priority=PRIORITIES.get(task, 0))
