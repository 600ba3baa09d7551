"""Samples of the texts that hold a seed, read for many seeds together: texts that hold one often hold the next."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from fingerprint.initials import to_initials
from fingerprint.model import Offsets, UnitCodes
from fingerprint.normalize import canonicalize
from fingerprint.winnowing import SeedArrays, winnow_arrays
from storage.fingerprints import boilerplate as stored
from storage.pages import pages
from storage.records.candidates import SeedHolder

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SAMPLE: Final = 48
"""Holders of a seed that are read to judge it, repeated when a fifth as many more hold it."""
MOST_UNITS: Final = 8_000_000
"""Units of texts that are kept: 8 bytes each and the published text, some 100 MB."""
READ_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True, eq=False)
class HeldText:
    """A text that holds seeds: its units, where each begins in the published text `body`, and its seeds."""

    body: str
    codes: UnitCodes
    starts: Offsets
    seeds: SeedArrays

    @classmethod
    def of(cls, body: str) -> "HeldText":
        canonical = canonicalize(body)
        initials = to_initials(canonical)
        return cls(body, initials.codes, canonical.starts[initials.chars_from], winnow_arrays(initials))


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A text that holds a seed, and the position of the seed."""

    holder: SeedHolder
    text: HeldText
    position: int


class HolderSamples:
    """Reads samples, and keeps the texts: at most MOST_UNITS and those of one call."""

    def __init__(self) -> None:
        self._texts: dict[int, HeldText] = {}
        self._units = 0

    def of(self, session: "Session", seeds: Collection[int], *, site_id: int | None = None) -> dict[int, list[Placed]]:
        """Return for each of these seeds a sample of its holders, spread over hosts; with `site_id`, of one site.

        Seeds without holders are left out.
        """
        held = stored.holders(session, seeds, bound=SAMPLE, site_id=site_id) if seeds else {}
        self._read(session, {holder.text_id for holders in held.values() for holder in holders})
        samples = {seed: list(self._placed(seed, holders)) for seed, holders in held.items()}
        return {seed: placed for seed, placed in samples.items() if placed}

    def _placed(self, seed: int, holders: Iterable[SeedHolder]) -> Iterable[Placed]:
        for holder in holders:
            text = self._texts.get(holder.text_id)
            if text is None:  # removed since
                continue
            at = np.flatnonzero(text.seeds.hashes == seed)
            if len(at):
                yield Placed(holder, text, int(text.seeds.positions[at[0]]))

    def _read(self, session: "Session", text_ids: set[int]) -> None:
        if self._units > MOST_UNITS:
            self._texts = {text_id: self._texts[text_id] for text_id in text_ids & self._texts.keys()}
            self._units = sum(len(text.codes) for text in self._texts.values())
        missing = sorted(text_ids - self._texts.keys())
        for start in range(0, len(missing), READ_AT_ONCE):
            for text_id, body in pages.text_bodies(session, missing[start : start + READ_AT_ONCE]).items():
                self._texts[text_id] = HeldText.of(body)
                self._units += len(self._texts[text_id].codes)
