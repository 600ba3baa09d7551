"""Keeps the boilerplate counts current: whoever matches a page judges the repeated runs that the page holds."""

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from fingerprint.initials import to_initials
from fingerprint.model import ALGORITHM_VERSION, Initials
from fingerprint.normalize import canonicalize
from fingerprint.seeds import winnow_arrays
from matcher.align import Grams
from matcher.boilerplate import DEFAULT_LEARNING, Holder, gram_index, is_due, spread_of, verdict
from storage import boilerplate as stored
from storage.records import BoilerplateRun, SeedHolder

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SAMPLE: Final = 48
"""Holders of a seed that are read to judge it: about 20 ms of work, done again only when half as many more hold it."""

SAMPLE_CHARS: Final = 120
"""Characters of a learned run that are kept to be shown."""


def learn(session: "Session", frequencies: Mapping[int, int]) -> bool:
    """Judges the seeds that many texts hold and that are due. Returns whether anything was learned.

    Texts whose evidence has just lost its worth go back on the backlog, so that matches made on a young store
    are judged again.
    """
    hot = {seed: texts for seed, texts in frequencies.items() if texts >= DEFAULT_LEARNING.owners}
    known = stored.verdicts(session, hot, site_ids=())
    learned = False
    for seed, texts in hot.items():
        before = known.get((None, seed))
        if is_due(texts, before.texts if before else None):
            learned |= _judge_seed(session, seed, texts)
    return learned


def _judge_seed(session: "Session", seed: int, texts: int) -> bool:
    held = stored.holders(session, seed, algorithm_version=ALGORITHM_VERSION, bound=SAMPLE)
    everywhere = _decide(session, held, seed, texts, site_id=None)
    if everywhere or texts < DEFAULT_LEARNING.site_families:
        return everywhere
    # A footer of one site: asked of each site in the sample, since the sample is spread and too thin to tell.
    sites = sorted({site_id for holder in held for site_id in holder.site_ids})
    decided = [_decide_of_site(session, seed, site_id) for site_id in sites]
    return any(decided)


def _decide_of_site(session: "Session", seed: int, site_id: int) -> bool:
    held = stored.holders(session, seed, algorithm_version=ALGORITHM_VERSION, bound=SAMPLE, site_id=site_id)
    if len(held) < DEFAULT_LEARNING.site_families:
        return False
    return _decide(session, held, seed, len(held), site_id=site_id)


def _decide(session: "Session", held: Collection[SeedHolder], seed: int, texts: int, *, site_id: int | None) -> bool:
    found = [(holder, initials, _position_of(initials, seed)) for holder, initials in _read(held)]
    placed = [(holder, initials, position) for holder, initials, position in found if position is not None]
    if not placed:
        return False
    holders = [
        Holder(initials.codes, position, holder.seeds, holder.owner_keys) for holder, initials, position in placed
    ]
    spread = spread_of(holders)
    proves_nothing = verdict(spread, of_site=site_id is not None)
    shown, initials, position = placed[0]
    start, _ = initials.source_span(position, position)
    stored.save_verdict(
        session,
        BoilerplateRun(
            site_id=site_id,
            seed=seed,
            proves_nothing=proves_nothing,
            units=spread.units,
            sample=shown.body[start : start + SAMPLE_CHARS],
            texts=texts,
            families=spread.families,
            owners=spread.owners,
        ),
    )
    if proves_nothing:
        stored.requeue_holders(session, seed, algorithm_version=ALGORITHM_VERSION)
    return proves_nothing


def _read(held: Collection[SeedHolder]) -> Iterator[tuple[SeedHolder, Initials]]:
    for holder in held:
        yield holder, to_initials(canonicalize(holder.body))


def _position_of(initials: Initials, seed: int) -> int | None:
    seeds = winnow_arrays(initials)
    at = np.flatnonzero(seeds.hashes == seed)
    return int(seeds.positions[at[0]]) if len(at) else None


def boilerplate_grams(session: "Session", site_ids: Collection[int]) -> Grams:
    """What proves nothing in a comparison that involves pages of these sites."""
    return gram_index(stored.runs_that_prove_nothing(session, site_ids=site_ids))
