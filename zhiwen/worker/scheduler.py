"""The scheduler: queues work that is due, and jobs of dead workers again.

Every worker ticks. They share the due work, and none queues what another has queued already.
"""

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from storage.alerts import outbox
from storage.backups import history
from storage.contacts import searches as contact_searches
from storage.engine import transaction
from storage.fingerprints import recompute
from storage.intake import check_files, text_checks
from storage.jobs import queue, schedules
from storage.jobs.schedule_rules import Rule
from storage.letters import outbox as letter_outbox
from storage.matches import backlog
from storage.takedowns import recaptures
from zhiwen.config.witnesses import witnesses_of
from zhiwen.worker import discovery, encoding
from zhiwen.worker.jobs import PRIORITIES

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from zhiwen.config.settings import Settings

TICK_S: Final = 20.0
"""Three ticks a minute: both pages of a case must be captured within a minute."""

DAY: Final = timedelta(hours=24)
KEPT: Final = timedelta(days=14)
"""How long finished jobs are kept."""

WATCH_EVERY: Final = timedelta(minutes=5)
"""How soon after the end of a run an alarm of its site is raised."""

WITNESS_EVERY: Final = timedelta(minutes=10)
"""New files are listed and confirmed so often: at most 144 lists a day, whatever happens."""

RETRY_AFTER: Final = timedelta(hours=1)
"""After an automatic job was set aside, no equal job is queued for so long: neither a loop nor a permanent stop."""

log = logging.getLogger(__name__)


def tick(engine: "Engine", settings: "Settings") -> None:
    """One tick, in one transaction. Raises errors of the database; then nothing was queued."""
    with transaction(engine) as session:
        now = queue.database_time(session)
        for job in queue.take_over(session):
            log.warning("job %s (%s) is taken over: its worker is gone; it is %s now", job.id, job.task, job.state)
        for site in schedules.start_due(session, now):
            log.info("%s is due", site)
        for task in _with_work(session, settings, now):
            _queue(session, task, now)
        for task in _daily(settings):
            if not queue.was_deferred_since(session, task, now - DAY):
                _queue(session, task, now)
        if not queue.was_deferred_since(session, queue.WATCH, now - WATCH_EVERY):
            _queue(session, queue.WATCH, now)
        if witnesses_of(settings) and not queue.was_deferred_since(session, queue.WITNESS, now - WITNESS_EVERY):
            _queue(session, queue.WITNESS, now)
        if settings.backup_folder is not None and _is_backup_due(session, settings, now):
            _queue(session, queue.BACKUP, now)
        queue.forget(session, now - KEPT)
        # Every minute: a text that is kept for an hour should not lie here for a day.
        text_checks.drop_expired(session)


def _with_work(session: "Session", settings: "Settings", now: datetime) -> list[str]:
    """The tasks for which something waits."""
    waits = {
        # Matching recomputes old fingerprints first; after an upgrade there may be no new page to trigger it.
        queue.MATCH: backlog.waiting(session) or recompute.waiting(session),
        queue.CHECK: check_files.are_waiting(session),
        queue.ENCODE: encoding.is_due(settings, session),
        queue.CAPTURE: recaptures.pending(session, limit=1) or recaptures.due_for_retry(session, now, limit=1),
        queue.CHECK_CASE_PAGES: recaptures.to_confirm(session, now, limit=1),
        queue.DISCOVER: discovery.is_due(settings, session, now),
        queue.ALERT: outbox.is_due(session, now),
        queue.LETTER: letter_outbox.is_due(session, now),
        queue.CONTACTS: contact_searches.is_waiting(session),
    }
    return [task for task, is_waiting in waits.items() if is_waiting]


def _daily(settings: "Settings") -> tuple[str, ...]:
    stamps = (queue.STAMP,) if settings.time_stamp_url is not None else ()
    return (queue.RECHECK, queue.LEARN, queue.PRUNE, *stamps)


def _is_backup_due(session: "Session", settings: "Settings", now: datetime) -> bool:
    """The first backup is due at once; later ones by the rule, and one for any number of missed times."""
    last = queue.last_deferred(session, queue.BACKUP)
    newest = history.newest(session)
    if last is None and newest is None:
        return True
    since = max(at for at in (last, None if newest is None else newest.made_at) if at is not None)
    return Rule.parse(settings.backup_rule).next_after(since, ZoneInfo(settings.time_zone)) <= now


def _queue(session: "Session", task: str, now: datetime) -> None:
    if not queue.was_set_aside_since(session, task, now - RETRY_AFTER):
        queue.defer_once(session, task, priority=PRIORITIES.get(task, 0))
