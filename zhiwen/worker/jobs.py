"""The jobs of the queue, one method each. A job can be stopped at any time and repeated, without losing anything."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import TYPE_CHECKING, Final

from crawler.outcomes.errors import BrowserMissing, CrawlerError
from storage.alerts import outbox
from storage.crawl import logs as crawl_logs
from storage.engine import transaction
from storage.errors import BackupFailed, BackupInterrupted, NotKnown
from storage.intake import submissions, uploads
from storage.jobs import queue
from storage.jobs.alert_events import raise_event
from storage.matches import backlog
from storage.pages import text_index
from storage.records.alerts import AlertKind
from storage.takedowns import recaptures
from zhiwen.wiring import capturer_of, case_rule

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.config.live import LiveSettings
    from zhiwen.config.settings import Settings
    from zhiwen.worker.case_captures import Ask

WELL_ENDED: Final = frozenset({"finished", "busy", "outside-window", "out-of-time", "shutdown"})
"""Ends of a crawl that are no failures. busy: another crawl of the site is running; out-of-time: the next one
continues.
"""

STOPPED: Final = "shutdown"

ASKED_AT_ONCE: Final = 40
"""Pages to capture that are queried at once: twice as many as are captured at once, since some may have failed."""

ALERTS_REMEMBERED: Final = timedelta(days=400)
"""How long the history of alerts is kept: latencies of a year can be compared with those of the year before."""

RECHECK_AFTER: Final = timedelta(hours=20)
"""Confirmed copies are rechecked once a day."""

LOGS_KEPT: Final = timedelta(days=90)
"""For logs of crawls; their counters are kept."""

log = logging.getLogger(__name__)


class JobFailed(Exception):
    """A job failed and is tried again later."""


class CannotBeDone(JobFailed):
    """A job failed, and trying again is useless until somebody fixes the cause."""


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs of one worker. When `stopping` is set, each ends as soon as possible and queues the rest of its work."""

    settings: "Settings"
    engine: "Engine"
    database_url: str
    stopping: Event = field(default_factory=Event)
    running: set[int] = field(default_factory=set)
    """Ids of the running jobs."""
    live: "LiveSettings | None" = None
    """The settings as they change; None: `settings` hold all the time."""

    def as_set(self) -> "Jobs":
        """These jobs with the settings of this moment, which hold for one job from its beginning to its end."""
        return self if self.live is None else replace(self, settings=self.live.current())

    def crawl(self, *, site: str, trigger: str = "desk", max_pages: int | None = None, revisit: bool = False) -> None:
        """Crawls a site in a process of its own."""
        from zhiwen.worker.crawl import crawl_as_set  # noqa: PLC0415  # for such jobs alone

        try:
            run = crawl_as_set(
                self.settings,
                self.database_url,
                site,
                trigger=trigger,
                max_pages=max_pages,
                revisit=revisit,
                stop=self.stopping,
            )
        except NotKnown:
            log.warning("%s was removed before its crawl began", site)
            return
        except BrowserMissing as error:
            raise CannotBeDone(str(error)) from error
        except CrawlerError as error:
            raise JobFailed(str(error)) from error
        ended = "%s: run %s ended: %s, %s"
        log.info(ended, site, run.id, run.exit_reason, dict(run.counters), extra={"run": run.id})
        with transaction(self.engine) as session:
            if run.exit_reason == STOPPED and self.stopping.is_set():
                queue.defer_crawl(session, site, trigger=trigger, max_pages=max_pages, revisit=revisit)
            queue.defer_once(session, queue.MATCH, priority=PRIORITIES[queue.MATCH])
        if run.exit_reason not in WELL_ENDED:
            raise JobFailed(f"The crawl of {site} (run {run.id}) ended with {run.exit_reason}. See: zhiwen runs")

    def match(self) -> None:
        """Compares the texts of the backlog with the store."""
        from matcher.worker.backlog import work_off  # noqa: PLC0415  # loads the dictionaries

        done = work_off(
            self.engine,
            should_stop=self.stopping.is_set,
            rule=case_rule(self.settings),
            folder=self.settings.home / "match",
        )
        if done.compared or done.failed:
            log.info("compared %s pages, %s matching texts, %s set aside", done.compared, done.matched, done.failed)
        with transaction(self.engine) as session:
            if self.stopping.is_set() and backlog.waiting(session):
                queue.defer_once(session, queue.MATCH, priority=PRIORITIES[queue.MATCH])
            if recaptures.pending(session, limit=1):
                queue.defer_once(session, queue.CAPTURE, priority=PRIORITIES[queue.CAPTURE])

    def encode(self) -> None:
        """Encodes texts by meaning, and compares them by it, for some time or until pages wait for comparison."""
        from matcher.meaning.encoders.encoder import EncoderUnavailable  # noqa: PLC0415  # as above
        from zhiwen.worker.encoding import Slice, encode_as_set, is_due  # noqa: PLC0415

        turn = Slice(self.engine, self.stopping.is_set)
        try:
            done = encode_as_set(self.settings, self.engine, should_stop=turn.is_over, on_progress=turn.note)
        except EncoderUnavailable as error:
            raise JobFailed(str(error)) from error
        if done.encoded or done.compared or done.failed:
            log.info("encoded %s texts, compared %s by meaning, %s failed", done.encoded, done.compared, done.failed)
        with transaction(self.engine) as session:
            # While pages wait for comparison, the scheduler queues the rest some seconds later.
            if (self.stopping.is_set() or not turn.matching_waits()) and is_due(self.settings, session):
                queue.defer_once(session, queue.ENCODE, priority=PRIORITIES[queue.ENCODE])

    def discover(self) -> None:
        """Asks search services about articles that are due, and fetches what they find, for some time."""
        from zhiwen.config.settings import SettingsError  # noqa: PLC0415  # as above
        from zhiwen.worker.discovery import discover_as_set  # noqa: PLC0415

        try:
            goes_on = discover_as_set(self.settings, self.engine, should_stop=self.stopping.is_set)
        except SettingsError as error:
            raise CannotBeDone(str(error)) from error
        with transaction(self.engine) as session:
            if goes_on:
                queue.defer_once(session, queue.DISCOVER, priority=PRIORITIES.get(queue.DISCOVER, 0))
            if recaptures.pending(session, limit=1):
                queue.defer_once(session, queue.CAPTURE, priority=PRIORITIES[queue.CAPTURE])

    def capture(self) -> None:
        """Captures both pages of each case that has no captures yet, newest cases first, then those that failed."""
        limit, now = ASKED_AT_ONCE, datetime.now(UTC)
        self._capture_all(lambda session: recaptures.pending(session, limit=limit), "case")
        self._capture_all(lambda session: recaptures.due_for_retry(session, now, limit=limit), "tried again, case")

    def recheck(self) -> None:
        """Rechecks the copies of confirmed cases, and records which were removed or came back."""
        before = datetime.now(UTC) - RECHECK_AFTER
        again = ASKED_AT_ONCE
        self._capture_all(lambda session: recaptures.due_for_recheck(session, before, limit=again), "looked at again")

    def import_upload(self, *, number: int) -> None:
        """Imports a file that was uploaded at the desk."""
        from zhiwen.imports.uploads import import_upload  # noqa: PLC0415  # loads the extractors

        is_done = import_upload(self.settings, self.engine, number, should_stop=self.stopping.is_set)
        with transaction(self.engine) as session:
            if not is_done:
                uploads.defer(session, number)
            queue.defer_once(session, queue.MATCH, priority=PRIORITIES[queue.MATCH])

    def check(self) -> None:
        """Checks files that people handed in together, one after the other."""
        from zhiwen.worker.file_checks import check_files_of_desk  # noqa: PLC0415  # loads the dictionaries

        is_done = check_files_of_desk(self.settings, self.engine, should_stop=self.stopping.is_set)
        if not is_done:
            with transaction(self.engine) as session:
                queue.defer_once(session, queue.CHECK, priority=PRIORITIES[queue.CHECK])

    def look(self) -> None:
        """Captures copies of confirmed cases that a crawl found missing or back, and confirms missing ones."""
        limit, now = ASKED_AT_ONCE, datetime.now(UTC)
        self._capture_all(lambda session: recaptures.changed_since(session, limit=limit), "gone or back")
        self._capture_all(lambda session: recaptures.to_confirm(session, now, limit=limit), "second look")

    def learn(self) -> None:
        """Learns the boilerplate of the store."""
        from matcher.boilerplate.survey import survey  # noqa: PLC0415  # as above

        log.info(
            "learned boilerplate: %s verdicts on repeated runs", survey(self.engine, should_stop=self.stopping.is_set)
        )

    def prune(self) -> None:
        """Deletes evidence by the sites' rules, expired submissions, and old logs and alerts."""
        from crawler.evidence.record_files import EvidenceFolder  # noqa: PLC0415  # only where needed
        from crawler.evidence.retention import prune  # noqa: PLC0415

        folder, most_bytes = EvidenceFolder(self.settings.home), self.settings.evidence_max_bytes
        done = prune(self.engine, folder, now=datetime.now(UTC), most_bytes=most_bytes)
        if done.too_many_bytes:
            log.warning("evidence that must be kept exceeds the limit by %s bytes", done.too_many_bytes)
        with transaction(self.engine) as session:
            expired = submissions.drop_expired(session)
            outbox.forget(session, datetime.now(UTC) - ALERTS_REMEMBERED)
            logs = crawl_logs.drop_old(session, queue.database_time(session) - LOGS_KEPT)
        log.info("pruned: %s files, %s submissions, %s logs", done.files + done.left_over, expired, logs)

    def backup(self) -> None:
        """Creates a backup if a folder is set, tests it by a restore, and deletes superfluous ones."""
        from zhiwen.backups.nightly import back_up  # noqa: PLC0415  # only where needed

        folder = self.settings.backup_folder
        if folder is None:
            return
        try:
            path = back_up(
                self.settings, self.database_url, self.engine, folder=folder, should_stop=self.stopping.is_set
            )
        except BackupInterrupted:
            with transaction(self.engine) as session:
                queue.defer_once(session, queue.BACKUP)
            return
        except BackupFailed as error:
            with transaction(self.engine) as session:
                day = f"{queue.database_time(session):%Y-%m-%d}"
                raise_event(session, AlertKind.BACKUP_FAILED, key=day, details={"problem": str(error)})
            raise JobFailed(str(error)) from error
        log.info("backup created and tested: %s", path)

    def capture_page(self, *, page_id: int) -> None:
        """Captures one page that somebody asked for, for every case it belongs to."""
        from zhiwen.worker.asked_capture import capture_asked  # noqa: PLC0415  # for such jobs alone

        capture_asked(self.settings, self.engine, page_id, self.stopping)

    def text_index(self, *, wanted: bool) -> None:
        """Builds the index of page texts, or drops it."""
        if wanted:
            text_index.build(self.engine)
        else:
            text_index.drop(self.engine)
        log.info("the index of page texts is %s", "built" if wanted else "dropped")

    def stamp(self) -> None:
        """Has the head of the evidence signed by the time stamp authority, if one is set."""
        from crawler.evidence.timestamps import StampFailed  # noqa: PLC0415  # only where needed
        from zhiwen.worker.timestamping import stamp_head  # noqa: PLC0415

        try:
            stamp_head(self.settings, self.engine)
        except StampFailed as error:
            raise JobFailed(str(error)) from error

    def witness(self) -> None:
        """Lists new evidence files, and asks those who confirm lists and heads, as far as they are set up."""
        from zhiwen.worker.witnessing import witness  # noqa: PLC0415  # only where needed

        done = witness(self.settings, self.engine, should_stop=self.stopping.is_set)
        if done.asked:
            log.info("witnesses: %s asked, %s confirmed, %s without result", done.asked, done.confirmed, done.failed)

    def alert(self) -> None:
        """Sends all alerts that are due. Failed messages are tried again later."""
        from zhiwen.alerts.dispatcher import work_off  # noqa: PLC0415  # loads the translations

        done = work_off(self.engine, self.settings, should_stop=self.stopping.is_set)
        if done.sent or done.failed:
            log.info("alerts: %s messages sent, %s failed", done.sent, done.failed)

    def letter(self) -> None:
        """Sends the letters of the outbox whose time has come, each at most once."""
        from zhiwen.alerts.letter_delivery import work_off_letters  # noqa: PLC0415  # loads the channels

        done = work_off_letters(self.engine, self.settings, should_stop=self.stopping.is_set)
        if done.sent or done.failed or done.unknown:
            log.info("letters: %s sent, %s failed, %s unknown", done.sent, done.failed, done.unknown)

    def contacts(self) -> None:
        """Looks for the contacts of hosts that people asked about."""
        from zhiwen.contacts.looking import work_off  # noqa: PLC0415  # for such jobs alone

        done = work_off(self.settings, self.engine, should_stop=self.stopping.is_set)
        log.info("contacts: %s hosts looked at", done)

    def watch(self) -> None:
        """Totals crawl runs, raises alarms of sites, and samples the disk."""
        from zhiwen.worker.self_monitoring import watch  # noqa: PLC0415  # only where needed

        watch(self.engine, self.settings.home)

    def _capture_all(self, ask: "Ask", why: str) -> None:
        """Captures the pages of `ask` until it returns no new ones. A page that fails does not stop the others."""
        from crawler.extraction.page_reader import page_reader  # noqa: PLC0415  # for such jobs alone
        from zhiwen.worker.case_captures import CaseCaptures  # noqa: PLC0415

        with transaction(self.engine) as session:
            if not ask(session):
                return
        with page_reader(self.settings.time_zone, asks_presence=True) as read_page:
            capturer = capturer_of(self.settings, self.engine, read_page)
            problems = CaseCaptures(self.engine, capturer, self.stopping).work_off(ask, why)
        if problems:
            raise JobFailed(f"{len(problems)} pages could not be captured. The first: {problems[0]}")


