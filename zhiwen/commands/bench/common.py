"""Shared parts of the benchmark commands: options, a scratch store, and the output of a report."""

import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from storage.embedded import server
from zhiwen.config.settings import Settings
from zhiwen.output.terminal import fail, json_option, print_json, print_table, say
from zhiwen.wiring import settings_of_this_process

if TYPE_CHECKING:
    from benchmarks.common.report import Report

SEED: Final = 20260301
FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)

EXTRA: Final = ("datasketch", "matplotlib", "opencc", "pypinyin", "simhash", "sklearn")
"""Modules that only the benchmark needs."""

Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Output:
    """The destinations of a report: stdout, as tables or as JSON, and a folder."""

    as_json: bool
    out: Path | None = None


def seed_option(makes: str) -> Callable[[Command], Command]:
    return click.option(
        "--seed", type=int, default=SEED, show_default=True, help=f"The same seed makes the same {makes}."
    )


def output_options(holds: str) -> Callable[[Command], Command]:
    """--out and --json as one `output`. `holds`: what the folder gets."""

    def decorate(command: Command) -> Command:
        grouped_command = json_option(grouped(Output, "output")(command))
        return click.option("--out", type=FOLDER, help=f"Folder for {holds}.")(grouped_command)

    return decorate


def grouped(kind: type[Any], name: str) -> Callable[[Command], Command]:
    """Passes options named like the fields of a dataclass to the command as one value of it."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def wrapped(*args: Any, **options: Any) -> None:
            own = {field.name: options.pop(field.name) for field in fields(kind) if field.name in options}
            command(*args, **options, **{name: kind(**own)})

        return wrapped

    return decorate


def publish(report: "Report", output: Output) -> None:
    """Writes the report's files and prints it. Raises ClickException where the folder cannot be written."""
    write_files(report, output.out)
    show(report, as_json=output.as_json)


def show(report: "Report", *, as_json: bool) -> None:
    if as_json:
        for value in report.value if isinstance(report.value, list) else [report.value]:
            print_json(value)
        return
    for line in report.header:
        click.echo(line)
    for table in report.tables:
        print_table(table.columns, table.rows, title=table.title or None)


def write_files(report: "Report", folder: Path | None) -> None:
    from benchmarks.common.report import write  # noqa: PLC0415  # of no use to other commands

    if folder is None:
        return
    try:
        for path in write(report, folder):
            say(f"Wrote {path}")
    except OSError as error:
        fail(f"{folder} cannot be written: {error.strerror}")


def require_extra() -> None:
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        fail(f"{', '.join(missing)} missing. Install what the benchmark needs: pip install 'zhiwen[bench]'")


@contextmanager
def scratch() -> Iterator[Settings]:
    """Settings of a temporary store, deleted at the end, also when the work is interrupted or terminated."""
    yours = settings_of_this_process()
    before = {number: signal.signal(number, signal.default_int_handler) for number in (signal.SIGINT, signal.SIGTERM)}
    home = Path(tempfile.mkdtemp(prefix="zhiwen-bench-"))
    try:
        yield replace(yours, home=home, database_url=None, postgres_fsync=False, postgres_grace_s=1.0)
    finally:
        # A second Ctrl-C must not leave the database and its folder behind.
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        server.delete(home)
        shutil.rmtree(home, ignore_errors=True)
        for number, handler in before.items():
            signal.signal(number, handler)
