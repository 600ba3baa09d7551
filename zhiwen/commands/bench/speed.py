"""`bench speed`: speed of each step beside other libraries, and its growth with the store."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from zhiwen.commands.bench.common import (
    FILE,
    FOLDER,
    Output,
    output_options,
    publish,
    require_extra,
    scratch,
    seed_option,
)
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail

if TYPE_CHECKING:
    from benchmarks.speed.run import SpeedResult

SCALE: Final = 100_000
PARTS: Final = ("steps", "memory", "searches", "checks", "commands", "rematch", "backlog", "crawl")
"""As in `benchmarks.speed.run.Part`, which is slow to import."""
LEAST: Final = 5_000
"""Least number of pages: smaller stores have no room for the planted ones."""


@click.command()
@click.option("--corpus", type=FILE, help="Articles: an import file.")
@click.option(
    "--scale", type=click.IntRange(LEAST), default=SCALE, show_default=True, help="Pages, in the largest store."
)
@click.option("--only", type=click.Choice(PARTS), multiple=True, help="What to measure, instead of all; repeatable.")
@click.option("--fingerprints", type=click.IntRange(LEAST), help="Also candidates in a store of so many fingerprints.")
@click.option("--stores", type=FOLDER, help="Folder for the generated stores; existing ones are used again.")
@seed_option("stores")
@output_options("tables, JSON and picture")
def speed(
    *,
    corpus: Path | None,
    scale: int,
    only: tuple[str, ...],
    fingerprints: int | None,
    stores: Path | None,
    seed: int,
    output: Output,
) -> None:
    """Measure every step beside other libraries; then searches, checks and imports with ever more pages stored.

    Fills stores of its own with generated pages, from 10,000 to --scale. Without --corpus the texts are generated too.
    Your store is not touched.
    """
    require_extra()
    from benchmarks.speed.report import report_of  # noqa: PLC0415  # it loads dictionaries

    with _folder(stores) as folder:
        result = _measured(corpus, folder, scale=scale, only=only, fingerprints=fingerprints or 0, seed=seed)
    publish(report_of(result), output)


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        yield kept
        return
    from benchmarks.speed.store.stores import delete_all  # noqa: PLC0415

    with scratch() as settings:
        try:
            yield settings.home
        finally:
            delete_all(settings.home)


def _measured(
    corpus: Path | None, folder: Path, *, scale: int, only: tuple[str, ...], fingerprints: int, seed: int
) -> "SpeedResult":
    from benchmarks.speed.run import Part, run_speed  # noqa: PLC0415
    from benchmarks.speed.steps.imports import CommandFailed  # noqa: PLC0415
    from benchmarks.speed.store.material import TooFewTexts  # noqa: PLC0415
    from benchmarks.speed.store.stores import NoRoom  # noqa: PLC0415

    try:
        with steps() as progress:
            return run_speed(
                lambda: _texts(corpus),
                scale=scale,
                folder=folder,
                seed=seed,
                parts=[Part(name) for name in only] or tuple(Part),
                fingerprints=fingerprints,
                progress=progress,
            )
    except (CommandFailed, NoRoom, TooFewTexts) as error:
        fail(str(error))


def _texts(corpus: Path | None) -> Sequence[str] | None:
    from benchmarks.corpus.articles import read_corpus  # noqa: PLC0415
    from benchmarks.corpus.model import Language  # noqa: PLC0415

    if corpus is None:
        return None
    return [article.text for article in read_corpus([corpus]).by_language[Language.CHINESE]]
