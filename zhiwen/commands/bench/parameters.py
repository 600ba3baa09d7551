"""`bench parameters`: which keys a text is stored with, compared on articles of one's own."""

import json
from pathlib import Path
from typing import Final

import click

from zhiwen.commands.bench.common import SEED, require_extra
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
PER_FAMILY: Final = 60


@click.command()
@click.option("--corpus", required=True, type=_FILE, help="Articles: an import file of JSON lines, also .gz.")
@click.option("--language", type=click.Choice(["zh", "en"]), default="zh", show_default=True)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the table and the picture.")
@click.option("--per-family", type=click.IntRange(1), default=PER_FAMILY, show_default=True, help="Probes a family.")
@click.option("--seed", type=int, default=SEED, show_default=True, help="The same seed makes the same copies.")
@json_option
@reporting_errors
def parameters(*, corpus: Path, language: str, out: Path | None, per_family: int, seed: int, as_json: bool) -> None:
    """Seeds and slices of many densities: what each finds, how many candidates it names, what it costs.

    Works in memory, without database and alignment; a store of a million texts is extrapolated from the growth of the
    frequencies in the corpus.
    """
    require_extra()
    from benchmarks.corpus.articles import FEWEST, read_corpus, split  # noqa: PLC0415
    from benchmarks.corpus.model import Language  # noqa: PLC0415
    from benchmarks.parameters import picture, report  # noqa: PLC0415  # they load dictionaries, and matplotlib
    from benchmarks.parameters.settings import SETTINGS  # noqa: PLC0415
    from benchmarks.parameters.study import run_study  # noqa: PLC0415
    from benchmarks.quality.scenarios.families import FAMILIES  # noqa: PLC0415

    articles = read_corpus([corpus]).by_language[Language(language)]
    if len(articles) < FEWEST:
        fail(f"{corpus} holds too few articles in this language ({len(articles)}); {FEWEST} are the least.")
    material = split(articles, Language(language), seed=seed)
    with steps() as tell:
        lines = list(run_study(material, FAMILIES, SETTINGS, per_family=per_family, seed=seed, tell=tell))
    families = report.telling_families(lines)
    if as_json:
        for line in lines:
            print_json(line.as_json())
    else:
        click.echo(f"{len(material.stored):,} {language} articles stored, {per_family} probes a family, seed {seed}.")
        print_table((*report.COLUMNS, *families), report.rows(lines, families))
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
            (out / "parameters.md").write_text(report.markdown(lines, families), "utf-8")
            (out / "parameters.json").write_text(json.dumps([line.as_json() for line in lines], indent=1), "utf-8")
            picture.draw(lines, out / "parameters.png")
        except OSError as error:
            fail(f"{out} cannot be written: {error.strerror}")
        say(f"Wrote parameters.md, parameters.json and parameters.png in {out}")
