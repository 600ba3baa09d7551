"""The command tree, nothing else. Each command's module is imported when it is called, so that help is instant."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

COMMANDS: Final = {
    "check": "zhiwen.commands.check:check",
    "compare": "zhiwen.commands.check:compare",
    "crawl": "zhiwen.commands.crawl:crawl",
    "db": "zhiwen.commands.database:db",
    "demo": "zhiwen.commands.demo:demo",
    "fingerprint": "zhiwen.commands.check:fingerprint",
    "import": "zhiwen.commands.importing:import_",
    "match": "zhiwen.commands.match:match",
    "matches": "zhiwen.commands.match:matches",
    "owner": "zhiwen.commands.sites:owner",
    "pages": "zhiwen.commands.crawl:pages",
    "runs": "zhiwen.commands.crawl:runs",
    "serve": "zhiwen.commands.operate:serve",
    "site": "zhiwen.commands.sites:site",
    "status": "zhiwen.commands.database:status",
    "user": "zhiwen.commands.operate:user",
    "why-not": "zhiwen.commands.check:why_not",
}


class LateGroup(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, attribute = target.split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


@click.group(cls=LateGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="zhiwen", message="%(prog)s %(version)s")
def zhiwen() -> None:
    """Zhiwen 指纹 finds copied articles on the web, and proves each find.

    Begin with `zhiwen demo`, or with a site of your own: `zhiwen site add https://…`.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command; ends the process with 0 done, 1 the work failed, 2 wrong usage, 130 interrupted."""
    try:
        zhiwen.main(arguments, standalone_mode=False)
    except click.exceptions.Exit as leaving:
        sys.exit(leaving.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing is left to be flushed into the closed pipe.
        sys.stderr.close()
        sys.exit(1)
