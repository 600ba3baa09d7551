"""`up`: all processes on one machine."""

from functools import partial

import click

from zhiwen.logs import announce, log_to_stderr, pass_on
from zhiwen.output.progress import stopped_by_signals
from zhiwen.output.terminal import store
from zhiwen.wiring import settings_of_this_process


def parts(crawls: int, address: list[str]) -> dict[str, list[str]]:
    """The commands of the processes beside the database, as in the units and the compose file in `deploy`."""
    return {"worker": ["worker", "--crawls", str(crawls)], "admin": ["serve", *address]}


@click.command()
@click.option("--host", help="Address that the admin listens on; ZHIWEN_HOST by default.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port of the admin; ZHIWEN_PORT by default, 0 for any free one."
)
@click.option("--crawls", type=click.IntRange(1, 64), default=2, help="Sites crawled at once.")
def up(host: str | None, port: int | None, crawls: int) -> None:
    """Run everything on this machine until Ctrl-C: the database, a worker with the schedules, the admin.

    All log to the terminal. A process that dies is restarted.
    """
    from zhiwen.process_tree import ProcessTree  # noqa: PLC0415  # only where needed

    stop = stopped_by_signals()
    log_to_stderr(settings_of_this_process(), part="up")
    # The open store keeps the built-in database running.
    with store() as (settings, engine):
        engine.dispose()  # this process only waits: it needs no connection
        address = ["--host", host or settings.host, "--port", str(settings.port if port is None else port)]
        commands = parts(crawls, address)
        announce(settings, "Starting. Ctrl-C stops everything.")
        ProcessTree(commands, on_line=partial(pass_on, settings)).run(stop)
    announce(settings, "Everything has stopped.")
