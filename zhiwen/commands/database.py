"""`db`."""

from dataclasses import asdict

import click

from storage import embedded, migrate, reports, runs, text_index
from storage.engine import check_server, make_engine, transaction
from zhiwen.commands.backing_up import backup, backups, restore
from zhiwen.commands.shell import json_option, print_json, print_table, reporting_errors, say, store
from zhiwen.wiring import database_url, settings_of_this_process

MEGABYTE = 1_000_000


@click.group()
def db() -> None:
    """The database: bring its schema up to date, back it up and restore it, stop the built-in server."""


@db.command()
@reporting_errors
def upgrade() -> None:
    """Bring the schema up to this program's."""
    settings = settings_of_this_process()
    url = database_url(settings)
    engine = make_engine(url)
    try:
        check_server(engine)
        migrate.upgrade(url)
        say(f"The database is at revision {migrate.head()}.")
    finally:
        engine.dispose()
        if settings.database_url is None:
            embedded.release(settings.home)


@db.command()
@reporting_errors
def stop() -> None:
    """Stop the built-in server; it also stops by itself when nobody uses it."""
    settings = settings_of_this_process()
    if settings.database_url is not None:
        say("DATABASE_URL names a server of your own, which Zhiwen does not stop.")
    elif embedded.stop(settings.home):
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
