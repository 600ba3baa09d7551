"""Logs of long-running processes: destination, format, and secrets that are removed from them."""

import logging
import os
import sys
from typing import TYPE_CHECKING, Final

from storage import log_context
from zhiwen.output.control_characters import harmless

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings

FORMAT_VARIABLE: Final = "ZHIWEN_LOG_FORMAT"
_LOGGED_ALREADY: Final = ("procrastinate", "alembic")
"""Loggers that repeat what is logged here."""


def log_to_stderr(settings: "Settings", *, part: str) -> None:
    """Starts logging of this process; processes of its crawls use the same format. Each line contains `part`."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    log_context.all_about(part=part)
    log_context.install_formatter(settings.log_format, secrets_of(settings))
    for name in _LOGGED_ALREADY:
        logging.getLogger(name).setLevel(logging.WARNING)
    # Processes of crawls read no settings file.
    os.environ[FORMAT_VARIABLE] = settings.log_format


def secrets_of(settings: "Settings") -> set[str]:
    named = {settings.secret_key, settings.metrics_token, settings.encoder_key} - {None}
    addresses = map(log_context.secrets_of_address, (settings.database_url, settings.replica_url))
    return {str(one) for one in named}.union(*addresses)


def announce(settings: "Settings", message: str) -> None:
    """Prints a message to the terminal; with JSON logs, logs it."""
    if settings.log_format == "text":
        print(harmless(message), file=sys.stderr, flush=True)
    else:
        logging.getLogger(__name__).info("%s", message)


def pass_on(settings: "Settings", line: str) -> None:
    """Prints a line of a child; JSON lines are not changed."""
    if line.startswith("{"):
        print(line, file=sys.stderr, flush=True)
    else:
        announce(settings, line)