TASKS: Final[Mapping[str, Callable[..., None]]] = {
    queue.CRAWL: Jobs.crawl,
    queue.MATCH: Jobs.match,
    queue.CAPTURE: Jobs.capture,
    queue.CHECK_CASE_PAGES: Jobs.look,
    queue.RECHECK: Jobs.recheck,
    queue.LEARN: Jobs.learn,
    queue.PRUNE: Jobs.prune,
    queue.STAMP: Jobs.stamp,
    queue.WITNESS: Jobs.witness,
    queue.WATCH: Jobs.watch,
    queue.BACKUP: Jobs.backup,
    queue.ALERT: Jobs.alert,
    queue.LETTER: Jobs.letter,
    queue.IMPORT: Jobs.import_upload,
    queue.CAPTURE_PAGE: Jobs.capture_page,
    queue.TEXT_INDEX: Jobs.text_index,
    queue.CHECK: Jobs.check,
    queue.ENCODE: Jobs.encode,
    queue.DISCOVER: Jobs.discover,
    queue.CONTACTS: Jobs.contacts,
}

PRIORITIES: Final[Mapping[str, int]] = {
    queue.CAPTURE: 10,
    queue.CHECK_CASE_PAGES: 10,
    queue.ALERT: 8,
    queue.LETTER: 8,
    queue.CONTACTS: 6,
    queue.CHECK: 6,
    queue.MATCH: 5,
    queue.ENCODE: -5,
}
"""Evidence first: a page may disappear within the hour. Then what people wait for. Encoding is last: it is long, and
nothing literal waits for it."""
