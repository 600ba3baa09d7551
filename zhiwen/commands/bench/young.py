"""`bench young`: false hits and found copies on stores that have not learnt any boilerplate yet."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from zhiwen.commands.bench.common import require_extra, scratch, seed_option, show
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail, json_option
from zhiwen.wiring import opened_store

if TYPE_CHECKING:
    from benchmarks.young.run import Line, Request

SIZES: Final = (20, 100, 500, 2_000)
PARTS: Final = {"all": None, "tune": False, "validate": True}


@click.command()
@click.option(
    "--sites",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of copies of web sites, each a folder with an index.html.",
)
@click.option(
    "--cache", type=click.Path(dir_okay=False, path_type=Path), help="Keep the texts that were read in this file."
)
@click.option("--size", "sizes", multiple=True, type=click.IntRange(10), help="Pages of a store. Repeatable.")
@click.option(
    "--part", type=click.Choice(tuple(PARTS)), default="all", show_default=True, help="Use half of the sites only."
)
@seed_option("stores")
@json_option
def young(*, sites: Path, cache: Path | None, sizes: Sequence[int], part: str, seed: int, as_json: bool) -> None:
    """Count false hits and found copies on young stores.

    Draws stores of 20 to 2,000 pages from real sites, plants footers, notes about authors, credits and copies, and
    compares them as the worker does. Your store is not touched.
    """
    require_extra()
    from benchmarks.young.report import report_of  # noqa: PLC0415  # dictionaries are loaded only by those who measure
    from benchmarks.young.run import Request  # noqa: PLC0415

    lines = _measured(sites, cache, Request(tuple(sizes) or SIZES, seed, PARTS[part]))
    show(report_of(lines, sites=str(sites), part=part, seed=seed), as_json=as_json)


def _measured(folder: Path, cache: Path | None, request: "Request") -> "list[Line]":
    from benchmarks.young.corpus import NoSites, read_pages  # noqa: PLC0415
    from benchmarks.young.run import run_young  # noqa: PLC0415
    from benchmarks.young.world import PoolTooSmall  # noqa: PLC0415

    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as progress:
            return run_young(engine, read_pages(folder, cache, progress=progress), request, progress=progress)
    except (NoSites, PoolTooSmall) as error:
        fail(str(error))
    except (OSError, ValueError, TypeError) as error:
        fail(f"The pages cannot be read: {error}")
