"""`worker` and `jobs`."""

from dataclasses import asdict

import click

from storage.engine import transaction
from storage.jobs import queue
from zhiwen.logs import log_to_stderr, tell
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say, store
from zhiwen.wiring import database_url, settings_of_this_process


@click.command()
@click.option("--crawls", type=click.IntRange(1, 64), default=2, show_default=True, help="Sites crawled at once.")
@click.option("--work", type=click.IntRange(1, 64), default=2, show_default=True, help="Other jobs done at once.")
@reporting_errors
def worker(*, crawls: int, work: int) -> None:
    """Do what is in the queue and keep the schedules, until Ctrl-C or SIGTERM.

    Any number may run, on any number of machines: they divide the work, and take over what one of them left that died.
    """
    from zhiwen.worker.worker import Worker  # noqa: PLC0415  # the queue's libraries are loaded only by those who work

    log_to_stderr(settings_of_this_process(), part="worker")
    with store() as (settings, engine):
        tell(settings, "The worker is at work. Ctrl-C ends it within ten seconds.")
        Worker(settings, engine, database_url(settings), crawls=crawls, work=work).run()
    tell(settings, "The worker has stopped.")


@click.command()
@json_option
@click.option("--retry", type=int, metavar="ID", help="Put a job that was set aside back into the queue.")
@click.option("--drop", type=int, metavar="ID", help="Remove a job that waits or was set aside.")
@reporting_errors
def jobs(*, as_json: bool, retry: int | None, drop: int | None) -> None:
    """What was set aside and why, what runs, what waits."""
    with store() as (_, engine), transaction(engine) as session:
        if retry is not None and not queue.try_again(session, retry):
            fail(f"There is no job {retry} that was set aside.")
        if drop is not None and not queue.drop(session, drop):
            fail(f"There is no job {drop} that waits or was set aside.")
        found, alive = queue.list_jobs(session), queue.has_workers(session)
    if as_json:
        for job in found:
            print_json(asdict(job))
        return
    rows = [
        (job.id, job.task, ", ".join(f"{name} {value}" for name, value in job.arguments.items() if value), job.state,
         job.attempts, job.begins_at and f"{job.begins_at:%Y-%m-%d %H:%M:%S}", job.error)
        for job in found
    ]  # fmt: skip
    print_table(("job", "what", "of", "state", "tries", "not before (UTC)", "failed of"), rows)
    if not alive:
        say("No worker is at work. Start one: zhiwen worker")
