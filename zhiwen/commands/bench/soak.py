"""`bench soak`: how Zhiwen holds out while a web changes under it."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from zhiwen.commands.bench.common import SEED, require_extra, scratch
from zhiwen.output.progress import steps
from zhiwen.output.terminal import FAILED, fail, json_option, print_json, print_table, reporting_errors, say
from zhiwen.wiring import opened_store

if TYPE_CHECKING:
    from benchmarks.soak.run import SoakResult

MINUTES: Final = 30.0
RATE: Final = 60.0


@click.command()
@click.option("--minutes", type=click.FloatRange(0.1, 10_000), default=MINUTES, show_default=True, help="How long.")
@click.option("--rate", type=click.FloatRange(1, 10_000), default=RATE, show_default=True, help="Acts a minute.")
@click.option("--seed", type=int, default=SEED, show_default=True, help="The same seed makes the same acts.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for tables, JSON, picture, log.")
@json_option
@click.pass_context
@reporting_errors
def soak(context: click.Context, *, minutes: float, rate: float, seed: int, out: Path | None, as_json: bool) -> None:
    """Run everything against sites that publish, copy, change and remove pages, and draw the balance.

    Five sites on loopback, a store of its own, `zhiwen up`. The exit code is 1 where the balance does not hold. Yours
    is not touched.
    """
    require_extra()
    from benchmarks.soak import report  # noqa: PLC0415  # loaded only by those who measure

    result = _measured(minutes, rate, seed, out)
    if out is not None:
        try:
            for path in report.write(result, out):
                say(f"Wrote {path}")
        except OSError as error:
            fail(f"{out} cannot be written: {error.strerror}")
    if as_json:
        print_json(report.as_json(result))
    else:
        for line in report.ran_on_lines(result):
            click.echo(line)
        print_table(("balance", ""), list(report.balance_rows(result)))
        print_table(report.LOAD_COLUMNS, list(report.load_rows(result)))
        for line in (*result.balance.lost, *result.balance.missed):
            say(line)
    if not result.balance.holds:
        context.exit(FAILED)


def _measured(minutes: float, rate: float, seed: int, out: Path | None) -> "SoakResult":
    from benchmarks.soak.run import NotSettled, run_soak  # noqa: PLC0415

    try:
        with scratch() as settings, opened_store(settings) as engine, steps() as tell:
            log = settings.home / "soak.log"
            if out is not None:
                out.mkdir(parents=True, exist_ok=True)
                log = out / "soak.log"
            return run_soak(settings, engine, minutes=minutes, acts_a_minute=rate, seed=seed, tell=tell, log=log)
    except NotSettled as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out} cannot be written: {error.strerror}")
