"""The scheduler's look at the clock: what is due goes into the queue, what a dead worker left goes back.

Every worker ticks; they divide what is due among them, and what one has queued no other queues again.
"""

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from storage.alerts import outbox
from storage.backups import history
from storage.engine import transaction
from storage.fingerprints import recompute
from storage.jobs import queue, schedules
from storage.jobs.schedule_rules import Rule
from storage.matches import backlog
from storage.takedowns import recaptures
from zhiwen.worker.jobs import PRIORITIES

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from zhiwen.config.settings import Settings

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
        now = queue.database_time(session)
        for job in queue.take_over(session):
            log.warning("job %s (%s) is taken over: its worker is gone; it is %s now", job.id, job.task, job.state)
        for site in schedules.start_due(session, now):
            log.info("%s is due", site)
        # It reads first what an older version of the program read, and an update brings no page of its own.
        if backlog.waiting(session) or recompute.waiting(session):
            _ask_for(session, queue.MATCH, now)
        if recaptures.pending(session, limit=1):
            _ask_for(session, queue.CAPTURE, now)
        if recaptures.to_confirm(session, now, limit=1):
            _ask_for(session, queue.LOOK, now)
        if outbox.is_due(session, now):
            _ask_for(session, queue.ALERT, now)
        for task in _daily(settings):
            if not queue.was_deferred_since(session, task, now - DAY):
                _ask_for(session, task, now)
        if not queue.was_deferred_since(session, queue.WATCH, now - WATCH_EVERY):
            _ask_for(session, queue.WATCH, now)
        if settings.backup_folder is not None and _is_backup_due(session, settings, now):
            _ask_for(session, queue.BACKUP, now)
        queue.forget(session, now - KEPT)


def _daily(settings: "Settings") -> tuple[str, ...]:
    stamps = (queue.STAMP,) if settings.time_stamp_url is not None else ()
    return (queue.RECHECK, queue.LEARN, queue.PRUNE, *stamps)


def _is_backup_due(session: "Session", settings: "Settings", now: datetime) -> bool:
    """The first one at once; then as the rule says, and once where times were missed."""
    last = queue.last_deferred(session, queue.BACKUP)
    newest = history.newest(session)
    if last is None and newest is None:
        return True
    since = max(at for at in (last, None if newest is None else newest.made_at) if at is not None)
    return Rule.parse(settings.backup_rule).next_after(since, ZoneInfo(settings.time_zone)) <= now


def _ask_for(session: "Session", task: str, now: datetime) -> None:
    if not queue.was_set_aside_since(session, task, now - CALM):
        queue.defer_once(session, task, priority=PRIORITIES.get(task, 0))
