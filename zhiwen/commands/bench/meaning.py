"""`bench meaning`: recall of retellings and translations, and innocents named as such, on texts of your own."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from zhiwen.commands.bench.common import FOLDER, Output, output_options, publish, require_extra, scratch, seed_option
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail
from zhiwen.wiring import database_url, opened_store, require_vectors

if TYPE_CHECKING:
    from benchmarks.common.report import Report
    from benchmarks.meaning.material import Record, Sizes
    from benchmarks.meaning.probes import Material
    from benchmarks.meaning.result import MeaningResult

FEWEST_ARTICLES: Final = 100
QUICK_ARTICLES: Final = 1_000
QUICK_PLANTED: Final = 28


@click.command()
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the texts; docs/quality.md describes its files.",
)
@click.option("--articles", type=click.IntRange(FEWEST_ARTICLES), help="Texts stored at most. [default: all]")
@click.option("--ordinary", type=click.IntRange(0), default=500, show_default=True, help="Ordinary articles asked.")
@click.option(
    "--paragraphs", type=click.IntRange(0), default=200, show_default=True, help="Texts with three paragraphs asked."
)
@click.option(
    "--fitted-on",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Also ask so many stored articles, and parts of copies in other articles, which are only fitted on.",
)
@click.option("--quick", is_flag=True, help=f"Store {QUICK_ARTICLES:,} texts and ask a part of the probes.")
@click.option("--no-others", is_flag=True, help="Skip the other methods.")
@click.option(
    "--third-source", is_flag=True, help="Measure instead which pairs are said to have a common, stored source."
)
@click.option("--work", type=FOLDER, help="Keep the vectors of sentences in this folder for the next run.")
@click.option("--processes", type=click.IntRange(1, 16), default=2, show_default=True, help="Processes at once.")
@seed_option("probes")
@output_options("the tables and the JSON")
def meaning(
    *,
    data: Path,
    articles: int | None,
    ordinary: int,
    paragraphs: int,
    fitted_on: int,
    quick: bool,
    no_others: bool,
    third_source: bool,
    work: Path | None,
    processes: int,
    seed: int,
    output: Output,
) -> None:
    """Count the retellings and translations that are found, and the innocents that are named.

    Stores the originals among other articles, encodes all of them, and asks as `zhiwen check` does: texts rewritten,
    condensed and translated, paragraphs of them in other articles, and innocents. Your store is not touched.
    """
    require_extra()
    from benchmarks.meaning.material import Sizes  # noqa: PLC0415  # they load the encoder and dictionaries
    from benchmarks.meaning.report import report_of  # noqa: PLC0415

    if third_source:
        publish(_third_source(data, QUICK_PLANTED if quick else None, seed, work), output)
        return
    sizes = Sizes(articles=articles, ordinary=ordinary, paragraphs=paragraphs, fitted_on=fitted_on)
    if quick:
        sizes = Sizes(
            articles=articles or QUICK_ARTICLES,
            translations=30,
            paragraphs=min(paragraphs, 30),
            ordinary=min(ordinary, 60),
            hard_negatives=60,
            short=60,
            kept=120,
            fitted_on=min(fitted_on, 60),
        )
    material = _material(data, sizes, seed)
    result = _measured(material, seed=seed, processes=processes, work=work, with_others=not no_others)
    publish(report_of(result), output)


def _material(data: Path, sizes: "Sizes", seed: int) -> "Material":
    from benchmarks.meaning.material import make_material  # noqa: PLC0415

    return make_material(_records(data), sizes, seed)


def _records(data: Path) -> "dict[str, list[Record]]":
    from benchmarks.meaning.material import DataMissing, read_records  # noqa: PLC0415

    try:
        return read_records(data)
    except DataMissing as error:
        fail(str(error))


def _measured(
    material: "Material", *, seed: int, processes: int, work: Path | None, with_others: bool
) -> "MeaningResult":
    from benchmarks.common.workers import WorkFailed  # noqa: PLC0415
    from benchmarks.meaning.run import Request, run_meaning  # noqa: PLC0415
    from matcher.meaning.encoders.encoder import EncoderUnavailable  # noqa: PLC0415

    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as progress:
            require_vectors(settings, engine)
            request = Request(work or settings.home / "vectors", seed, processes, with_others)
            return run_meaning(engine, database_url(settings), material, request, progress)
    except (EncoderUnavailable, WorkFailed, OSError) as error:
        fail(str(error))


def _third_source(data: Path, planted: int | None, seed: int, work: Path | None) -> "Report":
    from benchmarks.meaning.cached_encoder import CachedEncoder  # noqa: PLC0415
    from benchmarks.meaning.third_source import PLANTED, measure, search_of  # noqa: PLC0415
    from benchmarks.meaning.third_source_report import third_source_report  # noqa: PLC0415
    from matcher.meaning.encoders.encoder import EncoderUnavailable  # noqa: PLC0415
    from matcher.meaning.encoders.use_encoder import UniversalSentenceEncoder  # noqa: PLC0415

    records = _records(data)
    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as progress:
            require_vectors(settings, engine)
            encoder = UniversalSentenceEncoder()
            encoder.require()
            cached = CachedEncoder(encoder, work or settings.home / "vectors")
            result = measure(
                engine,
                lambda: search_of(engine, cached),
                records,
                seed=seed,
                planted=PLANTED if planted is None else planted,
                progress=progress,
            )
    except (EncoderUnavailable, OSError, ValueError) as error:  # ValueError: too few articles
        fail(str(error))
    return third_source_report(result, seed)
