"""Boilerplate learning: each comparison of a page judges the repeated runs that the page holds."""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from matcher.alignment.align import Grams
from matcher.boilerplate.classifier import DEFAULT_LEARNING, Holder, Spread, gram_index, is_due, spread_of, verdict
from matcher.boilerplate.holder_samples import SAMPLE, HolderSamples, Placed
from storage.fingerprints import boilerplate as stored
from storage.records.candidates import BoilerplateRun, KnownRun

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SAMPLE_CHARS: Final = 120
"""Characters of a learned run that are stored for display."""


def due_seeds(frequencies: Mapping[int, int], known: Iterable[KnownRun | BoilerplateRun]) -> dict[int, int]:
    """Return the seeds that many texts hold and that are due for a verdict, given those `known`; each with its number
    of texts.
    """
    decided_at = {run.seed: run.texts for run in known if run.site_id is None and run.set_aside_id is None}
    return {
        seed: texts
        for seed, texts in frequencies.items()
        if texts >= DEFAULT_LEARNING.owners and is_due(texts, decided_at.get(seed))
    }


def judge_runs(
    session: "Session",
    samples: HolderSamples,
    frequencies: Mapping[int, int],
    known: Collection[KnownRun | BoilerplateRun],
    *,
    site_ids: Collection[int] = (),
) -> list[BoilerplateRun]:
    """Return verdicts on seeds that many texts hold and that are due, given those `known`. Writes nothing.

    `site_ids`: sites to judge separately, too: a sample of a common seed may hold none of their pages.
    """
    due = due_seeds(frequencies, known)
    judged = _judge_seeds(session, samples, due, site_ids)
    common = {seed for seed, texts in frequencies.items() if texts > SAMPLE and seed not in due}
    return [*judged, *_judge_on_sites(session, samples, common, known, site_ids)]


def _judge_seeds(
    session: "Session", samples: HolderSamples, due: Mapping[int, int], site_ids: Collection[int] = ()
) -> list[BoilerplateRun]:
    held = samples.of(session, due)
    everywhere = [_decide(placed, seed, due[seed], site_id=None) for seed, placed in held.items()]
    settled = {run.seed for run in everywhere if run.proves_nothing}
    # A footer of one site: each site in the sample is judged separately, since the sample is too thin for that.
    on_sites: dict[int, list[int]] = {}
    for seed, texts in due.items():
        if texts >= DEFAULT_LEARNING.site_families and seed not in settled:
            sites = {site_id for item in held.get(seed, ()) for site_id in item.holder.site_ids}
            for site_id in sites.union(site_ids):
                on_sites.setdefault(site_id, []).append(seed)
    of_sites = (
        run for site_id in sorted(on_sites) for run in _judge_on_site(session, samples, on_sites[site_id], site_id)
    )
    return [*everywhere, *of_sites]


def _judge_on_sites(
    session: "Session",
    samples: HolderSamples,
    seeds: Collection[int],
    known: Collection[KnownRun | BoilerplateRun],
    site_ids: Collection[int],
) -> list[BoilerplateRun]:
    """Return verdicts of single sites on seeds that are common elsewhere: that number says nothing about the site."""
    learned = [run for run in known if run.set_aside_id is None]
    settled = {(run.site_id, run.seed) for run in learned if run.proves_nothing}
    decided_at = {(run.site_id, run.seed): run.texts for run in learned}
    judged: list[BoilerplateRun] = []
    for site_id in site_ids:
        open_seeds = [seed for seed in seeds if not {(None, seed), (site_id, seed)} & settled]
        counts = stored.counts_on_site(session, site_id, open_seeds)
        due = [
            seed
            for seed, texts in counts.items()
            if min(texts, SAMPLE) >= DEFAULT_LEARNING.site_families
            and is_due(min(texts, SAMPLE), decided_at.get((site_id, seed)))
        ]
        judged += _judge_on_site(session, samples, due, site_id)
    return judged


def keep_verdicts(session: "Session", runs: Collection[BoilerplateRun]) -> None:
    """Store verdicts. Texts whose evidence has just become boilerplate are queued again, so that matches made before
    are judged again.
    """
    stored.save_verdicts(session, runs)
    stored.requeue(session, seeds={run.seed for run in runs if run.proves_nothing})


def _judge_on_site(
    session: "Session", samples: HolderSamples, seeds: Collection[int], site_id: int
) -> list[BoilerplateRun]:
    return [
        _decide(on_site, seed, len(on_site), site_id=site_id)
        for seed, on_site in samples.of(session, seeds, site_id=site_id).items()
        if len(on_site) >= DEFAULT_LEARNING.site_families
    ]


def _decide(placed: Collection[Placed], seed: int, texts: int, *, site_id: int | None) -> BoilerplateRun:
    spread = _spread(placed)
    of_site = site_id is not None
    proves_nothing = verdict(spread, of_site=of_site) or (not of_site and _fills_hosts(placed))
    shown = next(iter(placed))
    start = int(shown.text.starts[shown.position])
    return BoilerplateRun(
        site_id=site_id,
        seed=seed,
        proves_nothing=proves_nothing,
        units=spread.units,
        sample=shown.text.body[start : start + SAMPLE_CHARS],
        texts=texts,
        families=spread.families,
        owners=spread.owners,
    )


def _spread(placed: Collection[Placed]) -> Spread:
    return spread_of(
        [Holder(item.text.codes, item.position, item.text.seeds, item.holder.owner_keys) for item in placed]
    )


def _fills_hosts(placed: Collection[Placed]) -> bool:
    """Return whether pages without a site hold the run as the pages of one site hold its footer.

    A host without a site has no verdicts of its own, so the run proves nothing anywhere.
    """
    siteless = [item for item in placed if not item.holder.site_ids]
    return len(siteless) >= DEFAULT_LEARNING.site_families and verdict(_spread(siteless), of_site=True)


def runs_around(
    session: "Session",
    samples: HolderSamples,
    known: Collection[KnownRun | BoilerplateRun],
    frequencies: Mapping[int, int],
    *,
    site_ids: Collection[int] = (),
) -> tuple[list[KnownRun | BoilerplateRun], list[BoilerplateRun]]:
    """Return all verdicts on the runs around the seeds of a text, and the new ones among them. Writes nothing.

    `known`: the verdicts so far. `site_ids`: the sites that publish the text.
    """
    fresh = judge_runs(session, samples, frequencies, known, site_ids=site_ids)
    replaced = {(run.site_id, run.seed) for run in fresh}
    kept = (run for run in known if run.set_aside_id is not None or (run.site_id, run.seed) not in replaced)
    return [*kept, *fresh], fresh


def boilerplate_grams(runs: Iterable[KnownRun | BoilerplateRun], site_ids: Collection[int]) -> Grams:
    """Return the grams of the learned runs that prove nothing in a comparison with pages of these sites.

    Runs of texts that a person has set aside are found by alignment (`matcher.boilerplate.set_aside`).
    """
    learned = (run for run in runs if run.proves_nothing and run.set_aside_id is None)
    here = (run.units for run in learned if run.site_id is None or run.site_id in site_ids)
    return gram_index(dict.fromkeys(here))
