"""`worker` and `jobs`: the queue."""

from typing import TYPE_CHECKING

import click

from storage.jobs import queue
from zhiwen.logs import announce, log_to_stderr
from zhiwen.output.terminal import fail, json_option, print_records, say, store, store_session
from zhiwen.wiring import database_url, settings_of_this_process

if TYPE_CHECKING:
    from storage.jobs.queue import JobRecord


@click.command()
@click.option("--crawls", type=click.IntRange(1, 64), default=2, help="Sites crawled at once.")
@click.option("--work", type=click.IntRange(1, 64), default=2, help="Other jobs done at once.")
def worker(*, crawls: int, work: int) -> None:
    """Run queued jobs and keep the schedules until Ctrl-C or SIGTERM.

    Any number of workers can run, on several machines: they share the jobs, and take over those of a dead worker.
    """
    from zhiwen.worker.worker import Worker  # noqa: PLC0415  # loads the libraries of the queue

    log_to_stderr(settings_of_this_process(), part="worker")
    with store(as_given=True) as (settings, engine):
        announce(settings, "The worker is running. Ctrl-C ends it within ten seconds.")
        Worker(settings, engine, database_url(settings), crawls=crawls, work=work).run()
    announce(settings, "The worker has stopped.")


@click.command()
@json_option
@click.option("--retry", type=int, metavar="ID", help="Queue a job again that was set aside.")
@click.option("--drop", type=int, metavar="ID", help="Remove a job that waits or was set aside.")
def jobs(*, as_json: bool, retry: int | None, drop: int | None) -> None:
    """List the jobs of the queue: set aside and why, running, waiting."""
    with store_session() as session:
        if retry is not None and not queue.try_again(session, retry):
            fail(f"There is no job {retry} that was set aside.")
        if drop is not None and not queue.drop(session, drop):
            fail(f"There is no job {drop} that waits or was set aside.")
        found, alive = queue.list_jobs(session), queue.has_workers(session)
    columns = ("job", "task", "arguments", "state", "tries", "not before (UTC)", "error")
    print_records(found, columns, _row, as_json=as_json)
    if not alive and not as_json:
        say("No worker is running. Start one: zhiwen worker")


def _row(job: "JobRecord") -> tuple[object, ...]:
    arguments = ", ".join(f"{name} {value}" for name, value in job.arguments.items() if value)
    begins_at = job.begins_at and f"{job.begins_at:%Y-%m-%d %H:%M:%S}"
    return job.id, job.task, arguments, job.state, job.attempts, begins_at, job.error
