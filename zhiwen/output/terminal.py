"""What every command shares: an open store, errors as messages, JSON and tables on stdout, words on stderr."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NoReturn, ParamSpec, TypeVar

import click
from rich.console import Console
from rich.table import Table

from storage.errors import StorageError
from zhiwen.config.settings import Settings, SettingsError
from zhiwen.output.control_characters import escaped, harmless
from zhiwen.wiring import opened_store, settings_of_this_process

if TYPE_CHECKING:
    from sqlalchemy import Engine

P = ParamSpec("P")
R = TypeVar("R")

FAILED: Final = 1

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else on stdout.")


def say(message: str) -> None:
    """A word to the person at the terminal; stdout stays free for results."""
    click.echo(harmless(message), err=True)


def fail(message: str) -> NoReturn:
    raise click.ClickException(message)


def reporting_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Turns our own errors into their message and exit code 1; anything else is a bug and shows as one."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (StorageError, SettingsError) as error:
            raise click.ClickException(str(error)) from error

    return wrapped


@contextmanager
def store() -> Iterator[tuple[Settings, "Engine"]]:
    """Settings and an engine on a store that is current."""
    settings = settings_of_this_process()
    with opened_store(settings) as engine:
        yield settings, engine


def print_json(value: Mapping[str, Any]) -> None:
    """One object on one line. What UTF-8 cannot carry, or a terminal would obey, is written as escapes."""
    click.echo(escaped(json.dumps(value, ensure_ascii=False, default=_plain)).encode())


def _plain(value: object) -> object:
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None) -> None:
    """A table for people, as wide as the terminal, without colours when piped."""
    table = Table(*columns, title=title, title_justify="left", header_style="bold", expand=False)
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    width = None if sys.stdout.isatty() else 160
    Console(width=width, highlight=False, markup=False, emoji=False).print(table)


def _cell(value: object) -> str:
    """Crawled text as it may be shown in a terminal: control characters would speak to the terminal itself."""
    text = "" if value is None else str(value)
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
