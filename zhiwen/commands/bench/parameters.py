"""`bench parameters`: comparison of key densities on articles of your own."""

from pathlib import Path
from typing import Final

import click

from zhiwen.commands.bench.common import FILE, Output, output_options, publish, require_extra, seed_option
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail

PER_FAMILY: Final = 60


@click.command()
@click.option("--corpus", required=True, type=FILE, help="Articles: an import file of JSON lines, also .gz.")
@click.option("--language", type=click.Choice(["zh", "en"]), default="zh", show_default=True)
@click.option("--per-family", type=click.IntRange(1), default=PER_FAMILY, show_default=True, help="Probes a family.")
@seed_option("copies")
@output_options("the table and the picture")
def parameters(*, corpus: Path, language: str, per_family: int, seed: int, output: Output) -> None:
    """Compare seeds and slices of many densities: recall, number of candidates and cost.

    Works in memory, without database and alignment; a store of a million texts is extrapolated from the growth of the
    frequencies in the corpus.
    """
    require_extra()
    from benchmarks.corpus.articles import FEWEST, read_corpus, split  # noqa: PLC0415  # they load dictionaries
    from benchmarks.corpus.model import Language  # noqa: PLC0415
    from benchmarks.parameters.report import report_of  # noqa: PLC0415
    from benchmarks.parameters.settings import SETTINGS  # noqa: PLC0415
    from benchmarks.parameters.study import run_study  # noqa: PLC0415
    from benchmarks.quality.scenarios.families import FAMILIES  # noqa: PLC0415

    articles = read_corpus([corpus]).by_language[Language(language)]
    if len(articles) < FEWEST:
        fail(f"{corpus} holds too few articles in this language ({len(articles)}); {FEWEST} are the least.")
    material = split(articles, Language(language), seed=seed)
    with steps() as progress:
        lines = list(run_study(material, FAMILIES, SETTINGS, per_family=per_family, seed=seed, progress=progress))
    stored = f"{len(material.stored):,} {language} articles stored, {per_family} probes a family, seed {seed}."
    publish(report_of(lines, stored), output)
