"""`up`: everything on one machine."""

from functools import partial

import click

from storage.accounts import accounts
from storage.engine import transaction
from zhiwen.logs import log_to_stderr, pass_on, tell
from zhiwen.output.progress import stopped_by_signals
from zhiwen.output.terminal import reporting_errors, store
from zhiwen.wiring import settings_of_this_process


def parts(crawls: int, address: list[str]) -> dict[str, list[str]]:
    """What runs beside the database, by name: the same that the units and the compose file in `deploy` run."""
    return {"worker": ["worker", "--crawls", str(crawls)], "admin": ["serve", *address]}


@click.command()
@click.option("--host", help="Address that the admin listens on; 127.0.0.1 unless told otherwise.")
@click.option("--port", type=click.IntRange(0, 65535), help="Its port; 0 takes any free one.")
@click.option("--crawls", type=click.IntRange(1, 64), default=2, show_default=True, help="Sites crawled at once.")
@reporting_errors
def up(host: str | None, port: int | None, crawls: int) -> None:
    """Run everything on this machine, until Ctrl-C: the database, a worker that keeps the schedules, the admin.

    One process tree, one log. What dies is started again.
    """
    from zhiwen.process_tree import ProcessTree  # noqa: PLC0415  # only where needed

    stop = stopped_by_signals()
    log_to_stderr(settings_of_this_process(), part="up")
    # The store stays open here, so that the built-in database lives as long as we do.
    with store() as (settings, engine):
        with transaction(engine) as session:
            if not accounts.list_accounts(session):
                tell(settings, "Nobody can log in yet. Add an account, in another terminal: zhiwen user add NAME")
        engine.dispose()  # a parent that only waits needs no connection
        address = ["--host", host or settings.host, "--port", str(settings.port if port is None else port)]
        commands = parts(crawls, address)
        tell(settings, "Starting. Ctrl-C stops everything.")
        ProcessTree(commands, tell=partial(pass_on, settings)).run(stop)
    tell(settings, "Everything has stopped.")
