"""The whole store against itself: candidates of many texts at once, then the same proof as ever.

Candidates come from sorted files that hold the store as it was when the sweep began; who comes later is compared with
all by himself. Each block of texts goes through the backlog, a few pages at a time, so that what comes in meanwhile
waits no longer, and other processes that compare may take a share of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from fingerprint.compute import Analysis
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
from matcher.retrieval.candidates import Found, LookUp, find_candidates, rank
from matcher.worker.backlog import work_on
from matcher.worker.match_version import Progress
from matcher.worker.recompute import bring_up_to_date
from storage.engine import transaction
from storage.fingerprints.candidates import NO_TEXT
from storage.matches import rematch as stored
from storage.postgres import statistics
from storage.postgres.retry import patiently

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

BLOCK: Final = 512
"""Texts that are looked up at once. What is interrupted in the midst of a block begins there anew."""
PATIENCE_S: Final = 60.0
"""For a database that is away for a moment. Later the sweep is begun again by hand, and goes on."""
AT_ONCE: Final = 400
"""Pages that are put on the backlog together: so many a new page may have before it."""


class Finder(Protocol):
    """Who finds the candidates. `prepare` is called once a sweep, when the sorted files are in the folder."""

    name: str

    def prepare(self, engine: "Engine", folder: Path, *, should_stop: Callable[[], bool], tell: Tell) -> None: ...

    def found(self, engine: "Engine", folder: Path, index: Index, places: range) -> Mapping[int, LookedUp]:
        """What the texts at these places share with others, by their ids; texts that are gone are left out."""
        ...


class OnThisMachine:
    """Looks each block up when its turn comes: nothing is prepared, and nothing lies about."""

    name = "local"

    def prepare(self, engine: "Engine", folder: Path, *, should_stop: Callable[[], bool], tell: Tell) -> None:
        """There is nothing to do."""

    def found(self, engine: "Engine", folder: Path, index: Index, places: range) -> Mapping[int, LookedUp]:
        with transaction(engine) as session:
            bodies = stored.bodies(session, index.ids[places.start : places.stop].tolist())
        asked = {text_id: one for text_id, body in bodies.items() if (one := index.asked_by(text_id, body))}
        return dict(zip(asked, index.look_up(list(asked.values())), strict=True))


@dataclass(frozen=True, slots=True)
class Rematched:
    """What this call did. `alone`: pages that share nothing with any other, and were not looked at further."""

    progress: Progress
    alone: int
    is_done: bool
    """Whether the whole store is done. If not, the rest is in the hands of other processes, or it was stopped."""


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
    """Compares every stored page with all others. Goes on with what was begun in `folder` under the same parameters,
    unless it is to begin `anew`. Any number of processes on one machine may do so at once. `finder`: who finds the
    candidates, this machine if nobody is named. Raises Busy.
    """
    found_by = OnThisMachine() if finder is None else finder
    bring_up_to_date(engine, should_stop=should_stop)
    with transaction(engine) as session:
        identity = _identity(stored.identity(session), found_by.name, rule, block)

    def make(folder: Path) -> int:
        def surveyed(done: int, whole: int) -> None:
            tell("judging what repeats itself", done, whole)

        survey(engine, should_stop=should_stop, on_progress=surveyed)
        export(engine, folder, should_stop=should_stop, tell=tell)
        found_by.prepare(engine, folder, should_stop=should_stop, tell=tell)
        return -(-len(mapped(folder / "ids", np.int64)) // block)

    try:
        with sweep(folder, identity, anew=anew, make=make, should_stop=should_stop) as blocks:
            return _all_blocks(engine, folder, blocks, found_by, block, rule, should_stop, tell)
    except Interrupted:
        return Rematched(Progress(), 0, is_done=False)


def _identity(store: str, finder: str, rule: CaseRule, block: int) -> str:
    """Of the store and of all that the results hang on."""
    parameters = (ALGORITHM_VERSION, DEFAULT_BOUNDS, DEFAULT_THRESHOLDS, DEFAULT_LEARNING, rule)
    return sha256(repr((store, version("zhiwen"), finder, block, *parameters)).encode()).hexdigest()


def _all_blocks(
    engine: "Engine",
    folder: Path,
    blocks: Blocks,
    finder: Finder,
    block: int,
    rule: CaseRule,
    should_stop: Callable[[], bool],
    tell: Tell,
) -> Rematched:
    index = Index.opened(folder)
    versions = Versions(mapped(folder / "versions", np.int64), mapped(folder / "versions_begin", np.int64))
    total, alone = Progress(), 0
    while not should_stop() and (number := blocks.next()) is not None:
        places = range(number * block, min((number + 1) * block, len(index.ids)))
        found = finder.found(engine, folder, index, places)
        for some in versions.in_turns(places):
            if should_stop():
                break
            step, left = _prove(engine, some, found, rule, should_stop)
            total, alone = total.plus(step), alone + left
        else:
            if not should_stop():
                blocks.done(number)
        tell("comparing", min(blocks.finished * block, len(index.ids)), len(index.ids))
    statistics.refresh(engine)
    return Rematched(total, alone, is_done=blocks.finished == blocks.count)


@dataclass(frozen=True, slots=True, eq=False)
class Versions:
    """The current versions of every text; those of the text at place `i` are `ids[begins[i]:begins[i + 1]]`."""

    ids: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    begins: "np.ndarray[tuple[int], np.dtype[np.int64]]"

    def in_turns(self, places: range) -> Iterator[list[int]]:
        """Of the texts at these places, some at a time."""
        first, last = int(self.begins[places.start]), int(self.begins[places.stop])
        for start in range(first, last, AT_ONCE):
            yield self.ids[start : min(start + AT_ONCE, last)].tolist()


def _prove(
    engine: "Engine",
    versions: Sequence[int],
    found: Mapping[int, LookedUp],
    rule: CaseRule,
    should_stop: Callable[[], bool],
) -> tuple[Progress, int]:
    """Compares these versions, and how many share nothing with any other."""
    sharing = [text_id for text_id, one in found.items() if one.is_any]

    def put_back() -> list[int]:
        with transaction(engine) as session:
            return stored.put_back(session, versions, sharing=sharing)

    # Whoever compares puts pages back too, in an order of his own: one of two that wait for each other begins again.
    waiting = patiently(put_back, stop=Event(), longest_s=PATIENCE_S)
    done = work_on(engine, should_stop=should_stop, rule=rule, among=waiting, look_up=looked_up_before(found))
    return done, len(versions) - len(waiting)


def looked_up_before(found: Mapping[int, LookedUp]) -> LookUp:
    """Answers from `found`, and asks the database for texts that are not in it."""

    def look_up(session: "Session", asked: Analysis, *, self_id: int = NO_TEXT) -> Found:
        one = found.get(self_id)
        if one is None:
            return find_candidates(session, asked, self_id=self_id)
        return rank(asked, one.near.pairs(), one.seeds.hits(), one.slices.hits(), cut=one.near.cut)

    return look_up
