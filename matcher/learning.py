"""Keeps the boilerplate counts current: whoever matches a page judges the repeated runs that the page holds."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis, read_units
from fingerprint.model import ALGORITHM_VERSION
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


def learn(session: "Session", asked: Analysis, frequencies: Mapping[int, int]) -> bool:
    """Judges the seeds of `asked` that many texts hold and that are due. Returns whether anything was learned.

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
    read = [(holder, read_units(holder.body)) for holder in held]
    placed = [
        (holder, units, next((at.position for at in units.seeds if at.hash == seed), None)) for holder, units in read
    ]
    holders = [
        Holder(units.initials.codes, position, holder.seeds, holder.owner_keys)
        for holder, units, position in placed
        if position is not None
    ]
    if not holders:
        return False
    spread = spread_of(holders)
    proves_nothing = verdict(spread, of_site=site_id is not None)
    shown, units, position = next(item for item in placed if item[2] is not None)
    start, _ = units.initials.source_span(position or 0, position or 0)
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
        stored.requeue_matched(session, [holder.text_id for holder in held])
    return proves_nothing


def boilerplate_grams(session: "Session", site_ids: Collection[int]) -> Grams:
    """What proves nothing in a comparison that involves pages of these sites."""
    return gram_index(stored.runs_that_prove_nothing(session, site_ids=site_ids))
