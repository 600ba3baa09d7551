"""The command tree. The module of a command is imported when it is called, so that help is instant."""

import atexit
import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from keyword import iskeyword
from typing import Any, Final

import click

from zhiwen import tuning, working_folder
from zhiwen.loading import loading
from zhiwen.output.control_characters import harmless

COMMANDS: Final = {
    "alert": ("operations.alert", "Manage alert channels and send alerts."),
    "bench": ("bench.quality", "Measure quality and speed on your own articles."),
    "boilerplate": ("matching.boilerplate", "Manage texts that prove nothing."),
    "check": ("matching.check", "Compare a text with the store: is it original?"),
    "compare": ("matching.compare", "Compare two texts with each other."),
    "contact": ("articles.contact", "Look for whom to write to about a host."),
    "crawl": ("sites.crawl", "Crawl sites and store their articles."),
    "db": ("operations.database", "Upgrade, back up, restore or stop the database."),
    "demo": ("operations.demo", "Run the demo: three small web sites on this machine."),
    "discover": ("matching.discover", "Find copies on the open web by search services."),
    "doctor": ("operations.doctor", "Check the installation and suggest fixes."),
    "evidence": ("articles.evidence", "Verify, list, capture and prune archived page evidence."),
    "fingerprint": ("matching.fingerprint", "Show the fingerprint of a text."),
    "import": ("articles.import_articles", "Import articles from files, folders and feeds."),
    "jobs": ("operations.worker", "List the jobs of the queue: waiting, running, set aside."),
    "licence": ("matching.licence", "Manage licences: who may republish which texts."),
    "match": ("matching.match", "Compare new texts with the store."),
    "matches": ("matching.match", "List copies found, most confident first."),
    "owner": ("sites.owner", "Manage owners of sites."),
    "pages": ("sites.crawl", "List stored pages."),
    "recompute": ("matching.recompute", "Recompute fingerprints after an upgrade."),
    "rematch": ("matching.rematch", "Compare the whole store with itself again."),
    "runs": ("sites.crawl", "List crawl runs and the pages they refused."),
    "schedule": ("sites.schedule", "Manage crawl schedules."),
    "serve": ("operations.serve", "Serve the admin until Ctrl-C."),
    "site": ("sites.site", "Manage sites: your own, and those to search for copies."),
    "status": ("operations.status", "Show the store's size, queue, latency and disk forecast."),
    "suspect": ("articles.suspect", "Submit single pages by hand."),
    "token": ("operations.token", "Manage API tokens."),
    "up": ("operations.up", "Run everything on this machine: database, worker, admin."),
    "user": ("operations.serve", "Manage accounts of the admin."),
    "why-not": ("matching.compare", "Explain why two stored pages match, or do not."),
    "worker": ("operations.worker", "Run queued jobs and keep the schedules."),
}
"""For each command: its module below `zhiwen.commands`, and its line in the overview, which imports no command."""


class LateGroup(click.Group):
    """The group of all commands. It imports a command when it is needed, and turns our own errors into their message
    and exit code 1; any other exception is a bug and shows its traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        with loading():
            module = import_module(f"zhiwen.commands.{COMMANDS[cmd_name][0]}")
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(module, f"{name}_" if iskeyword(name) else name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except Exception as error:
            from crawler.outcomes.errors import CrawlerError  # noqa: PLC0415  # only where one is raised
            from storage.errors import BackupInterrupted, StorageError  # noqa: PLC0415
            from zhiwen.config.settings import SettingsError  # noqa: PLC0415

            if isinstance(error, BackupInterrupted):
                raise click.Abort from error
            if isinstance(error, StorageError | SettingsError | CrawlerError):
                raise click.ClickException(str(error)) from error
            from storage.postgres.refused_value import refused_value  # noqa: PLC0415
            from storage.postgres.retry import failure_of_server  # noqa: PLC0415

            words = refused_value(error) or failure_of_server(error)
            if words is not None:
                raise click.ClickException(words) from error
            raise


@click.group(
    cls=LateGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120, "show_default": True},
)
@click.version_option(package_name="zhiwen", message="%(prog)s %(version)s")
def zhiwen() -> None:
    """Zhiwen 指纹 finds copied articles on the web, and keeps the evidence.

    Start with `zhiwen demo`, or with a site of your own: `zhiwen site add https://…`.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and ends the process: with 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    working_folder.leave_out()
    tuning.tune()
    # Otherwise the garbage collector visits all modules again at exit, for up to half a second.
    atexit.register(gc.freeze)
    try:
        code = zhiwen.main(arguments, prog_name="zhiwen", standalone_mode=False)
    except click.ClickException as error:
        words = StringIO()
        error.show(words)
        click.echo(harmless(words.getvalue()), err=True, nl=False)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has closed the pipe; nothing more can be flushed into it.
        sys.stderr.close()
        sys.exit(1)
    # A command that ended with a code of its own (click's Exit): main returned that code.
    sys.exit(code if isinstance(code, int) else 0)
