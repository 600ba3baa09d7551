"""Boilerplate learning: each comparison of a page judges the repeated runs that the page holds."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from fingerprint.initials import to_initials
from fingerprint.model import ALGORITHM_VERSION, Initials
from fingerprint.normalize import canonicalize
from fingerprint.winnowing import SeedArrays, winnow_arrays
from matcher.alignment.align import Grams
from matcher.boilerplate.classifier import DEFAULT_LEARNING, Holder, Spread, gram_index, is_due, spread_of, verdict
from storage.fingerprints import boilerplate as stored
from storage.records.candidates import BoilerplateRun, KnownRun, SeedHolder

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SAMPLE: Final = 48
"""Holders of a seed that are read to judge it: about 20 ms, repeated when a fifth as many more hold it."""

SAMPLE_CHARS: Final = 120
"""Characters of a learned run that are stored for display."""


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """A text that holds a seed: its units, its seeds, and the position of this one."""

    holder: SeedHolder
    initials: Initials
    seeds: SeedArrays
    position: int


def judge_runs(
    session: "Session", frequencies: Mapping[int, int], known: Collection[KnownRun], *, site_ids: Collection[int] = ()
) -> list[BoilerplateRun]:
    """Return verdicts on seeds that many texts hold and that are due, given those `known`. Writes nothing.

    `site_ids`: sites to judge separately, too: a sample of a common seed may hold none of their pages.
    """
    decided_at = {run.seed: run.texts for run in known if run.site_id is None}
    due = {
        seed: texts
        for seed, texts in frequencies.items()
        if texts >= DEFAULT_LEARNING.owners and is_due(texts, decided_at.get(seed))
    }
    judged = [run for seed, texts in due.items() for run in _judge_seed(session, seed, texts, site_ids)]
    common = {seed for seed, texts in frequencies.items() if texts > SAMPLE and seed not in due}
    return [*judged, *_judge_on_sites(session, common, known, site_ids)]


def _judge_on_sites(
    session: "Session", seeds: Collection[int], known: Collection[KnownRun], site_ids: Collection[int]
) -> Iterator[BoilerplateRun]:
    """Yield verdicts of single sites on seeds that are common elsewhere: that number says nothing about the site."""
    settled = {(run.site_id, run.seed) for run in known if run.proves_nothing}
    decided_at = {(run.site_id, run.seed): run.texts for run in known}
    for site_id in site_ids:
        open_seeds = [seed for seed in seeds if not {(None, seed), (site_id, seed)} & settled]
        for seed, texts in stored.counts_on_site(session, site_id, open_seeds).items():
            seen = min(texts, SAMPLE)
            if seen >= DEFAULT_LEARNING.site_families and is_due(seen, decided_at.get((site_id, seed))):
                yield from _judge_on_site(session, seed, site_id)


def keep_verdicts(session: "Session", runs: Iterable[BoilerplateRun]) -> None:
    """Store verdicts. Texts whose evidence has just become boilerplate are queued again, so that matches made before
    are judged again.
    """
    for run in runs:
        stored.save_verdict(session, run)
        if run.proves_nothing:
            stored.requeue_holders(session, run.seed, algorithm_version=ALGORITHM_VERSION)


def _judge_seed(session: "Session", seed: int, texts: int, site_ids: Collection[int] = ()) -> Iterator[BoilerplateRun]:
    held = stored.holders(session, seed, algorithm_version=ALGORITHM_VERSION, bound=SAMPLE)
    everywhere = _decide(held, seed, texts, site_id=None)
    if everywhere is not None:
        yield everywhere
    if texts < DEFAULT_LEARNING.site_families or (everywhere is not None and everywhere.proves_nothing):
        return
    # A footer of one site: each site in the sample is judged separately, since the sample is too thin for that.
    for site_id in sorted({site_id for holder in held for site_id in holder.site_ids}.union(site_ids)):
        yield from _judge_on_site(session, seed, site_id)


def _judge_on_site(session: "Session", seed: int, site_id: int) -> Iterator[BoilerplateRun]:
    on_site = stored.holders(session, seed, algorithm_version=ALGORITHM_VERSION, bound=SAMPLE, site_id=site_id)
    if len(on_site) >= DEFAULT_LEARNING.site_families:
        decided = _decide(on_site, seed, len(on_site), site_id=site_id)
        if decided is not None:
            yield decided


def _decide(held: Collection[SeedHolder], seed: int, texts: int, *, site_id: int | None) -> BoilerplateRun | None:
    placed = list(_placed(held, seed))
    if not placed:
        return None
    spread = _spread(placed)
    of_site = site_id is not None
    proves_nothing = verdict(spread, of_site=of_site) or (not of_site and _fills_hosts(placed))
    shown = placed[0]
    start, _ = shown.initials.source_span(shown.position, shown.position)
    return BoilerplateRun(
        site_id=site_id,
        seed=seed,
        proves_nothing=proves_nothing,
        units=spread.units,
        sample=shown.holder.body[start : start + SAMPLE_CHARS],
        texts=texts,
        families=spread.families,
        owners=spread.owners,
    )


def _spread(placed: Collection[_Placed]) -> Spread:
    return spread_of(
        [Holder(item.initials.codes, item.position, item.seeds, item.holder.owner_keys) for item in placed]
    )


def _fills_hosts(placed: Collection[_Placed]) -> bool:
    """Return whether pages without a site hold the run as the pages of one site hold its footer.

    A host without a site has no verdicts of its own, so the run proves nothing anywhere.
    """
    siteless = [item for item in placed if not item.holder.site_ids]
    return len(siteless) >= DEFAULT_LEARNING.site_families and verdict(_spread(siteless), of_site=True)


def _placed(held: Collection[SeedHolder], seed: int) -> Iterator[_Placed]:
    for holder in held:
        initials = to_initials(canonicalize(holder.body))
        seeds = winnow_arrays(initials)
        at = np.flatnonzero(seeds.hashes == seed)
        if len(at):
            yield _Placed(holder, initials, seeds, int(seeds.positions[at[0]]))


def runs_around(
    session: "Session", seeds: Collection[int], frequencies: Mapping[int, int], *, site_ids: Collection[int] = ()
) -> tuple[list[KnownRun | BoilerplateRun], list[BoilerplateRun]]:
    """Return all verdicts on the runs around the seeds of a text, and the new ones among them. Writes nothing.

    `site_ids`: the sites that publish the text.
    """
    known = stored.known_runs(session, seeds)
    fresh = judge_runs(session, frequencies, known, site_ids=site_ids)
    replaced = {(run.site_id, run.seed) for run in fresh}
    return [*(run for run in known if (run.site_id, run.seed) not in replaced), *fresh], fresh


def boilerplate_grams(runs: Iterable[KnownRun | BoilerplateRun], site_ids: Collection[int]) -> Grams:
    """Return the grams of the runs that prove nothing in a comparison with pages of these sites."""
    here = (run.units for run in runs if run.proves_nothing and (run.site_id is None or run.site_id in site_ids))
    return gram_index(dict.fromkeys(here))
