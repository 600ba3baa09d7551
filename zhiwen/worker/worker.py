"""The worker: runs queued jobs, keeps the schedules, and stops within ten seconds of a signal.

Built on procrastinate. It adds: errors of jobs are stored, a lost database is waited for, and a stop is passed on to
the running jobs, which then end early.
"""

import asyncio
import contextlib
import logging
import os
import random
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import psycopg
from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job

from storage.database_address import without_driver
from storage.engine import transaction
from storage.errors import StorageError
from storage.jobs import queue as job_queue
from storage.log_context import about
from storage.postgres.retry import retry_while_unavailable
from zhiwen.config.live import LiveSettings
from zhiwen.worker.job_manager import OnceManager
from zhiwen.worker.jobs import TASKS, CannotBeDone, Jobs
from zhiwen.worker.scheduler import TICK_S, tick

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.config.settings import Settings

MOST_TRIES: Final = 6
FIRST_WAIT_S: Final = 30.0
GROWTH: Final = 4.0
LONGEST_WAIT_S: Final = 3_600.0
"""A failed job is tried again after ½, 2, 8 and 32 minutes and an hour; then it is set aside."""

STOP_WITHIN_S: Final = 8.5
"""Jobs that still run then are given back to the queue; processes of crawls end by themselves."""

GIVE_BACK_WITHIN_S: Final = 1.2
"""If the database is away, the jobs stay as they are; the next worker takes them over as those of a killed one."""

DATABASE_AWAY_S: Final = 5.0

TIDY_EVERY_S: Final = 86_400.0
"""The daily job that prunes evidence runs on one machine; each other one deletes its own files once a day."""
_AT_WORK: Final = (ConnectorException, psycopg.Error, StorageError)

log = logging.getLogger(__name__)


def wait_before_retry(tries: int) -> float | None:
    """Seconds until a job that failed `tries` times is tried again; None if it is set aside."""
    if tries >= MOST_TRIES:
        return None
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * GROWTH ** (tries - 1))


