"""Shared parts of commands: an open store, JSON and tables on stdout, messages on stderr."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click
from rich.console import Console
from rich.table import Table

from storage.engine import transaction
from zhiwen.config.live import with_desk_settings
from zhiwen.config.settings import Settings
from zhiwen.output.control_characters import escaped, harmless
from zhiwen.wiring import opened_store, settings_of_this_process

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

R = TypeVar("R")
E = TypeVar("E", bound=StrEnum)

FAILED: Final = 1

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else on stdout.")


class ValueOf(click.Choice[E]):
    """A parameter that takes the value of a member of an enum, and passes the member on."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return str(choice)


class RenamedOptions(click.Command):
    """A command that also accepts the former names of its flags, which the help does not show."""

    def __init__(self, *args: Any, renamed: Mapping[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self._renamed = renamed

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [self._renamed.get(word, word) for word in args])


def say(message: str) -> None:
    """A message to the person at the terminal, on stderr; stdout is for results."""
    click.echo(harmless(message), err=True)


def fail(message: str) -> NoReturn:
    """Ends the command with this message and exit code 1."""
    raise click.ClickException(message)


@contextmanager
def store(*, as_given: bool = False) -> Iterator[tuple[Settings, "Engine"]]:
    """The settings with those of the desk, and an engine on a store whose schema is current.

    `as_given`: the settings of environment and file alone, for programs that follow the desk's while they run.
    """
    settings = settings_of_this_process()
    with opened_store(settings) as engine:
        yield settings if as_given else with_desk_settings(settings, engine), engine


@contextmanager
def store_session() -> Iterator["Session"]:
    """One transaction on the store; for commands that need no more."""
    with store() as (_, engine), transaction(engine) as session:
        yield session


def print_json(value: Mapping[str, Any]) -> None:
    """One object on one line. What UTF-8 cannot encode, or a terminal would obey, is escaped."""
    click.echo(escaped(json.dumps(value, ensure_ascii=False, default=_plain)).encode())


def _plain(value: object) -> object:
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value)


def print_records(
    records: Iterable[R],
    columns: Sequence[str],
    row: Callable[[R], Sequence[object]],
    *,
    as_json: bool,
    shape: Callable[[Any], Mapping[str, Any]] = asdict,
) -> None:
    """A list: with --json the shape of each record on a line, else a table with a row for each."""
    if as_json:
        for record in records:
            print_json(shape(record))
    else:
        print_table(columns, map(row, records))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None) -> None:
    """A table for people, as wide as the terminal, without colours when piped."""
    table = Table(*columns, title=title, title_justify="left", header_style="bold", expand=False)
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    width = None if sys.stdout.isatty() else 160
    Console(width=width, highlight=False, markup=False, emoji=False).print(table)


def _cell(value: object) -> str:
    """A value as text without control characters: crawled text must not control the terminal."""
    text = "" if value is None else str(value)
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
