"""`bench fuzz`: whether any parser that a stranger's bytes reach raises, hangs or eats memory."""

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from storage.errors import BackupFailed
from zhiwen.commands.bench.common import SEED
from zhiwen.output.progress import steps
from zhiwen.output.terminal import FAILED, fail, json_option, print_json, print_table, reporting_errors, say

if TYPE_CHECKING:
    from benchmarks.fuzz.model import Parser
    from benchmarks.fuzz.run import FuzzResult, Plan

MINUTES: Final = 10.0
MOST_PROCESSES: Final = 64
DUMP: Final = b"PGDMP"
"""Stands for a database in a back-up: only its hash is looked at."""


@click.command()
@click.option("--minutes", type=click.FloatRange(0.01, 100_000), help=f"How long. [default: {MINUTES:g}]")
@click.option("--inputs", type=click.IntRange(1), help="Inputs of the slowest parser, instead of --minutes.")
@click.option("--seed", type=int, default=SEED, show_default=True, help="The same seed makes the same inputs.")
@click.option(
    "--from", "first", type=click.IntRange(0), default=0, show_default=True, help="Number of the first input."
)
@click.option("--processes", type=click.IntRange(1, MOST_PROCESSES), default=1, show_default=True, help="At once.")
@click.option("--only", multiple=True, metavar="PARSER", help="Fuzz this parser only. Repeatable.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for failing inputs.")
@json_option
@click.pass_context
@reporting_errors
def fuzz(
    context: click.Context,
    *,
    minutes: float | None,
    inputs: int | None,
    seed: int,
    first: int,
    processes: int,
    only: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Feed spoilt inputs to every parser of pages, feeds, archives, documents, records and queries.

    Reports tracebacks, inputs that take over 5 s of the processor, and memory over 1 GB. The exit code is 1 if there
    are any. Keeps the first failing input of each cause in the folder --out. Needs no store.
    """
    from benchmarks.fuzz import report  # noqa: PLC0415  # it loads every parser
    from benchmarks.fuzz.run import Plan  # noqa: PLC0415

    if minutes is not None and inputs is not None:
        raise click.BadParameter("say either --minutes or --inputs.", param_hint="--inputs")
    plan = Plan(seed, None if inputs else minutes or MINUTES, inputs, first, processes)
    result = _fuzzed(_chosen(only), plan, out)
    if as_json:
        print_json(report.as_json(result))
    else:
        for line in report.ran_on_lines(result):
            click.echo(line)
        print_table(report.COLUMNS, list(report.rows(result)))
        for line in report.lines(result):
            say(line)
    if result.failures:
        context.exit(FAILED)


def every_parser() -> "tuple[Parser, ...]":
    """Those of the packages below, and of back-ups."""
    from benchmarks.fuzz.dictionaries import tokens  # noqa: PLC0415
    from benchmarks.fuzz.model import Parser  # noqa: PLC0415
    from benchmarks.fuzz.packed_seeds import tar_of  # noqa: PLC0415
    from benchmarks.fuzz.parsers import PARSERS  # noqa: PLC0415

    manifest = _manifest()
    refusals = (BackupFailed,)
    of_tars = (tar_of({"manifest.json": manifest, "database.dump": DUMP}),)
    return (
        *PARSERS,
        Parser("manifest of a back-up", _read_manifest, (manifest,), tokens("backup"), refusals, share=10),
        Parser("back-up", _read_backup, of_tars, tokens("backup"), refusals, share=3),
    )


def _read_manifest(data: bytes) -> object:
    from zhiwen.backups import manifest as backup_manifest  # noqa: PLC0415

    return backup_manifest.read(data)


def _read_backup(data: bytes) -> None:
    from zhiwen.backups.archive_reader import opened  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "backup.tar")
        path.write_bytes(data)
        with opened(path) as backup:
            backup.check(tell=lambda *_: None, should_stop=lambda: False)


def _manifest() -> bytes:
    from datetime import UTC, datetime  # noqa: PLC0415

    from zhiwen.backups.manifest import DATABASE, Manifest, Part, written  # noqa: PLC0415

    return written(
        Manifest(
            made_at=datetime(2026, 3, 1, tzinfo=UTC),
            program="0.1.0",
            schema="0021",
            algorithm=3,
            postgres=18,
            dumped_by=18,
            rows={"page": 1},
            head=None,
            missing=(),
            damaged=(),
            left_out=(),
            parts={DATABASE: Part(hashlib.sha256(DUMP).hexdigest(), len(DUMP))},
        )
    )


def _chosen(only: tuple[str, ...]) -> "tuple[Parser, ...]":
    parsers = every_parser()
    names = [parser.name for parser in parsers]
    unknown = [name for name in only if name not in names]
    if unknown:
        known = ", ".join(names)
        raise click.BadParameter(f"no parser {', '.join(unknown)}; there are: {known}", param_hint="--only")
    return tuple(parser for parser in parsers if not only or parser.name in only)


def _fuzzed(parsers: "tuple[Parser, ...]", plan: "Plan", out: Path | None) -> "FuzzResult":
    from benchmarks.fuzz.run import run_fuzz  # noqa: PLC0415

    try:
        with steps() as tell:
            return run_fuzz(parsers, plan, folder=out, tell=tell)
    except OSError as error:
        fail(f"{out} cannot be written: {error.strerror}")
