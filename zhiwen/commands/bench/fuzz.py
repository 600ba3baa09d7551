"""`bench fuzz`: checks that no parser of untrusted bytes raises, hangs or exhausts memory."""

import hashlib
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from benchmarks.fuzz.model import Parser, Plan
from storage.errors import BackupFailed
from zhiwen.backups import manifest
from zhiwen.backups.archive_reader import opened
from zhiwen.commands.bench.common import Output, grouped, output_options, seed_option, show
from zhiwen.output.progress import steps
from zhiwen.output.terminal import FAILED, fail, say

if TYPE_CHECKING:
    from benchmarks.fuzz.run import FuzzResult

MINUTES: Final = 10.0
MOST_PROCESSES: Final = 64
DUMP: Final = b"PGDMP"
"""Placeholder for the database dump in a backup: only its hash is checked."""


@click.command()
@click.option("--minutes", type=click.FloatRange(0.01, 100_000), help=f"Duration in minutes. [default: {MINUTES:g}]")
@click.option("--inputs", type=click.IntRange(1), help="Inputs of the slowest parser, instead of --minutes.")
@seed_option("inputs")
@click.option(
    "--from", "first", type=click.IntRange(0), default=0, show_default=True, help="Number of the first input."
)
@click.option(
    "--processes", type=click.IntRange(1, MOST_PROCESSES), default=1, show_default=True, help="Processes at once."
)
@click.option("--only", multiple=True, metavar="PARSER", help="Fuzz this parser only. Repeatable.")
@output_options("failing inputs")
@grouped(Plan, "plan")
@click.pass_context
def fuzz(context: click.Context, *, plan: Plan, only: tuple[str, ...], output: Output) -> None:
    """Feed mutated inputs to every parser of pages, feeds, archives, documents, records and queries.

    Reports tracebacks, inputs that take over 5 s of the processor, and memory over 1 GB. The exit code is 1 if there
    are any. Keeps the first failing input of each cause in the folder --out. Needs no store.
    """
    from benchmarks.fuzz.report import lines, report_of  # noqa: PLC0415  # it loads every parser

    if plan.minutes is not None and plan.inputs is not None:
        raise click.BadParameter("say either --minutes or --inputs.", param_hint="--inputs")
    if plan.inputs is None and plan.minutes is None:
        plan = replace(plan, minutes=MINUTES)
    result = _fuzzed(_chosen(only), plan, output.out)
    show(report_of(result), as_json=output.as_json)
    for line in () if output.as_json else lines(result):
        say(line)
    if result.failures:
        context.exit(FAILED)


def every_parser() -> tuple[Parser, ...]:
    """The parsers of all packages, including those of backups."""
    from benchmarks.fuzz.dictionaries import tokens  # noqa: PLC0415
    from benchmarks.fuzz.packed_seeds import tar_of  # noqa: PLC0415
    from benchmarks.fuzz.parsers import PARSERS  # noqa: PLC0415

    made = _manifest()
    refusals = (BackupFailed,)
    of_tars = (tar_of({manifest.NAME: made, manifest.DATABASE: DUMP}),)
    return (
        *PARSERS,
        Parser("manifest of a back-up", manifest.read, (made,), tokens("backup"), refusals, share=10),
        Parser("back-up", _read_backup, of_tars, tokens("backup"), refusals, share=3),
    )


def _read_backup(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "backup.tar")
        path.write_bytes(data)
        with opened(path) as backup:
            backup.check(progress=lambda *_: None, should_stop=lambda: False)


def _manifest() -> bytes:
    return manifest.written(
        manifest.Manifest(
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
            parts={manifest.DATABASE: manifest.Part(hashlib.sha256(DUMP).hexdigest(), len(DUMP))},
        )
    )


def _chosen(only: tuple[str, ...]) -> tuple[Parser, ...]:
    parsers = every_parser()
    names = [parser.name for parser in parsers]
    unknown = [name for name in only if name not in names]
    if unknown:
        known = ", ".join(names)
        raise click.BadParameter(f"no parser {', '.join(unknown)}; there are: {known}", param_hint="--only")
    return tuple(parser for parser in parsers if not only or parser.name in only)


def _fuzzed(parsers: tuple[Parser, ...], plan: Plan, out: Path | None) -> "FuzzResult":
    from benchmarks.fuzz.run import run_fuzz  # noqa: PLC0415

    try:
        with steps() as progress:
            return run_fuzz(parsers, plan, folder=out, progress=progress)
    except OSError as error:
        fail(f"{out} cannot be written: {error.strerror}")
