"""`rematch`."""

from typing import TYPE_CHECKING, Final

import click

from storage.engine import transaction
from storage.matches import count_hits
from zhiwen.commands.progress import steps, stopped_by_signals
from zhiwen.commands.shell import fail, reporting_errors, say, store

if TYPE_CHECKING:
    from matcher.rematch import Rematched

FOLDER: Final = "rematch"
"""In the home: what a sweep needs besides the database."""


@click.command()
@click.option("--anew", is_flag=True, help="Begin anew, whatever an interrupted one has done.")
@reporting_errors
def rematch(*, anew: bool) -> None:
    """Compare the whole store with itself once more: after a change of parameters, or of settings.

    May be interrupted at any time: called again, it goes on where it stopped. Several may run at once on one machine.
    What people decided stays.
    """
    from matcher.bulk.state import Busy  # noqa: PLC0415  # dictionaries are loaded only by those who match
    from matcher.cases import CaseRule  # noqa: PLC0415
    from matcher.rematch import rematch as sweep  # noqa: PLC0415

    stop = stopped_by_signals()
    with store() as (settings, engine):
        rule = CaseRule(min_chars=settings.case_min_chars, min_share=settings.case_min_share)
        try:
            with steps() as tell:
                done = sweep(engine, settings.home / FOLDER, rule=rule, anew=anew, should_stop=stop.is_set, tell=tell)
        except Busy:
            fail("Another rematch is at work that began under other parameters. Let it end, or stop it.")
        with transaction(engine) as session:
            hits = count_hits(session)
    _say(done, hits)
    if stop.is_set():
        raise click.Abort
    if done.progress.failed:
        fail(f"{done.progress.failed} pages could not be compared; they are set aside and tried again by: zhiwen match")


def _say(done: "Rematched", hits: int) -> None:
    progress = done.progress
    say(f"Compared {progress.compared} pages, found {progress.matched} matching texts. Copies known: {hits}.")
    say(f"{done.alone} pages share nothing with any other.")
    if progress.cut:
        say(f"{progress.cut} candidates were left out by a bound: far more texts share something than can be aligned.")
    if not done.is_done:
        say("The store is not done yet. Go on with: zhiwen rematch")
