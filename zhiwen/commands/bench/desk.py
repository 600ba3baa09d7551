"""`bench desk`: response times of the desk on a generated store with many pages."""

from typing import TYPE_CHECKING, Final

import click

from zhiwen.commands.bench.common import Output, output_options, publish, scratch, seed_option
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail
from zhiwen.wiring import opened_store

if TYPE_CHECKING:
    from benchmarks.desk.run import DeskResult

PAGES: Final = 100_000
MATCHES: Final = 10_000
_TIMES: Final = 21


@click.command()
@click.option("--pages", type=click.IntRange(1), default=PAGES, show_default=True, help="Pages in the store.")
@click.option("--matches", type=click.IntRange(1), default=MATCHES, show_default=True, help="Copies among them.")
@click.option("--times", type=click.IntRange(1), default=_TIMES, show_default=True, help="Requests a page.")
@click.option("--just-imported", is_flag=True, help="Not yet vacuumed by the database.")
@seed_option("store")
@output_options("the table and the JSON")
def desk(*, pages: int, matches: int, times: int, just_imported: bool, seed: int, output: Output) -> None:
    """Measure the response time of each page of the desk, with many pages stored.

    Fills a store of its own with generated articles, copies and cases, logs in, and requests every page several times.
    Your store is not touched.
    """
    from benchmarks.desk.run import report_of  # noqa: PLC0415  # it loads the desk

    publish(report_of(_measured(pages, matches, times, seed, just_imported=just_imported)), output)


def _measured(pages: int, matches: int, times: int, seed: int, *, just_imported: bool) -> "DeskResult":
    from benchmarks.desk.measure import PageFailed  # noqa: PLC0415
    from benchmarks.desk.run import FEWEST_MATCHES, FEWEST_PAGES, largest_matches, run_desk  # noqa: PLC0415
    from benchmarks.desk.world import World  # noqa: PLC0415

    if pages < FEWEST_PAGES:
        raise click.BadParameter(f"{FEWEST_PAGES:,} are the least.", param_hint="--pages")
    if not FEWEST_MATCHES <= matches <= largest_matches(pages):
        said = f"between {FEWEST_MATCHES:,} and {largest_matches(pages):,} for so many pages."
        raise click.BadParameter(said, param_hint="--matches")
    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as progress:
            return run_desk(
                engine, World(pages, matches, seed), times=times, settled=not just_imported, progress=progress
            )
    except PageFailed as error:
        fail(str(error))
