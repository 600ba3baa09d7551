"""`bench quality`: recall on disguised copies and false hits on innocents, with articles of your own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from benchmarks.quality.request import Request
from zhiwen.commands.bench.common import (
    FILE,
    Output,
    grouped,
    output_options,
    require_extra,
    scratch,
    seed_option,
    show,
    write_files,
)
from zhiwen.commands.bench.desk import desk
from zhiwen.commands.bench.discovery import discovery
from zhiwen.commands.bench.extraction import extraction
from zhiwen.commands.bench.fuzz import fuzz
from zhiwen.commands.bench.meaning import meaning
from zhiwen.commands.bench.parameters import parameters
from zhiwen.commands.bench.peers import peers
from zhiwen.commands.bench.soak import soak
from zhiwen.commands.bench.speed import speed
from zhiwen.commands.bench.young import young
from zhiwen.output.progress import steps
from zhiwen.output.terminal import FAILED, fail, say
from zhiwen.wiring import database_url, opened_store

if TYPE_CHECKING:
    from benchmarks.quality.run import Input
    from benchmarks.quality.scoring.result import QualityResult

PER_FAMILY: Final = 100
INNOCENTS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Files:
    """Input files of the benchmark."""

    corpus: Path
    english: Path | None
    pairs: Sequence[Path]
    passages: tuple[Path, Path] | None


@click.group()
def bench() -> None:
    """Measure Zhiwen on articles of your own."""


for command in (parameters, desk, discovery, extraction, fuzz, meaning, peers, soak, speed, young):
    bench.add_command(command)


@bench.command()
@click.option("--corpus", required=True, type=FILE, help="Articles: an import file of JSON lines, also .gz.")
@click.option("--english", type=FILE, help="More articles, such as English ones beside a Chinese corpus.")
@click.option("--pairs", multiple=True, type=FILE, help="Real pairs: id, label, text_a, text_b. Repeatable.")
@click.option(
    "--passages", nargs=2, type=FILE, metavar="PAIRS DOCS", help="Real pairs with known passages, and their texts."
)
@click.option("--per-family", type=click.IntRange(1), default=PER_FAMILY, show_default=True, help="Probes a family.")
@click.option("--innocents", type=click.IntRange(1), default=INNOCENTS, show_default=True, help="Ordinary articles.")
@seed_option("copies")
@click.option("--only", multiple=True, metavar="FAMILY", help="Run this family only. Repeatable.")
@click.option("--no-baselines", is_flag=True, help="Skip the baseline methods.")
@click.option("--check-floors", is_flag=True, help="Exit with 1 if a floor is missed.")
@output_options("tables, pictures and lists")
@grouped(Files, "files")
@grouped(Request, "request")
@click.pass_context
def quality(
    context: click.Context,
    *,
    files: Files,
    request: Request,
    no_baselines: bool,
    check_floors: bool,
    output: Output,
) -> None:
    """Measure recall on disguised copies, and false hits on innocent pages.

    Builds a store of its own from the corpus, makes copies and innocents from it, and checks each. Your store is not
    touched.
    """
    require_extra()
    from benchmarks.quality.scoring import report  # noqa: PLC0415  # dictionaries are loaded only by those who compare

    given = _input(files, request, baselines=not no_baselines)
    for result in _measured(given, request):
        # Published at once: the other methods take an hour, and may be interrupted.
        write_files(report.report_of(result), output.out)
    show(report.report_of(result), as_json=output.as_json)
    missed = report.floors_missed(result)
    for message in missed:
        say(f"below its floor: {message}")
    if check_floors and missed:
        context.exit(FAILED)


def _input(files: Files, request: Request, *, baselines: bool) -> "Input":
    from benchmarks.corpus.articles import read_corpus  # noqa: PLC0415
    from benchmarks.quality.run import Input  # noqa: PLC0415
    from benchmarks.quality.scenarios.families import FAMILIES  # noqa: PLC0415
    from benchmarks.quality.scenarios.pair_files import PairsNotReadable, read_pairs, read_placed  # noqa: PLC0415

    unknown = set(request.only) - {family.name for family in FAMILIES}
    if unknown:
        known = ", ".join(family.name for family in FAMILIES)
        raise click.BadParameter(f"no family {', '.join(sorted(unknown))}; there are: {known}", param_hint="--only")
    try:
        found = read_corpus([path for path in (files.corpus, files.english) if path])
        pair_files = tuple(map(read_pairs, files.pairs))
        placed = {files.passages[0].name.partition(".")[0]: read_placed(*files.passages)} if files.passages else {}
    except PairsNotReadable as error:
        fail(str(error))
    if not found.is_enough:
        fail(f"The corpus holds too few articles ({found.count}): the copies are made from them.")
    given = Input(found, FAMILIES, pair_files, placed)
    if not baselines:
        return given
    from benchmarks.quality.baselines.table import METHODS  # noqa: PLC0415

    return replace(given, baselines=METHODS)


def _measured(given: "Input", request: Request) -> "Iterator[QualityResult]":
    from benchmarks.common.workers import WorkFailed  # noqa: PLC0415
    from benchmarks.quality.run import run_quality  # noqa: PLC0415
    from benchmarks.quality.scenarios.scenes import CorpusTooSmall  # noqa: PLC0415

    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as progress:
            yield from run_quality(engine, database_url(settings), given, request, progress=progress)
    except (CorpusTooSmall, WorkFailed) as error:
        fail(str(error))
