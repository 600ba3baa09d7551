"""`demo`: finds the copies among three small web sites on this machine."""

import secrets
from dataclasses import replace

import click

from storage.embedded import server
from storage.types import AccountRole
from zhiwen.commands.operations.serve import add_account
from zhiwen.loading import loading
from zhiwen.output.terminal import FAILED, say
from zhiwen.wiring import database_url, opened_store, settings_of_this_process

ACCOUNT = "demo"


@click.command()
@click.option("--no-serve", is_flag=True, help="Print the table and exit without serving the admin.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the admin; any free one by default.")
@click.pass_context
def demo(context: click.Context, *, no_serve: bool, port: int) -> None:
    """Crawl three small web sites on this machine, find the copies among them, and serve the admin.

    It uses a store of its own, which it creates each time; yours is not touched.
    """
    with loading():
        from crawler.network.loopback_server import ServerNotStarted  # noqa: PLC0415
        from zhiwen.demo.run import run_demo, show  # noqa: PLC0415  # loads the dictionaries
        from zhiwen.demo.server import serving  # noqa: PLC0415
        from zhiwen.serving import serve_admin  # noqa: PLC0415

    yours = settings_of_this_process()
    settings = replace(yours, home=yours.home / "demo", database_url=None)
    server.delete(settings.home)
    say("Starting a database and three web sites on this machine …")
    try:
        with opened_store(settings) as engine, serving() as addresses:
            verdict = run_demo(engine, database_url(settings), settings, addresses)
            show(verdict)
            if not no_serve:
                password = secrets.token_urlsafe(9)
                add_account(engine, ACCOUNT, password, AccountRole.ADMINISTRATOR)
                say(f"Log in as {ACCOUNT} with the password {password}")
                serve_admin(settings, engine, host="127.0.0.1", port=port)
    except ServerNotStarted as error:
        raise click.ClickException(str(error)) from error
    finally:
        server.stop(settings.home)
    if not verdict.is_right:
        context.exit(FAILED)
