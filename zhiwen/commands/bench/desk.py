"""`bench desk`: how fast the desk answers on a made-up store of very many pages."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from zhiwen.commands.bench.common import SEED, scratch
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say
from zhiwen.wiring import opened_store

if TYPE_CHECKING:
    from benchmarks.desk.report import DeskResult

PAGES: Final = 100_000
MATCHES: Final = 10_000
_TIMES: Final = 7


@click.command()
@click.option("--pages", type=click.IntRange(1), default=PAGES, show_default=True, help="Pages in the store.")
@click.option("--matches", type=click.IntRange(1), default=MATCHES, show_default=True, help="Copies among them.")
@click.option("--times", type=click.IntRange(1), default=_TIMES, show_default=True, help="Requests a page.")
@click.option("--seed", type=int, default=SEED, show_default=True, help="The same seed makes the same store.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the table and the JSON.")
@json_option
@reporting_errors
def desk(*, pages: int, matches: int, times: int, seed: int, out: Path | None, as_json: bool) -> None:
    """How long the desk takes for each of its pages, with many pages stored.

    Fills a store of its own with made-up articles, copies and cases, logs in, and asks for every page several times.
    Yours is not touched.
    """
    from benchmarks.desk import report  # noqa: PLC0415  # they load the desk

    result = _measured(pages, matches, times, seed)
    if out is not None:
        try:
            for path in report.write(result, out):
                say(f"Wrote {path}")
        except OSError as error:
            fail(f"{out} cannot be written: {error.strerror}")
    if as_json:
        print_json(report.as_json(result))
        return
    for line in report.ran_on_lines(result):
        click.echo(line)
    print_table(report.COLUMNS, report.rows(result))


def _measured(pages: int, matches: int, times: int, seed: int) -> "DeskResult":
    from benchmarks.desk.measure import PageFailed  # noqa: PLC0415
    from benchmarks.desk.run import FEWEST_MATCHES, FEWEST_PAGES, largest_matches, run_desk  # noqa: PLC0415
    from benchmarks.desk.world import World  # noqa: PLC0415

    if pages < FEWEST_PAGES:
        raise click.BadParameter(f"{FEWEST_PAGES:,} are the least.", param_hint="--pages")
    if not FEWEST_MATCHES <= matches <= largest_matches(pages):
        said = f"between {FEWEST_MATCHES:,} and {largest_matches(pages):,} for so many pages."
        raise click.BadParameter(said, param_hint="--matches")
    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as tell:
            return run_desk(engine, World(pages, matches, seed), times=times, tell=tell)
    except PageFailed as error:
        fail(str(error))
