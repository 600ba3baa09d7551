"""The log of a process that runs for long: where it goes, how its lines look, and what may not stand in them."""

import logging
import os
import sys
from typing import TYPE_CHECKING, Final

from storage import log_context
from zhiwen.output.control_characters import harmless

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings

FORMAT_VARIABLE: Final = "ZHIWEN_LOG_FORMAT"
_TOLD_BY_US: Final = ("procrastinate", "alembic")
"""They tell of each job, and of each look at the schema, what we tell already."""


def log_to_stderr(settings: "Settings", *, part: str) -> None:
    """From here on this process logs, and the processes of its crawls write the same kind of lines. `part` stands in
    each of them.
    """
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    log_context.all_about(part=part)
    log_context.dress(settings.log_format, secrets_of(settings))
    for name in _TOLD_BY_US:
        logging.getLogger(name).setLevel(logging.WARNING)
    # They read no settings file.
    os.environ[FORMAT_VARIABLE] = settings.log_format


def secrets_of(settings: "Settings") -> set[str]:
    named = {settings.secret_key, settings.metrics_token} - {None}
    return {str(one) for one in named} | log_context.secrets_of_address(settings.database_url)


def tell(settings: "Settings", message: str) -> None:
    """A word to the person at the terminal; where programs read the log, a line of it."""
    if settings.log_format == "text":
        print(harmless(message), file=sys.stderr, flush=True)
    else:
        logging.getLogger(__name__).info("%s", message)


def pass_on(settings: "Settings", line: str) -> None:
    """A line that a child wrote: one for programs as it is."""
    if line.startswith("{"):
        print(line, file=sys.stderr, flush=True)
    else:
        tell(settings, line)
