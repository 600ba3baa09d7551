"""Texts that a person has set aside as proving nothing: their runs, and where a text holds them. Pure.

They are verdicts like the learned ones, except that a person made them. A learned run is recognised by its grams alone,
since those who share a footer copy it to the letter. One who copies an article disguises what stands in it, so a text
that was set aside is aligned: homophones and scripts make no difference to units, and a block goes on across edits.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from fingerprint.initials import to_initials
from fingerprint.model import Hashes, UnitCodes
from fingerprint.normalize import canonicalize
from fingerprint.winnowing import DEFAULT_SEEDS, SeedParameters, gram_order, winnow_arrays, winnowed_positions
from matcher.alignment.align import Grams, Mask, align
from matcher.boilerplate.classifier import gram_index
from storage.records.candidates import BoilerplateRun, KnownRun

LEAST_UNITS: Final = 16
"""Units of the shortest text that can be set aside: a phrase of fewer stands in many articles by chance."""
MOST_CHARS: Final = 20_000
"""Characters of the longest one: a notice or an agency's text; its runs take some hundred kilobytes."""
RUN: Final = 400
"""Units of one run, as of a learned one at most. Longer texts are cut into several."""
OVERLAP: Final = 40
"""Units that two runs of one text share, so that a stretch at the cut is in one of them."""
SEED_WINDOW: Final = 8
"""Of every 8 grams one is kept: any 16 units of the text hold one, whatever was changed around them."""
LEAST_MET: Final = 24
"""Least units of a stretch that counts as the text, unless the text is shorter than twice as many: half of it."""
_WHOLE_WINDOW: Final = SeedParameters(least=1)
"""As in a text around the passage, which is long enough for a whole window."""
SAMPLE_CHARS: Final = 120
"""Characters that are stored for display with each run."""


class CannotSetAside(ValueError):
    """A text that is too short or too long to be set aside; the message says what to do."""

    def __init__(self, *, units: int, chars: int) -> None:
        self.is_short = chars <= MOST_CHARS
        short = f"It has {units} letters and characters; at least {LEAST_UNITS} are needed. Give more of the passage."
        long = f"It has {chars} characters; at most {MOST_CHARS} can be set aside at once. Give it in parts."
        super().__init__(f"This text cannot be set aside. {short if self.is_short else long}")


@dataclass(frozen=True, slots=True, eq=False)
class SetAside:
    """Grams of one text that belong to a text that was set aside, and where that holds: for pages of one site or of one
    party, or for all.
    """

    set_aside_id: int
    site_id: int | None
    owner_key: str | None
    grams: Grams

    def holds_for(self, site_ids: Collection[int], owner_key: str | None) -> bool:
        """Return whether it holds in all comparisons with a page of these sites and this party."""
        if self.site_id is not None:
            return self.site_id in site_ids
        return self.owner_key is None or self.owner_key == owner_key


def runs_of(
    body: str, *, set_aside_id: int, site_id: int | None = None, owner_key: str | None = None
) -> list[BoilerplateRun]:
    """Return the runs of a text to set aside, one for each seed. Raises CannotSetAside."""
    canonical = canonicalize(body)
    initials = to_initials(canonical)
    codes = initials.codes
    if len(codes) < LEAST_UNITS or len(body) > MOST_CHARS:
        raise CannotSetAside(units=len(codes), chars=len(body))
    starts = canonical.starts[initials.chars_from]
    found: dict[int, BoilerplateRun] = {}
    for begin in range(0, max(1, len(codes) - OVERLAP), RUN - OVERLAP):
        piece = codes[begin : begin + RUN]
        sample = body[int(starts[begin]) :][:SAMPLE_CHARS]
        for seed in _seeds(piece):
            found.setdefault(
                seed,
                BoilerplateRun(
                    site_id=site_id,
                    seed=seed,
                    proves_nothing=True,
                    units=piece.tobytes(),
                    sample=sample,
                    texts=0,
                    families=0,
                    owners=0,
                    set_aside_id=set_aside_id,
                    owner_key=owner_key,
                ),
            )
    return list(found.values())


def _seeds(codes: UnitCodes) -> list[int]:
    order = gram_order(codes, DEFAULT_SEEDS.k)
    positions = winnowed_positions(order >> np.uint64(1), min(SEED_WINDOW, len(order)))
    seeds: list[int] = _low_halves(order.take(positions)).tolist()
    return seeds


def all_seeds(body: str) -> list[int]:
    """Return every seed that a stored text which holds `body` may have in it, ascending."""
    codes = to_initials(canonicalize(body)).codes
    seeds: list[int] = np.unique(_low_halves(gram_order(codes, DEFAULT_SEEDS.k))).tolist()
    return seeds


def seeds_within(passage: str) -> list[int]:
    """Return the seeds that every stored text which holds a passage has in it; for a short one none may be certain."""
    initials = to_initials(canonicalize(passage))
    if len(initials) < _WHOLE_WINDOW.window + _WHOLE_WINDOW.k - 1:
        return []
    seeds: list[int] = winnow_arrays(initials, _WHOLE_WINDOW).hashes.tolist()
    return seeds


def _low_halves(order: Hashes) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    # As seeds are stored (`fingerprint.winnowing`).
    return order.astype(np.uint32).view(np.int32)


def seeds_met(codes: UnitCodes, seeds: "np.ndarray[tuple[int], np.dtype[np.int32]]") -> list[int]:
    """Return those of `seeds`, which ascend, that any gram of a text has."""
    if not len(seeds):
        return []
    grams = _low_halves(gram_order(codes, DEFAULT_SEEDS.k))
    nearest = seeds.take(np.searchsorted(seeds, grams), mode="clip")
    met: list[int] = np.unique(grams[nearest == grams]).tolist()
    return met


def set_aside_in(codes: UnitCodes, runs: Iterable[KnownRun | BoilerplateRun]) -> list[SetAside]:
    """Return what a text holds of the texts that were set aside. `runs`: those around its seeds; learned ones are
    ignored.
    """
    by_text: dict[int, dict[bytes, KnownRun | BoilerplateRun]] = {}
    for run in runs:
        if run.set_aside_id is not None:
            by_text.setdefault(run.set_aside_id, {})[run.units] = run
    found = []
    for number, known in sorted(by_text.items()):
        stretches = [codes[start:end].tobytes() for units in known for start, end in _stretches(codes, units)]
        if stretches:
            first = next(iter(known.values()))
            found.append(SetAside(number, first.site_id, first.owner_key, gram_index(stretches)))
    return found


def _stretches(codes: UnitCodes, units: bytes) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a text that are a run, or a good part of it, maybe disguised."""
    run = np.frombuffer(units, dtype=np.uint8)
    needed = min(LEAST_MET, len(run) // 2)
    for block in align(codes, run):
        if block.matched >= needed:
            yield block.left, block.left_end


def joined(grams: Grams, others: Iterable[Grams]) -> Grams:
    """Return all of these grams, sorted."""
    return np.unique(np.concatenate([grams, *others]))


def mask_of(codes: UnitCodes, runs: Iterable[KnownRun | BoilerplateRun]) -> Mask:
    """Return which units of a text are in stretches of the texts that were set aside."""
    mask = np.zeros(len(codes), dtype=np.bool_)
    for units in {run.units for run in runs if run.set_aside_id is not None}:
        for start, end in _stretches(codes, units):
            mask[start:end] = True
    return mask
