"""`evidence witness` and `evidence witnesses`: who confirms the evidence from outside, and how far."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from storage.engine import transaction
from storage.evidence import witnesses as stored
from storage.jobs import queue
from zhiwen.config.witnesses import witnesses_of
from zhiwen.output.terminal import fail, json_option, print_records, say, store, store_session

if TYPE_CHECKING:
    from crawler.witnesses.verification import VerifiedWitnesses
    from storage.records.witnesses import WitnessCount

NOT_SET_UP = (
    "No witness is set up. Set ZHIWEN_TIME_STAMP_URL and ZHIWEN_TIME_STAMP_CERTIFICATES, ZHIWEN_OTS_CALENDARS, or "
    "ZHIWEN_WITNESS_URL with ZHIWEN_WITNESS_TOKEN and ZHIWEN_WITNESS_KEY."
)


@click.command()
@click.option("--again", "asks_again", is_flag=True, help="Also ask those again that were asked too often.")
def witness(*, asks_again: bool) -> None:
    """Have new evidence files and the head of the chain confirmed by all witnesses that are set up."""
    from zhiwen.worker.witnessing import witness as one_turn  # noqa: PLC0415  # only where needed

    with store() as (settings, engine):
        if not witnesses_of(settings):
            fail(NOT_SET_UP)
        if asks_again:
            with transaction(engine) as session:
                say(f"{stored.ask_again(session, queue.database_time(session))} witnesses are asked again.")
        done = one_turn(settings, engine)
    say(
        f"{done.listed} files listed. {done.asked} witnesses asked: {done.confirmed} confirmed, {done.failed} without "
        f"result, {done.asked - done.confirmed - done.failed} promised. See: zhiwen evidence witnesses"
    )


@click.command()
@json_option
def witnesses(*, as_json: bool) -> None:
    """Count what witnesses have confirmed, what waits, and what failed."""
    with store_session() as session:
        found = stored.counts(session)

    def row(one: "WitnessCount") -> tuple[object, ...]:
        return one.kind, one.state, one.count

    print_records(found, ("kind", "state", "count"), row, as_json=as_json, shape=asdict)
    if not found and not as_json:
        say("Nothing was confirmed yet, and nothing waits.")


def say_witnesses(seen: "VerifiedWitnesses") -> None:
    """Prints the results of verifying witnesses, less what there is none of."""
    if seen.lists:
        say(f"{seen.files} files are in {seen.lists} lists for witnesses; the stamps of {seen.stamped_files} hold.")
    if seen.promises:
        say(f"{seen.promises} lists are promised to be committed to Bitcoin, which proves nothing yet.")
    for block in seen.blocks:
        say(f"A list is older than Bitcoin block {block.height} if its header has the Merkle root {block.shown_root}.")
    if seen.countersigned:
        say(f"{seen.countersigned} heads are countersigned, the last with entry {seen.countersigned_up_to}.")
    if seen.heard:
        say(f"{seen.heard} heads of other installations were countersigned here.")


def shape_of_witnesses(seen: "VerifiedWitnesses") -> dict[str, object]:
    """The same for programs."""
    blocks = [{"height": block.height, "merkle_root": block.shown_root} for block in seen.blocks]
    return {**asdict(seen), "blocks": blocks}
