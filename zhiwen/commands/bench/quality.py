"""`bench quality`: how well copies are found and innocents left alone, measured on articles of one's own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from zhiwen.commands.bench.common import SEED, require_extra, scratch
from zhiwen.commands.bench.desk import desk
from zhiwen.commands.bench.fuzz import fuzz
from zhiwen.commands.bench.parameters import parameters
from zhiwen.commands.bench.soak import soak
from zhiwen.commands.bench.speed import speed
from zhiwen.commands.bench.young import young
from zhiwen.output.progress import steps
from zhiwen.output.terminal import FAILED, fail, json_option, print_json, print_table, reporting_errors, say
from zhiwen.wiring import database_url, opened_store

if TYPE_CHECKING:
    from benchmarks.quality.baselines.method import Method
    from benchmarks.quality.run import Input
    from benchmarks.quality.scenarios.scenes import Request
    from benchmarks.quality.scoring.result import QualityResult

PER_FAMILY: Final = 100
INNOCENTS: Final = 2_000

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def bench() -> None:
    """Measure Zhiwen on articles of your own."""


bench.add_command(parameters)
bench.add_command(desk)
bench.add_command(fuzz)
bench.add_command(soak)
bench.add_command(speed)
bench.add_command(young)


@bench.command()
@click.option("--corpus", required=True, type=_FILE, help="Articles: an import file of JSON lines, also .gz.")
@click.option("--english", type=_FILE, help="More articles, such as English ones beside a Chinese corpus.")
@click.option("--pairs", multiple=True, type=_FILE, help="Real pairs: id, label, text_a, text_b. Repeatable.")
@click.option(
    "--passages", nargs=2, type=_FILE, metavar="PAIRS DOCS", help="Real pairs with known passages, and their texts."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for tables, pictures and lists.")
@click.option("--per-family", type=click.IntRange(1), default=PER_FAMILY, show_default=True, help="Probes a family.")
@click.option("--innocents", type=click.IntRange(1), default=INNOCENTS, show_default=True, help="Ordinary articles.")
@click.option("--seed", type=int, default=SEED, show_default=True, help="The same seed makes the same copies.")
@click.option("--only", multiple=True, metavar="FAMILY", help="Ask this family only. Repeatable.")
@click.option("--no-baselines", is_flag=True, help="Leave the other methods away.")
@click.option("--check-floors", is_flag=True, help="Exit with 1 if a floor is missed.")
@json_option
@click.pass_context
@reporting_errors
def quality(
    context: click.Context,
    *,
    corpus: Path,
    english: Path | None,
    pairs: Sequence[Path],
    passages: tuple[Path, Path] | None,
    out: Path | None,
    per_family: int,
    innocents: int,
    seed: int,
    only: Sequence[str],
    no_baselines: bool,
    check_floors: bool,
    as_json: bool,
) -> None:
    """How many disguised copies are found, and how many innocents left alone.

    Builds a store of its own from the corpus, makes copies and innocents from it, and asks each. Yours is not touched.
    """
    require_extra()
    from benchmarks.quality.scenarios.scenes import Request  # noqa: PLC0415
    from benchmarks.quality.scoring import report  # noqa: PLC0415  # dictionaries are loaded only by those who compare

    request = Request(seed=seed, per_family=per_family, innocents=innocents, only=frozenset(only))
    given = _input([path for path in (corpus, english) if path], pairs, passages, request)
    if not no_baselines:
        given = replace(given, baselines=_baselines())
    for result in _measured(given, request):
        # As soon as there is any: what the other methods take an hour for may be interrupted.
        paths = [] if out is None else _written(result, out)
    for path in paths:
        say(f"Wrote {path}")
    if as_json:
        print_json(report.as_json(result))
    else:
        _show(result)
    missed = report.floors_missed(result)
    for message in missed:
        say(f"below its floor: {message}")
    if check_floors and missed:
        context.exit(FAILED)


def _baselines() -> "tuple[tuple[str, Method], ...]":
    from benchmarks.quality.baselines.table import METHODS  # noqa: PLC0415

    return METHODS


def _input(
    articles: Sequence[Path], pairs: Sequence[Path], passages: tuple[Path, Path] | None, request: "Request"
) -> "Input":
    from benchmarks.corpus.articles import read_corpus  # noqa: PLC0415
    from benchmarks.quality.run import Input  # noqa: PLC0415
    from benchmarks.quality.scenarios.families import FAMILIES  # noqa: PLC0415
    from benchmarks.quality.scenarios.pair_files import PairsNotReadable, read_pairs, read_placed  # noqa: PLC0415

    unknown = request.only - {family.name for family in FAMILIES}
    if unknown:
        known = ", ".join(family.name for family in FAMILIES)
        raise click.BadParameter(f"no family {', '.join(sorted(unknown))}; there are: {known}", param_hint="--only")
    try:
        found = read_corpus(articles)
        pair_files = tuple(map(read_pairs, pairs))
        placed = {} if passages is None else {passages[0].name.partition(".")[0]: read_placed(*passages)}
    except PairsNotReadable as error:
        fail(str(error))
    if not found.is_enough:
        fail(f"The corpus holds too few articles ({found.count}): the copies are made from them.")
    return Input(found, FAMILIES, pair_files, placed)


def _measured(given: "Input", request: "Request") -> "Iterator[QualityResult]":
    from benchmarks.common.workers import WorkFailed  # noqa: PLC0415
    from benchmarks.quality.run import run_quality  # noqa: PLC0415
    from benchmarks.quality.scenarios.scenes import CorpusTooSmall  # noqa: PLC0415

    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as tell:
            yield from run_quality(engine, database_url(settings), given, request, tell=tell)
    except (CorpusTooSmall, WorkFailed) as error:
        fail(str(error))


def _written(result: "QualityResult", folder: Path) -> list[Path]:
    from benchmarks.quality.scoring import plot, report  # noqa: PLC0415  # matplotlib is loaded only by those who draw

    try:
        return [*report.write(result, folder), *plot.draw(result.methods, folder)]
    except OSError as error:
        fail(f"{folder} cannot be written: {error.strerror}")


def _show(result: "QualityResult") -> None:
    from benchmarks.quality.scoring import report  # noqa: PLC0415

    for line in report.ran_on_lines(result):
        click.echo(line)
    print_table(report.family_columns(result), report.family_rows(result), title="Families")
    print_table(("", *(method.name for method in result.methods)), report.total_rows(result), title="In all")
    print_table(("Zhiwen", ""), report.figure_rows(result))
    if result.pairs:
        print_table(report.PAIR_COLUMNS, report.pair_rows(result))
    if result.real_passages:
        print_table(report.PASSAGE_COLUMNS, report.passage_rows(result))
