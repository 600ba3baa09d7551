"""The command tree, nothing else. Each command's module is imported when it is called, so that help is instant."""

import atexit
import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from typing import Final

import click

from zhiwen import working_folder
from zhiwen.output.control_characters import harmless

COMMANDS: Final = {
    "alert": ("zhiwen.commands.operations.alert:alert", "Alerts: where they go, whether they get there."),
    "bench": ("zhiwen.commands.bench.quality:bench", "Measure Zhiwen on articles of your own."),
    "check": ("zhiwen.commands.matching.check:check", "Is this text original? Compares it with the store."),
    "compare": ("zhiwen.commands.matching.check:compare", "Two texts: what they share."),
    "crawl": ("zhiwen.commands.sites.crawl:crawl", "Crawl sites and store their articles."),
    "db": ("zhiwen.commands.operations.database:db", "The database: bring it up to date, stop the built-in server."),
    "demo": ("zhiwen.commands.operations.demo:demo", "Show it all on three small web sites on this machine."),
    "doctor": (
        "zhiwen.commands.operations.doctor:doctor",
        "Look whether all is there that it takes, and how to mend it.",
    ),
    "evidence": (
        "zhiwen.commands.articles.evidence:evidence",
        "What was kept of the pages, and the proof that it is as it was.",
    ),
    "fingerprint": ("zhiwen.commands.matching.check:fingerprint", "The fingerprint of a text."),
    "import": ("zhiwen.commands.articles.import_articles:import_", "Import articles from files and folders."),
    "jobs": ("zhiwen.commands.operations.worker:jobs", "What was set aside and why, what runs, what waits."),
    "licence": ("zhiwen.commands.matching.licence:licence", "Licences: who may republish what of yours."),
    "match": ("zhiwen.commands.matching.match:match", "Compare what was not yet compared with all others."),
    "matches": ("zhiwen.commands.matching.match:matches", "Copies found, surest first."),
    "owner": ("zhiwen.commands.sites.site:owner", "Who stands behind sites."),
    "pages": ("zhiwen.commands.sites.crawl:pages", "Stored pages."),
    "recompute": ("zhiwen.commands.matching.recompute:recompute", "Fingerprint stored texts anew after an update."),
    "rematch": ("zhiwen.commands.matching.rematch:rematch", "Compare the whole store with itself once more."),
    "runs": ("zhiwen.commands.sites.crawl:runs", "Crawl runs, with what was refused and why."),
    "schedule": ("zhiwen.commands.sites.schedule:schedule", "When sites are crawled by themselves."),
    "serve": ("zhiwen.commands.operations.serve:serve", "Serve the admin until Ctrl-C."),
    "site": ("zhiwen.commands.sites.site:site", "Sites: your own, and where to look for copies."),
    "status": (
        "zhiwen.commands.operations.status:status",
        "How it goes: what is stored, what waits, how long finds take.",
    ),
    "suspect": ("zhiwen.commands.articles.suspect:suspect", "Bring in single pages by hand."),
    "token": ("zhiwen.commands.operations.token:token", "Tokens of the API."),
    "up": ("zhiwen.commands.operations.up:up", "Run everything on this machine: database, worker, admin."),
    "user": ("zhiwen.commands.operations.serve:user", "Accounts of the admin."),
    "worker": ("zhiwen.commands.operations.worker:worker", "Do what is in the queue and keep the schedules."),
    "why-not": ("zhiwen.commands.matching.check:why_not", "Why two stored pages were matched, or were not."),
}
"""By name: where the command is, and the line that the overview says of it without importing it."""


class LateGroup(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])


@click.group(cls=LateGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="zhiwen", message="%(prog)s %(version)s")
def zhiwen() -> None:
    """Zhiwen 指纹 finds copied articles on the web, and proves each find.

    Begin with `zhiwen demo`, or with a site of your own: `zhiwen site add https://…`.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command; ends the process with 0 done, 1 the work failed, 2 wrong usage, 130 interrupted."""
    working_folder.leave_out()
    # Or all that was loaded would be gone through once more as the process ends, for up to half a second.
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
        # Whoever read our output has seen enough; nothing is left to be flushed into the closed pipe.
        sys.stderr.close()
        sys.exit(1)
    # Where a command left with a code of its own (click's Exit), that is what main returned.
    sys.exit(code if isinstance(code, int) else 0)
