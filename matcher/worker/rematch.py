"""Rematch: compares the whole store with itself, retrieving the candidates of many texts at once.

Candidates come from sorted files that hold the store as it was when the sweep began; the worker compares pages stored
later with all others. Each block of texts goes through the backlog, a few pages at a time, so that new pages wait no
longer, and other comparing processes may take a share of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from fingerprint.model import ALGORITHM_VERSION
from matcher.batch.array_files import mapped
from matcher.batch.export import Tell, export
from matcher.batch.index import Index
from matcher.batch.model import DEFAULT_BOUNDS, LookedUp
from matcher.batch.progress import Blocks, Interrupted, sweep
from matcher.boilerplate.classifier import DEFAULT_LEARNING
from matcher.boilerplate.survey import survey
from matcher.cases.case_rule import CaseRule
from matcher.judgement.gates import DEFAULT_THRESHOLDS
from matcher.worker.backlog import work_on
from matcher.worker.match_version import Progress
from matcher.worker.recompute import bring_up_to_date
from matcher.worker.sorted_look_ups import looked_up_before
from storage.engine import transaction
from storage.matches import rematch as stored
from storage.pages import pages
from storage.postgres import statistics
from storage.postgres.retry import retry_while_unavailable

if TYPE_CHECKING:
    from sqlalchemy import Engine

BLOCK: Final = 512
"""Texts that are looked up at once. An interrupted block is repeated from its start."""
PATIENCE_S: Final = 60.0
"""How long to retry while the database is unreachable. A later start continues the sweep."""
AT_ONCE: Final = 400
"""Pages that are put on the backlog together: the most that a new page waits for."""


class Finder(Protocol):
    """Retrieves the candidates. `prepare` is called once per sweep, when the sorted files are in the folder."""

    name: str

    def prepare(self, engine: "Engine", folder: Path, *, should_stop: Callable[[], bool], tell: Tell) -> None: ...

    def found(self, engine: "Engine", folder: Path, index: Index, places: range) -> Mapping[int, LookedUp]:
        """Return what the texts at these places share with others, by their ids; deleted texts are left out."""
        ...


class OnThisMachine:
    """Looks up each block when its turn comes; prepares nothing."""

    name = "local"

    def prepare(self, engine: "Engine", folder: Path, *, should_stop: Callable[[], bool], tell: Tell) -> None:
        """Does nothing."""

    def found(self, engine: "Engine", folder: Path, index: Index, places: range) -> Mapping[int, LookedUp]:
        with transaction(engine) as session:
            bodies = pages.text_bodies(session, index.ids[places.start : places.stop].tolist())
        asked = {text_id: one for text_id, body in bodies.items() if (one := index.asked_by(text_id, body))}
        return dict(zip(asked, index.look_up(list(asked.values())), strict=True))


@dataclass(frozen=True, slots=True)
class Rematched:
    """Counts of this call. `alone`: pages that share nothing with any other, and were not compared."""

    progress: Progress
    alone: int
    is_done: bool
    """Whether the whole store is done. If not, other processes have the rest, or it was stopped."""


def rematch(
    engine: "Engine",
    folder: Path,
    *,
    rule: CaseRule,
    anew: bool,
    should_stop: Callable[[], bool],
    tell: Tell,
    finder: Finder | None = None,
    block: int = BLOCK,
) -> Rematched:
    """Compare every stored page with all others. Continue the sweep in `folder` with the same parameters, or begin
    a new one. Safe to run in any number of processes on one machine. `finder` retrieves the candidates; default:
    this machine. Raises Busy.
    """
    whole = _Sweep(engine, folder, OnThisMachine() if finder is None else finder, rule, block, should_stop, tell)
    bring_up_to_date(engine, should_stop=should_stop)
    try:
        with sweep(folder, whole.identity(), anew=anew, make=whole.make, should_stop=should_stop) as blocks:
            return whole.work_off(blocks)
    except Interrupted:
        return Rematched(Progress(), 0, is_done=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Sweep:
    """One process's part of a sweep."""

    engine: "Engine"
    folder: Path
    finder: Finder
    rule: CaseRule
    block: int
    should_stop: Callable[[], bool]
    tell: Tell

    def identity(self) -> str:
        """Return a hash of the store and of all parameters that the results depend on."""
        with transaction(self.engine) as session:
            store = stored.identity(session)
        parameters = (ALGORITHM_VERSION, DEFAULT_BOUNDS, DEFAULT_THRESHOLDS, DEFAULT_LEARNING, self.rule)
        return sha256(repr((store, version("zhiwen"), self.finder.name, self.block, *parameters)).encode()).hexdigest()

    def make(self, folder: Path) -> int:
        """Write the sorted files; return the number of blocks."""
        surveyed = partial(self.tell, "judging what repeats itself")
        survey(self.engine, should_stop=self.should_stop, on_progress=surveyed)
        export(self.engine, folder, should_stop=self.should_stop, tell=self.tell)
        self.finder.prepare(self.engine, folder, should_stop=self.should_stop, tell=self.tell)
        return -(-len(mapped(folder / "ids", np.int64)) // self.block)

    def work_off(self, blocks: Blocks) -> Rematched:
        """Compare block by block until none is left, or the call is to stop."""
        index = Index.opened(self.folder)
        versions, begins = (mapped(self.folder / name, np.int64) for name in ("versions", "versions_begin"))
        total, alone = Progress(), 0
        while not self.should_stop() and (number := blocks.next()) is not None:
            places = range(number * self.block, min((number + 1) * self.block, len(index.ids)))
            found = self.finder.found(self.engine, self.folder, index, places)
            # The current versions of the text at place i are versions[begins[i]:begins[i + 1]].
            waiting = versions[begins[places.start] : begins[places.stop]].tolist()
            for start in range(0, len(waiting), AT_ONCE):
                if self.should_stop():
                    break
                step, left = self._compare(waiting[start : start + AT_ONCE], found)
                total, alone = total.plus(step), alone + left
            else:
                if not self.should_stop():
                    blocks.done(number)
            self.tell("comparing", min(blocks.finished * self.block, len(index.ids)), len(index.ids))
        statistics.refresh(self.engine)
        return Rematched(total, alone, is_done=blocks.finished == blocks.count)

    def _compare(self, versions: Sequence[int], found: Mapping[int, LookedUp]) -> tuple[Progress, int]:
        """Compare these versions; return also how many share nothing with any other."""
        sharing = [text_id for text_id, one in found.items() if one.is_any]

        def put_back() -> list[int]:
            with transaction(self.engine) as session:
                return stored.put_back(session, versions, sharing=sharing)

        # Comparing processes put pages back too, in another order: one of two that deadlock retries.
        waiting = retry_while_unavailable(put_back, stop=Event(), longest_s=PATIENCE_S)
        look_up = looked_up_before(found)
        done = work_on(self.engine, should_stop=self.should_stop, rule=self.rule, among=waiting, look_up=look_up)
        return done, len(versions) - len(waiting)
