"""`bench discovery`: copies on hosts that nobody named, found through a real metasearch server."""

import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from zhiwen.commands.bench.common import FOLDER, Output, output_options, publish, require_extra, seed_option
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.discovery.result import Discovered
    from benchmarks.discovery.run import Order

QUICK_SITES: Final = 3
QUICK_COPIES: Final = 36
QUICK_LEAST: Final = 6
"""One in each disguise: small sites have few articles."""
QUICK_FORBIDDEN: Final = 2


@click.command()
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with sites and site_reposts.jsonl.gz: copies of web sites, known reposts. Default: a made-up web.",
)
@click.option(
    "--searxng",
    required=True,
    type=FOLDER,
    help="Folder of the Python environment of SearXNG and its index, made if it is not there.",
)
@click.option("--home", type=FOLDER, help="Keep all files here: sites that were measured are not measured again.")
@click.option("--only", multiple=True, help="Measure only sites whose names begin so. Repeatable.")
@click.option("--quick", is_flag=True, help="Measure the three smallest sites with up to 36 copies.")
@click.option(
    "--articles",
    type=click.IntRange(min=1),
    help="Ask about at most so many articles of a site, those with known copies first. Default: all.",
)
@seed_option("copies")
@output_options("the tables, the misses and the pairs to be read")
def discovery(
    *,
    data: Path | None,
    searxng: Path,
    home: Path | None,
    only: tuple[str, ...],
    quick: bool,
    articles: int | None,
    seed: int,
    output: Output,
) -> None:
    """Find copies through a search service: known reposts, and planted copies in six disguises.

    Each site in turn is yours and is crawled; the others are known to the search service only, a real SearXNG server
    on this machine before a full-text index. Your store and the web are not touched.
    """
    require_extra()
    from benchmarks.discovery.report import report_of  # noqa: PLC0415  # loads the crawler

    with _kept_or_not(home) as folder:
        order = _order(data, folder, searxng, seed, only, quick=quick)
        publish(report_of(_measured(replace(order, articles=articles))), output)


def _order(data: Path | None, folder: Path, searxng: Path, seed: int, only: tuple[str, ...], *, quick: bool) -> "Order":
    from benchmarks.discovery.run import MADE_UP_COPIES, MADE_UP_FORBIDDEN, Order  # noqa: PLC0415
    from benchmarks.discovery.world import smallest_sites  # noqa: PLC0415

    if data is None:
        return Order(None, folder, searxng, seed, copies=MADE_UP_COPIES, forbidden=MADE_UP_FORBIDDEN, turns=only)
    if quick:
        sites = smallest_sites(data, QUICK_SITES)
        copies = {"copies": QUICK_COPIES, "forbidden": QUICK_FORBIDDEN, "least": QUICK_LEAST}
        return Order(data, folder, searxng, seed, sites, turns=only, **copies)
    return Order(data, folder, searxng, seed, turns=only)


def _measured(order: "Order") -> "Discovered":
    from benchmarks.discovery.environment import NotInstalled  # noqa: PLC0415
    from benchmarks.discovery.metasearch import NotStarted  # noqa: PLC0415
    from benchmarks.discovery.planted import TooFewSources  # noqa: PLC0415
    from benchmarks.discovery.program import CommandFailed  # noqa: PLC0415
    from benchmarks.discovery.run import run_discovery  # noqa: PLC0415

    try:
        with steps() as progress:
            return run_discovery(order, progress=progress)
    except (NotInstalled, NotStarted, TooFewSources, CommandFailed) as error:
        fail(str(error))
    except (OSError, ValueError, KeyError) as error:
        fail(f"Cannot measure: {error}")


@contextmanager
def _kept_or_not(home: Path | None) -> "Iterator[Path]":
    """The given folder, or a temporary one."""
    if home is not None:
        yield home
        return
    with tempfile.TemporaryDirectory(prefix="zhiwen-bench-") as made:
        yield Path(made)
