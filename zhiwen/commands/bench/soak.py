"""`bench soak`: long run against changing sites."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from zhiwen.commands.bench.common import Output, output_options, publish, require_extra, scratch, seed_option
from zhiwen.output.progress import steps
from zhiwen.output.terminal import FAILED, fail, say
from zhiwen.wiring import opened_store

if TYPE_CHECKING:
    from benchmarks.soak.run import SoakResult

MINUTES: Final = 30.0
RATE: Final = 60.0


@click.command()
@click.option(
    "--minutes", type=click.FloatRange(0.1, 10_000), default=MINUTES, show_default=True, help="Duration in minutes."
)
@click.option("--rate", type=click.FloatRange(1, 10_000), default=RATE, show_default=True, help="Acts per minute.")
@seed_option("acts")
@output_options("tables, JSON, picture, log")
@click.pass_context
def soak(context: click.Context, *, minutes: float, rate: float, seed: int, output: Output) -> None:
    """Run everything against sites that publish, copy, change and remove pages, and report the balance.

    Five sites on loopback, a store of its own, `zhiwen up`. The exit code is 1 where the balance does not hold. Your
    store is not touched.
    """
    require_extra()
    from benchmarks.soak.report import report_of  # noqa: PLC0415  # loaded only by those who measure

    result = _measured(minutes, rate, seed, output.out)
    publish(report_of(result), output)
    for line in () if output.as_json else (*result.balance.lost, *result.balance.missed):
        say(line)
    if not result.balance.holds:
        context.exit(FAILED)


def _measured(minutes: float, rate: float, seed: int, out: Path | None) -> "SoakResult":
    from benchmarks.soak.run import NotSettled, run_soak  # noqa: PLC0415

    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as progress:
            log = settings.home / "soak.log"
            if out is not None:
                out.mkdir(parents=True, exist_ok=True)
                log = out / "soak.log"
            return run_soak(
                settings, engine, minutes=minutes, acts_a_minute=rate, seed=seed, progress=progress, log=log
            )
    except NotSettled as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out} cannot be written: {error.strerror}")
