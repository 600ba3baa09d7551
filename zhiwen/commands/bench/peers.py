"""`bench peers`: Zhiwen beside other packages that find copies, on the same texts."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from benchmarks.quality.request import Request
from zhiwen.commands.bench.common import FILE, Output, output_options, publish, require_extra, scratch, seed_option
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail
from zhiwen.wiring import database_url, opened_store

if TYPE_CHECKING:
    from benchmarks.corpus.articles import Corpus
    from benchmarks.peers.run import PeersResult

ARTICLES: Final = 1_000
PER_FAMILY: Final = 10
INNOCENTS: Final = 100


@click.command()
@click.option("--corpus", required=True, type=FILE, help="Articles: an import file of JSON lines, also .gz.")
@click.option("--articles", type=click.IntRange(60), default=ARTICLES, show_default=True, help="Articles a language.")
@click.option("--per-family", type=click.IntRange(1), default=PER_FAMILY, show_default=True, help="Copies a family.")
@click.option("--innocents", type=click.IntRange(1), default=INNOCENTS, show_default=True, help="Ordinary articles.")
@seed_option("copies")
@output_options("the table")
def peers(*, corpus: Path, articles: int, per_family: int, innocents: int, seed: int, output: Output) -> None:
    """Compare Zhiwen with other packages: index time and size, query time, recall.

    Plants the copies of `bench quality` and asks each package for them. Packages that are not installed are named.
    Your store is not touched.
    """
    require_extra()
    from benchmarks.corpus.articles import read_corpus  # noqa: PLC0415  # dictionaries are loaded only by who measures
    from benchmarks.peers.report import report_of  # noqa: PLC0415
    from benchmarks.peers.run import part_of  # noqa: PLC0415

    found = part_of(read_corpus([corpus]), articles)
    if not found.is_enough:
        fail(f"The corpus holds too few articles ({found.count}): the copies are made from them.")
    publish(report_of(_measured(found, Request(seed, per_family, innocents)), seed=seed), output)


def _measured(corpus: "Corpus", request: Request) -> "PeersResult":
    from benchmarks.common.workers import WorkFailed  # noqa: PLC0415
    from benchmarks.peers.run import run_peers  # noqa: PLC0415
    from benchmarks.quality.scenarios.scenes import CorpusTooSmall  # noqa: PLC0415

    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as progress:
            return run_peers(engine, database_url(settings), corpus, request, progress=progress)
    except (CorpusTooSmall, WorkFailed) as error:
        fail(str(error))
