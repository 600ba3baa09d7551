"""`rematch`: compares the whole store with itself."""

import os
import shutil
from typing import TYPE_CHECKING, Final

import click

from storage.engine import transaction
from storage.matches.hits import count_hits
from zhiwen.output.progress import steps, stopped_by_signals
from zhiwen.output.terminal import RenamedOptions, fail, say, store
from zhiwen.wiring import case_rule

if TYPE_CHECKING:
    from matcher.worker.rematch import Finder, Rematched

FOLDER: Final = "rematch"
"""Folder in the home for the files of a sweep."""


@click.command(cls=RenamedOptions, renamed={"--anew": "--restart"})
@click.option(
    "--engine",
    type=click.Choice(["local", "spark"]),
    default="local",
    help="Where candidates are retrieved: on this machine, or on a Spark cluster.",
)
@click.option("--master", default="local[*]", help="Address of the Spark cluster.")
@click.option("--restart", is_flag=True, help="Start over instead of continuing an interrupted rematch.")
def rematch(*, engine: str, master: str, restart: bool) -> None:
    """Compare the whole store with itself again, after a change of parameters or settings.

    It can be interrupted at any time; the next call continues where it stopped. Several can run at once on one machine.
    Decisions of people stay.
    """
    from matcher.batch.progress import Busy  # noqa: PLC0415  # loads the dictionaries
    from matcher.worker.rematch import rematch as sweep  # noqa: PLC0415

    stop = stopped_by_signals()
    finder = _on_spark(master) if engine == "spark" else None
    with store() as (settings, database):
        try:
            with steps() as tell:
                done = sweep(
                    database,
                    settings.home / FOLDER,
                    rule=case_rule(settings),
                    anew=restart,
                    should_stop=stop.is_set,
                    tell=tell,
                    finder=finder,
                )
        except Busy:
            fail("Another rematch is running with other parameters. Wait for its end, or stop it.")
        with transaction(database) as session:
            hits = count_hits(session)
    _say(done, hits)
    if stop.is_set():
        raise click.Abort
    if done.progress.failed:
        fail(f"{done.progress.failed} pages could not be compared and are set aside. Try them again with: zhiwen match")


def _on_spark(master: str) -> "Finder":
    try:
        from matcher.worker.rematch_spark import OnSpark  # noqa: PLC0415  # only where the extra is installed
    except ModuleNotFoundError as error:
        fail(f"{error.name} is missing. Install the extra spark: pip install 'zhiwen[spark]'")
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        fail("Spark needs Java, which is not installed. On Debian: apt-get install default-jre-headless")
    return OnSpark(master)


def _say(done: "Rematched", hits: int) -> None:
    progress = done.progress
    say(f"Compared {progress.compared} pages, found {progress.matched} matching texts. Copies known: {hits}.")
    say(f"{done.alone} pages share nothing with any other.")
    if progress.cut:
        say(f"{progress.cut} candidates were left out by a limit: too many texts share keys to align them all.")
    if not done.is_done:
        say("The rematch is not finished. Continue with: zhiwen rematch")
