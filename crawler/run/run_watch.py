"""Supervises the process of a crawl: its time, memory, output, and requests to stop."""

import contextlib
import logging
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Final

from crawler.processes.watched_process import ProcessOutput, resident_bytes
from crawler.spider.crawl_store import CrawlStore
from storage.crawl import logs, runs
from storage.errors import NotKnown, StorageError
from storage.records.crawl import RunRecord

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

POLL_S: Final = 0.5
LOG_EVERY_S: Final = 10.0
STOP_WITHIN_S: Final = 10.0
"""From the request to stop until the process is killed. It loses nothing then: what was in flight is visited again."""

OUT_OF_TIME: Final = "out-of-time"
OUT_OF_MEMORY: Final = "out-of-memory"
STALLED: Final = "stalled"

STALLED_AFTER_S: Final = 900.0
"""Without any progress. The longest legitimate silence is that of a database that is away (600 s), then a turn at the
host (300 s); a crawl that waits for disk space sends heartbeats.
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of one crawl. Past either it is stopped, and the next one continues where it was.

    `memory_bytes`: of its process, without those that read pages, which have a bound of their own each. Crawls hold
    about 200 MB. Only measured on Linux. `time_s`: from its beginning. `stall_s`: without any progress.
    """

    memory_bytes: int = 1_500_000_000
    time_s: float = 24 * 3600.0
    stall_s: float = STALLED_AFTER_S


DEFAULT_BOUNDS: Final = Bounds()


@dataclass(slots=True)
class RunWatch:
    """Set `stop` to end the crawl. After `wait`, `passed` names the bound that ended it, if one did."""

    child: "BaseProcess"
    store: CrawlStore
    run_id: int
    output: ProcessOutput
    stop: threading.Event
    bounds: Bounds = DEFAULT_BOUNDS
    on_progress: Callable[[Mapping[str, int]], None] | None = None
    passed: str | None = None
    most_memory: int = 0
    _asked_to_stop_at: float | None = field(default=None, init=False)
    _counted: Mapping[str, int] = field(default_factory=dict, init=False)
    _kept_bytes: int = field(default=0, init=False)
    _kept_at: float = field(default=0.0, init=False)

    def wait(self) -> None:
        """Returns when the process has ended, by itself or because it was stopped."""
        self._kept_at = began = monotonic()
        with _forwarded_signals(self.stop):
            # Checked before the first wait: a crawl may be over in less.
            while self.child.exitcode is None:
                now = monotonic()
                self._check_bounds(now - began)
                self._stop_if_requested(now)
                self._report_progress(now)
                self.child.join(POLL_S)
        self.output.close()

    def run(self) -> RunRecord:
        """The record of the run. Raises NotKnown."""
        found = self.store.do(runs.get_run, self.run_id)
        if found is None:
            raise NotKnown("run", str(self.run_id), "Its site was removed while it was crawled.")
        return found

    def keep_log(self) -> None:
        """Stores the output so far with the run; if that fails, the next call stores it."""
        text, left_out = self.output.text()
        try:
            self.store.try_once(logs.keep, self.run_id, text, bytes_left_out=left_out, most_memory=self.most_memory)
        except StorageError as error:
            log.warning("The log of run %s could not be written: %s", self.run_id, error)

    def _check_bounds(self, elapsed_s: float) -> None:
        memory = resident_bytes(self.child.pid or 0)
        self.most_memory = max(self.most_memory, memory)
        if self.passed is None and not self.stop.is_set():
            if memory > self.bounds.memory_bytes:
                self.passed = OUT_OF_MEMORY
            elif elapsed_s > self.bounds.time_s:
                self.passed = OUT_OF_TIME
            elif self.output.pulse is not None and self.output.pulse.silent_s() > self.bounds.stall_s:
                self.passed = STALLED
                log.warning("The crawl made no progress for %.0f s and is stopped", self.bounds.stall_s)

    def _stop_if_requested(self, now: float) -> None:
        if self._asked_to_stop_at is not None:
            if now - self._asked_to_stop_at > STOP_WITHIN_S:
                self.child.kill()
        elif self.stop.is_set() or self.passed is not None:
            self.child.terminate()
            self._asked_to_stop_at = now

    def _report_progress(self, now: float) -> None:
        counters = self.run().counters if self.on_progress else {}
        if self.on_progress and counters != self._counted:
            self.on_progress(counters)
            self._counted = counters
        if now - self._kept_at > LOG_EVERY_S and self.output.bytes_so_far != self._kept_bytes:
            self._kept_at, self._kept_bytes = now, self.output.bytes_so_far
            self.keep_log()


@contextlib.contextmanager
def _forwarded_signals(stop: threading.Event) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