class BackOff(BaseRetryStrategy):
    """Exponential waits with jitter, so that jobs that failed together are not tried together."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        wait_s = None if isinstance(exception, CannotBeDone) else wait_before_retry(job.attempts + 1)
        if wait_s is None:
            return None
        spread = random.uniform(1.0, 1.2)  # noqa: S311  # jitter, no secret
        return RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=wait_s * spread))


@dataclass(slots=True)
class Worker:
    """Crawls up to `crawls` sites at once, and runs up to `work` other jobs; beside them it searches for copies."""

    settings: "Settings"
    engine: "Engine"
    database_url: str
    crawls: int = 2
    work: int = 2
    tick_s: float = TICK_S

    @property
    def at_once(self) -> dict[str, int]:
        """How many jobs of each queue run at once."""
        return {job_queue.CRAWLS: self.crawls, job_queue.WORK: self.work, job_queue.SEARCHES: 1}

    def run(self) -> None:
        """Runs until SIGTERM or SIGINT."""
        asyncio.run(_Run(self).run())


class _Run:
    """One run of a worker, inside an event loop."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._live = LiveSettings(worker.settings, worker.engine)
        self._jobs = self._new_jobs()
        self._stopped = asyncio.Event()
        self._tidied_at: float | None = None

    def _new_jobs(self) -> Jobs:
        return Jobs(self._worker.settings, self._worker.engine, self._worker.database_url, live=self._live)

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(sum(self._worker.at_once.values()) + 4))
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop)
        while not self._stopped.is_set():
            try:
                await self._serve()
            except _AT_WORK as error:
                log.warning("the database is not reachable: %s", error.__cause__ or error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), DATABASE_AWAY_S)

    def _stop(self) -> None:
        log.info("stopping")
        self._stopped.set()
        self._jobs.stopping.set()
        asyncio.get_running_loop().call_later(STOP_WITHIN_S, self._end_process)

    def _end_process(self) -> None:
        """Ends the process with jobs running. The event loop is blocked meanwhile, so that none of them finishes."""
        giving = threading.Thread(target=self._give_back, daemon=True)
        giving.start()
        giving.join(GIVE_BACK_WITHIN_S)
        logging.shutdown()
        os._exit(0)

    def _give_back(self) -> None:
        try:
            with transaction(self._worker.engine) as session:
                given = job_queue.give_back(session, tuple(self._jobs.running))
        except Exception:
            log.exception("the running jobs could not be given back; the next worker takes them over")
        else:
            log.warning("%s jobs did not end in time; they are given back", given)

    async def _serve(self) -> None:
        """Runs jobs until a stop or the loss of the database. A lost database ends the running jobs: without
        heartbeats, other workers take them over.
        """
        self._jobs = self._new_jobs()
        app = make_app(self._jobs)
        async with app.open_async():
            # First of all: due schedules, and jobs of dead workers.
            await self._tick()
            options: dict[str, Any] = {
                "install_signal_handlers": False,
                "shutdown_graceful_timeout": STOP_WITHIN_S,
            }
            workers: list[asyncio.Future[Any]] = [
                asyncio.ensure_future(app.run_worker_async(queues=[queue], concurrency=number, name=queue, **options))
                for queue, number in self._worker.at_once.items()
            ]
            beside: list[asyncio.Future[Any]] = [
                asyncio.ensure_future(self._stopped.wait()),
                asyncio.ensure_future(self._keep_ticking()),
            ]
            try:
                await asyncio.wait([*workers, *beside], return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._jobs.stopping.set()
                for task in (*workers, *beside):
                    task.cancel()
                ended = await asyncio.gather(*workers, *beside, return_exceptions=True)
            for error in ended:
                if isinstance(error, Exception):
                    raise error

    async def _keep_ticking(self) -> None:
        while True:
            await asyncio.sleep(self._worker.tick_s)
            await self._tick()

    async def _tick(self) -> None:
        # Without retries: the caller waits and reconnects.
        await asyncio.to_thread(retry_while_unavailable, self._tick_now, stop=self._jobs.stopping, longest_s=0.0)
        if self._tidied_at is None or monotonic() - self._tidied_at > TIDY_EVERY_S:
            self._tidied_at = monotonic()
            await asyncio.to_thread(self._tidy)

    def _tick_now(self) -> None:
        tick(self._worker.engine, self._live.current())

    def _tidy(self) -> None:
        """Deletes the files of this machine whose removal another one decided."""
        from crawler.evidence.record_files import EvidenceFolder  # noqa: PLC0415  # only where needed
        from crawler.evidence.retention import finish_earlier  # noqa: PLC0415

        try:
            finish_earlier(self._worker.engine, EvidenceFolder(self._worker.settings.home))
        except OSError as error:
            log.warning("deleted evidence could not be removed from this machine: %s", error)


def make_app(work: Jobs) -> App:
    """The queue's app with all jobs; not connected yet."""
    options = f"-c search_path={job_queue.SCHEMA},public -c timezone=UTC -c application_name=zhiwen"
    connector = PsycopgConnector(
        conninfo=without_driver(work.database_url), kwargs={"options": options}, min_size=1, max_size=8
    )
    app = App(connector=connector)
    app.job_manager = OnceManager(connector)
    for name, function in TASKS.items():
        run = partial(_run, work, function)
        app.task(name=name, pass_context=True, retry=BackOff())(_named(run, name))
    return app


def _named(run: Callable[..., None], name: str) -> Callable[..., None]:
    run.__name__ = name  # required by the queue
    return run


def _run(work: Jobs, function: Callable[..., None], context: JobContext, **arguments: Any) -> None:
    number = context.job.id
    assert number is not None  # noqa: S101  # queued jobs have one
    work.running.add(number)
    try:
        with about(job=number, task=context.job.task_name, site=arguments.get("site")):
            _run_job(work.as_set(), function, context, **arguments)
    finally:
        work.running.discard(number)


def _run_job(work: Jobs, function: Callable[..., None], context: JobContext, **arguments: Any) -> None:
    """Runs one job. An error is stored before the queue gets it."""
    job = context.job
    log.info("job %s begins: %s %s", job.id, job.task_name, arguments)
    try:
        function(work, **arguments)
    except Exception as error:
        is_over = isinstance(error, CannotBeDone) or wait_before_retry(job.attempts + 1) is None
        log.exception("job %s (%s) failed%s", job.id, job.task_name, ", and is set aside" if is_over else "")
        with transaction(work.engine) as session:
            assert job.id is not None  # noqa: S101  # queued jobs have one
            said = f"{type(error).__name__}: {error}"
            job_queue.add_failure(
                session,
                job.id,
                job.task_name,
                arguments,
                attempt=job.attempts + 1,
                error=said[:2_000],
                set_aside=is_over,
            )
        raise
    log.info("job %s is done: %s", job.id, job.task_name)
