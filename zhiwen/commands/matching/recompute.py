"""`recompute`."""

import click

from storage.engine import transaction
from storage.fingerprints import recompute as stored
from zhiwen.output.progress import bar, stopped_by_signals
from zhiwen.output.terminal import reporting_errors, say, store


@click.command()
@click.option("--all", "everything", is_flag=True, help="Also those that are of the current version already.")
@reporting_errors
def recompute(*, everything: bool) -> None:
    """Give stored texts the fingerprint of this version of the program.

    After an update that reads texts differently; `zhiwen match` does it too, before it compares. May be interrupted
    at any time, and run by several processes at once: it goes on where it stopped.
    """
    from matcher.worker.recompute import bring_up_to_date  # noqa: PLC0415  # dictionaries are loaded only by those who need them

    stop = stopped_by_signals()
    with store() as (_, engine):
        with transaction(engine) as session:
            waiting = stored.ask_for_all(session) if everything else stored.waiting(session)
        with bar("fingerprinting", waiting) as shown:
            done = bring_up_to_date(engine, should_stop=stop.is_set, on_progress=shown)
        with transaction(engine) as session:
            left = stored.waiting(session)
    say(f"{done} texts have their new fingerprint, {left} wait.")
    if done:
        say("Compare them again with: zhiwen match")
    if stop.is_set():
        raise click.Abort
