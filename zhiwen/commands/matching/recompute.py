"""`recompute`: updates stored fingerprints to the current version."""

import click

from storage.engine import transaction
from storage.fingerprints import recompute as stored
from zhiwen.commands.matching.encoding import encode_with_bar
from zhiwen.output.progress import bar, stopped_by_signals
from zhiwen.output.terminal import say, store


@click.command()
@click.option("--all", "everything", is_flag=True, help="Recompute fingerprints of the current version, too.")
@click.option("--meaning", is_flag=True, help="Also encode all texts by meaning again; until then, the present serve.")
def recompute(*, everything: bool, meaning: bool) -> None:
    """Recompute fingerprints after an upgrade that changed how texts are read.

    `zhiwen match` does it too, before it compares. It can be interrupted at any time and continues where it stopped;
    several processes can run at once.
    """
    from matcher.worker.recompute import bring_up_to_date  # noqa: PLC0415  # loads the dictionaries

    stop = stopped_by_signals()
    with store() as (settings, engine):
        with transaction(engine) as session:
            waiting = stored.ask_for_all(session) if everything else stored.waiting(session)
        with bar("fingerprinting", waiting) as shown:
            done = bring_up_to_date(engine, should_stop=stop.is_set, on_progress=shown)
        with transaction(engine) as session:
            left = stored.waiting(session)
        encode_with_bar(settings, engine, stop, compares=False, again=meaning)
    say(f"Recomputed {done} fingerprints; {left} remain.")
    if done:
        say("Compare them again with: zhiwen match")
    if stop.is_set():
        raise click.Abort
