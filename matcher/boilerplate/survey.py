"""Judges every repeated run of a store at once, before many pages are compared.

Each comparison of a page judges the runs on it, which keeps the counts current. After a large import that is too late:
the first thousand pages would be compared with nothing learned, and all be judged again.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from matcher.boilerplate.classifier import DEFAULT_LEARNING
from matcher.boilerplate.learning import judge_runs, keep_verdicts
from storage.engine import transaction
from storage.fingerprints.boilerplate import frequent_seeds, known_runs

if TYPE_CHECKING:
    from sqlalchemy import Engine

BATCH: Final = 50


def survey(
    engine: "Engine", *, should_stop: Callable[[], bool], on_progress: Callable[[int, int], None] | None = None
) -> int:
    """Read the frequency of every seed, in time linear in the store, and judge those that are due.

    Returns how many verdicts were made. A call after an interruption judges only what is still due.
    """
    with transaction(engine) as session:
        frequencies = frequent_seeds(session, at_least=DEFAULT_LEARNING.owners)
    made = done = 0
    in_order = sorted(frequencies)
    for start in range(0, len(in_order), BATCH):
        if should_stop():
            break
        seeds = in_order[start : start + BATCH]
        with transaction(engine) as session:
            runs = judge_runs(session, {seed: frequencies[seed] for seed in seeds}, known_runs(session, seeds))
            keep_verdicts(session, runs)
        made += len(runs)
        done += len(seeds)
        if on_progress is not None:
            on_progress(done, len(frequencies))
    return made
