"""`rematch`."""

import os
import shutil
from typing import TYPE_CHECKING, Final

import click

from storage.engine import transaction
from storage.matches.hits import count_hits
from zhiwen.output.progress import steps, stopped_by_signals
from zhiwen.output.terminal import fail, reporting_errors, say, store

if TYPE_CHECKING:
    from matcher.worker.rematch import Finder, Rematched

FOLDER: Final = "rematch"
"""In the home: what a sweep needs besides the database."""


@click.command()
@click.option(
    "--engine",
    type=click.Choice(["local", "spark"]),
    default="local",
    show_default=True,
    help="Who finds the candidates: this machine, or a Spark cluster.",
)
@click.option("--master", default="local[*]", show_default=True, help="The address of the Spark cluster.")
@click.option("--anew", is_flag=True, help="Begin anew, whatever an interrupted one has done.")
@reporting_errors
def rematch(*, engine: str, master: str, anew: bool) -> None:
    """Compare the whole store with itself once more: after a change of parameters, or of settings.

    May be interrupted at any time: called again, it goes on where it stopped. Several may run at once on one machine.
    What people decided stays.
    """
    from matcher.batch.progress import Busy  # noqa: PLC0415  # dictionaries are loaded only by those who match
    from matcher.cases.case_rule import CaseRule  # noqa: PLC0415
    from matcher.worker.rematch import rematch as sweep  # noqa: PLC0415

    stop = stopped_by_signals()
    finder = _on_spark(master) if engine == "spark" else None
    with store() as (settings, database):
        rule = CaseRule(min_chars=settings.case_min_chars, min_share=settings.case_min_share)
        try:
            with steps() as tell:
                done = sweep(
                    database,
                    settings.home / FOLDER,
                    rule=rule,
                    anew=anew,
                    should_stop=stop.is_set,
                    tell=tell,
                    finder=finder,
                )
        except Busy:
            fail("Another rematch is at work that began under other parameters. Let it end, or stop it.")
        with transaction(database) as session:
            hits = count_hits(session)
    _say(done, hits)
    if stop.is_set():
        raise click.Abort
    if done.progress.failed:
        fail(f"{done.progress.failed} pages could not be compared; they are set aside and tried again by: zhiwen match")


def _on_spark(master: str) -> "Finder":
    try:
        from matcher.worker.rematch_spark import OnSpark  # noqa: PLC0415  # only where the extra is installed
    except ModuleNotFoundError as error:
        fail(f"This needs the extra spark ({error.name} is missing): pip install 'zhiwen[spark]'")
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        fail("Spark needs Java, and there is none. On Debian: apt-get install default-jre-headless")
    return OnSpark(master)


def _say(done: "Rematched", hits: int) -> None:
    progress = done.progress
    say(f"Compared {progress.compared} pages, found {progress.matched} matching texts. Copies known: {hits}.")
    say(f"{done.alone} pages share nothing with any other.")
    if progress.cut:
        say(f"{progress.cut} candidates were left out by a bound: far more texts share something than can be aligned.")
    if not done.is_done:
        say("The store is not done yet. Go on with: zhiwen rematch")
