"""The index of a sweep: the store as sorted files, with the same results as `matcher.retrieval.candidates`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fingerprint.dna import keys_of, slices_at_every_offset
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from fingerprint.winnowing import asked_seeds
from matcher.batch.array_files import mapped, ranges
from matcher.batch.model import DEFAULT_BOUNDS, Asked, Bounds, LookedUp, Near, Texts
from matcher.batch.shared_keys import sharing
from matcher.batch.simhash_index import CodeTable, near_codes
from matcher.batch.sorted_keys import Keys, SortedKeys, biased


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """`ids` of the texts in order; everything else refers to a text by its index there. `quiet`: seeds that prove
    nothing on any site.
    """

    ids: Texts
    has_code: npt.NDArray[np.bool_]
    code_of: npt.NDArray[np.uint64]
    codes: CodeTable
    seeds: SortedKeys
    slices: SortedKeys
    quiet: npt.NDArray[np.int32]

    @classmethod
    def opened(cls, folder: Path) -> "Index":
        """Open the files of `matcher.batch.export`; they are read from disk as needed."""
        return cls(
            ids=mapped(folder / "ids", np.int64),
            has_code=mapped(folder / "has_code", np.bool_),
            code_of=mapped(folder / "code_of", np.uint64),
            codes=CodeTable.opened(folder / "codes"),
            seeds=SortedKeys.opened(folder / "seeds"),
            slices=SortedKeys.opened(folder / "slices"),
            quiet=mapped(folder / "quiet", np.int32),
        )

    def asked_by(self, text_id: int, body: str) -> Asked | None:
        """Return the query of a stored text, with the stored simhash. None if the index does not hold the text."""
        if self._place(text_id) is None:
            return None
        initials = to_initials(canonicalize(body))
        slices = keys_of(slices_at_every_offset(initials).dna)
        return self.asked_for(text_id, seeds=asked_seeds(initials).hashes, slices=slices)

    def asked_for(self, text_id: int, *, seeds: Keys, slices: Keys) -> Asked | None:
        """Return the same of a text whose keys are known: its asked seeds, and the slice keys at every offset."""
        place = self._place(text_id)
        if place is None:
            return None
        return Asked(
            place=place,
            simhash=int(self.code_of[place]) if self.has_code[place] else None,
            seeds=np.unique(biased(seeds)),
            slices=np.unique(biased(slices)),
        )

    def _place(self, text_id: int) -> int | None:
        place = int(np.searchsorted(self.ids, text_id))
        return None if place == len(self.ids) or self.ids[place] != text_id else place

    def look_up(self, asked: Sequence[Asked], bounds: Bounds = DEFAULT_BOUNDS) -> Iterator[LookedUp]:
        """Yield the results of each query in turn, computed for many at once."""
        places = [one.place for one in asked]
        nothing = np.empty(0, dtype=np.int32)
        yield from map(
            LookedUp,
            self._near(asked, bounds),
            sharing(self.seeds, [one.seeds for one in asked], places, ids=self.ids, quiet=self.quiet, bounds=bounds),
            sharing(self.slices, [one.slices for one in asked], places, ids=self.ids, quiet=nothing, bounds=bounds),
        )

    def _near(self, asked: Sequence[Asked], bounds: Bounds) -> Iterator[Near]:
        codes = np.array(sorted({one.simhash for one in asked if one.simhash is not None}), dtype=np.uint64)
        askers, numbers, distances, unread = near_codes(
            self.codes, codes, distance=bounds.distance, bucket=bounds.bucket
        )
        borders = np.searchsorted(askers, np.arange(len(codes) + 1))
        for one in asked:
            if one.simhash is None:
                yield Near(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint8), 0)
                continue
            turn = int(np.searchsorted(codes, np.uint64(one.simhash)))
            mine = slice(*borders[turn : turn + 2].tolist())
            near = self._nearest(numbers[mine], distances[mine], one.place, bounds.named)
            yield Near(near.texts, near.distances, near.cut + int(unread[turn]))

    def _nearest(self, numbers: npt.NDArray[np.int64], distances: npt.NDArray[np.uint8], own: int, bound: int) -> Near:
        starts = self.codes.starts[numbers]
        counts = self.codes.starts[numbers + 1] - starts
        total = int(counts.sum()) - 1
        # Whole distances, nearest first, until there are enough: one place is the text's own.
        within = np.cumsum(np.bincount(distances, weights=counts, minlength=1))
        farthest = int(np.searchsorted(within, bound + 1))
        kept = distances <= farthest
        holders = self.codes.holders[ranges(starts[kept], counts[kept])].astype(np.int64)
        apart = np.repeat(distances[kept], counts[kept])
        order = np.lexsort((holders, apart))
        order = order[holders[order] != own][:bound]
        return Near(self.ids[holders[order]], apart[order], total - len(order))
