"""`db`: the database and its built-in server."""

import click

from storage import migrate
from storage.embedded import server
from storage.engine import transaction
from storage.jobs import queue
from storage.pages import text_index
from zhiwen.commands.operations.backup import backup, backups, restore
from zhiwen.output.terminal import fail, say, store
from zhiwen.wiring import opened_server, settings_of_this_process

MEGABYTE = 1_000_000


@click.group()
def db() -> None:
    """Upgrade, back up, restore or stop the database."""


@db.command()
def upgrade() -> None:
    """Upgrade the schema to this program's revision."""
    with opened_server(settings_of_this_process()) as (url, _):
        migrate.upgrade(url)
    say(f"The database is at revision {migrate.head()}.")


@db.command()
@click.option("--worker", "with_worker", is_flag=True, help="Also check for a recent heartbeat of a worker.")
def ready(*, with_worker: bool) -> None:
    """Check that the database answers and its schema is current: exit code 0 if so, else 1. Changes nothing."""
    with opened_server(settings_of_this_process()) as (_, engine):
        migrate.require_current(engine)
        if with_worker:
            with transaction(engine) as session:
                if not queue.has_workers(session):
                    fail("No worker has sent a heartbeat for half a minute. Start one: zhiwen worker")


@db.command()
def stop() -> None:
    """Stop the built-in server; it also stops some seconds after its last use."""
    settings = settings_of_this_process()
    if settings.database_url is not None:
        say("DATABASE_URL is set to a server of your own. Zhiwen stops only the built-in one.")
    elif server.stop(settings.home):
        say("The built-in database has stopped.")
    else:
        say("The built-in database was not running.")


db.add_command(backup)
db.add_command(backups)
db.add_command(restore)


@db.command("index-text")
@click.argument("switch", type=click.Choice(["on", "off"]))
def index_text(switch: str) -> None:
    """Create or drop the index for full-text search at the desk.

    It is about as large as the texts themselves.
    """
    with store() as (_, engine):
        if switch == "off":
            say("Dropped the index." if text_index.drop(engine) else "There was no index.")
            return
        say("Creating the index, about five seconds for a thousand articles. Everything else keeps running.")
        text_index.build(engine)
        with transaction(engine) as session:
            made = text_index.state(session)
    say(f"The index takes {made.bytes / MEGABYTE:,.1f} MB." if made else "Another process dropped the index.")
