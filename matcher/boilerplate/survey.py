"""Judges every repeated run of a store at once, before many pages are compared.

Each comparison of a page judges the runs on it, which keeps the counts current. After a large import that is too late:
the first thousand pages would be compared with nothing learned, and all be judged again.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from matcher.boilerplate.classifier import DEFAULT_LEARNING
from matcher.boilerplate.holder_samples import HolderSamples
from matcher.boilerplate.learning import due_seeds, judge_runs, keep_verdicts
from storage.engine import transaction
from storage.fingerprints import boilerplate as stored

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.candidates import KnownRun

BATCH: Final = 64
"""Seeds that are judged in one transaction."""


def survey(
    engine: "Engine",
    *,
    should_stop: Callable[[], bool],
    on_progress: Callable[[int, int], None] | None = None,
    of_waiting: bool = False,
) -> int:
    """Read the frequency of every seed, in time linear in the store, and judge those that are due; `of_waiting`: only
    seeds of texts on the backlog, since the others hold in as many texts as before.

    Returns how many verdicts were made. A call after an interruption judges only what is still due. Several processes
    share the work: each takes batches that no other is at.
    """
    with transaction(engine) as session:
        frequencies = stored.frequent_seeds(session, at_least=DEFAULT_LEARNING.owners, of_waiting=of_waiting)
        in_order = sorted(due_seeds(frequencies, stored.known_runs(session, frequencies)))
    batches = [in_order[start : start + BATCH] for start in range(0, len(in_order), BATCH)]
    made = done = 0
    taken: list[list[int]] = []
    samples = HolderSamples()
    # First what is free, then what another process is still at: it is waited for, and judged here if that one ended.
    for wait, some in ((False, batches), (True, taken)):
        for seeds in some:
            if should_stop():
                return made
            with transaction(engine) as session:
                if not stored.claim_seeds(session, seeds[0], wait=wait):
                    taken.append(seeds)
                    continue
                known: list[KnownRun] = stored.known_runs(session, seeds)
                runs = judge_runs(session, samples, {seed: frequencies[seed] for seed in seeds}, known)
                keep_verdicts(session, runs)
            made += len(runs)
            done += len(seeds)
            if on_progress is not None:
                on_progress(done, len(in_order))
    return made
