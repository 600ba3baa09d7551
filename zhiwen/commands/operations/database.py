"""`db`."""

import click

from storage import migrate
from storage.embedded import server
from storage.engine import transaction
from storage.jobs import queue
from storage.pages import text_index
from zhiwen.commands.operations.backup import backup, backups, restore
from zhiwen.output.terminal import fail, reporting_errors, say, store
from zhiwen.wiring import opened_server, settings_of_this_process

MEGABYTE = 1_000_000


@click.group()
def db() -> None:
    """The database: bring its schema up to date, back it up and restore it, stop the built-in server."""


@db.command()
@reporting_errors
def upgrade() -> None:
    """Bring the schema up to this program's."""
    with opened_server(settings_of_this_process()) as (url, _):
        migrate.upgrade(url)
    say(f"The database is at revision {migrate.head()}.")


@db.command()
@click.option("--worker", "with_worker", is_flag=True, help="Also that a worker gave a sign of life lately.")
@reporting_errors
def ready(*, with_worker: bool) -> None:
    """Say by the exit code whether the database answers and its tables are current: 0 yes, 1 no. Changes nothing."""
    with opened_server(settings_of_this_process()) as (_, engine):
        migrate.require_current(engine)
        if with_worker:
            with transaction(engine) as session:
                if not queue.has_workers(session):
                    fail("No worker has given a sign of life within half a minute. Start one: zhiwen worker")


@db.command()
@reporting_errors
def stop() -> None:
    """Stop the built-in server; it also stops by itself when nobody uses it."""
    settings = settings_of_this_process()
    if settings.database_url is not None:
        say("DATABASE_URL names a server of your own, which Zhiwen does not stop.")
    elif server.stop(settings.home):
        say("The built-in database has stopped.")
    else:
        say("The built-in database was not running.")


db.add_command(backup)
db.add_command(backups)
db.add_command(restore)


@db.command("index-text")
@click.argument("switch", type=click.Choice(["on", "off"]))
@reporting_errors
def index_text(switch: str) -> None:
    """Make or drop the index by which the desk finds words in the text of articles.

    It takes about as many bytes as the texts themselves.
    """
    with store() as (_, engine):
        if switch == "off":
            say("The index is gone." if text_index.drop(engine) else "There was no index.")
            return
        say("Making the index; a thousand articles take some five seconds. Everything else goes on meanwhile.")
        text_index.build(engine)
        with transaction(engine) as session:
            made = text_index.state(session)
    say(f"The index takes {made.bytes / MEGABYTE:,.1f} MB." if made else "The index was dropped by somebody else.")
