"""Texts that share keys with each of many queries, by one expansion and one sort.

An entry is one number: query, holder and key. Sorted, the entries of each pair are adjacent. Keys that very many texts
hold are left to `matcher.batch.frequent_terms`, as in the database.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from matcher.batch.array_files import ranges
from matcher.batch.frequent_terms import Common, with_common
from matcher.batch.holders import Held, best, in_order
from matcher.batch.model import Bounds, Numbers, Sharing
from matcher.batch.sorted_keys import Biased, SortedKeys, unbiased

ENTRIES: Final = 4_000_000
"""Entries that are expanded at once: about 200 MB. A single text may have more."""
MOST_QUERIES: Final = 1 << 9
MOST_KEYS: Final = 1 << 23
"""Most queries at once, and most of their keys together: 32 bits are left for the text that holds a key."""
_BITS: Final = 64


def sharing(
    table: SortedKeys,
    wanted: Sequence[Biased],
    places: Sequence[int],
    *,
    ids: npt.NDArray[np.int64],
    quiet: npt.NDArray[np.int32],
    bounds: Bounds,
) -> Iterator[Sharing]:
    """Yield for each list of keys the texts that hold any, except the text at its own place in `places`.

    `ids` of the texts by their places. `quiet`: keys that prove nothing on any site (see
    `storage.fingerprints.candidates`).
    """
    queries = _all_queries(table, wanted, places)
    first = 0
    for last in _stops(queries, bounds.hot):
        some = _Together(table, queries[first:last], len(ids), bounds)
        yield from (some.answer(number, ids, quiet) for number in range(last - first))
        first = last


@dataclass(frozen=True, slots=True, eq=False)
class _Query:
    """A query text, at its place. Of its keys those in the table: their indices, positions, and number of texts."""

    place: int
    keys: Biased
    which: npt.NDArray[np.intp]
    positions: npt.NDArray[np.intp]
    counts: Numbers


def _all_queries(table: SortedKeys, wanted: Sequence[Biased], places: Sequence[int]) -> list[_Query]:
    if not wanted:
        return []
    sizes = [len(keys) for keys in wanted]
    begun = np.cumsum(sizes) - sizes
    which, positions = table.found(np.concatenate(wanted))
    counts = table.starts[positions + 1] - table.starts[positions]
    parts = zip(
        *(np.split(some, np.searchsorted(which, begun[1:])) for some in (which, positions, counts)), strict=True
    )
    return [
        _Query(place, keys, which - first, positions, counts)
        for place, keys, first, (which, positions, counts) in zip(places, wanted, begun.tolist(), parts, strict=True)
    ]


def _stops(queries: Sequence[_Query], hot: int) -> Iterator[int]:
    """Return where to cut the queries so that each group stays within bounds, except a single query."""
    entries = keys = since = 0
    for number, one in enumerate(queries):
        more = int(one.counts[one.counts < hot].sum())
        is_much = entries + more > ENTRIES or keys + len(one.keys) > MOST_KEYS or number - since == MOST_QUERIES
        if is_much and number > since:
            yield number
            entries, keys, since = 0, 0, number
        entries += more
        keys += len(one.keys)
    if queries:
        yield len(queries)


class _Together:
    """Several queries at once. `often`: number of other texts that hold each key."""

    def __init__(self, table: SortedKeys, queries: Sequence[_Query], texts: int, bounds: Bounds) -> None:
        self._table, self._bounds = table, bounds
        self._own = np.array([one.place for one in queries], dtype=np.int64)
        self._asked = np.concatenate([one.keys for one in queries])
        sizes = [len(one.keys) for one in queries]
        self._query_of_key = np.repeat(np.arange(len(queries)), sizes)
        begun = np.cumsum(sizes) - sizes
        which = np.concatenate([one.which + first for one, first in zip(queries, begun.tolist(), strict=True)])
        positions = np.concatenate([one.positions for one in queries])
        counts = np.concatenate([one.counts for one in queries])
        is_common = counts >= bounds.hot
        self._common = which[is_common], positions[is_common], counts[is_common]
        self._often = np.zeros(len(self._asked), dtype=np.int64)
        self._often[which[is_common]] = counts[is_common]
        query_numbers, self._holders, self._keys = self._entries(which[~is_common], positions[~is_common], texts)
        turns = np.arange(len(queries) + 1)
        self._borders = np.searchsorted(query_numbers, turns)
        self._key_borders = np.searchsorted(self._query_of_key, turns)
        self._common_borders = np.searchsorted(self._query_of_key[which[is_common]], turns)

    def _entries(
        self, numbers: npt.NDArray[np.intp], positions: npt.NDArray[np.intp], texts: int
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Return query, holder and key of every entry, in order, without the text of the query itself."""
        starts = self._table.starts[positions]
        counts = self._table.starts[positions + 1] - starts
        holders = self._table.holders[ranges(starts, counts)].astype(np.uint64)
        keys = np.repeat(numbers, counts)
        query_numbers = self._query_of_key[keys]
        is_other = holders != self._own[query_numbers]
        self._often[numbers] = counts
        np.subtract.at(self._often, keys[~is_other], 1)
        holder_bits = max(texts - 1, 1).bit_length()
        key_bits = _BITS - holder_bits - max(len(self._own) - 1, 1).bit_length()
        shifts = np.uint64(holder_bits + key_bits), np.uint64(key_bits)
        packed = query_numbers[is_other].astype(np.uint64) << shifts[0] | holders[is_other] << shifts[1]
        packed = np.sort(packed | keys[is_other].astype(np.uint64))
        return (
            (packed >> shifts[0]).astype(np.int64),
            (packed >> shifts[1] & np.uint64((1 << holder_bits) - 1)).astype(np.int64),
            (packed & np.uint64((1 << key_bits) - 1)).astype(np.int64),
        )

    def answer(self, number: int, ids: npt.NDArray[np.int64], quiet: npt.NDArray[np.int32]) -> Sharing:
        """Return the results of the query with this index in the group."""
        mine = slice(*self._borders[number : number + 2].tolist())
        held = Held.of_entries(self._holders[mine], self._keys[mine])
        total = len(held.holders)
        most, named = 0, np.empty(0, dtype=np.intp)
        if (common := self._common_of(number, quiet)) is not None:
            own = int(self._own[number])
            held, named, total = with_common(self._table, held, common, often=self._often, own=own, bounds=self._bounds)
            most = int(common.texts.max())
        rarity, shared = held.rarity(self._often), held.shared
        chosen = best(rarity, shared, self._bounds.named)
        if len(named):
            chosen = in_order(np.union1d(chosen, named), rarity, shared)
        numbers = np.arange(*self._key_borders[number : number + 2])
        known = numbers[self._often[numbers] > 0]
        keys = held.keys[ranges(held.firsts[chosen], shared[chosen])]
        return Sharing(
            texts=ids[held.holders[chosen]],
            rarity=rarity[chosen],
            ends=np.cumsum(shared[chosen]),
            keys=unbiased(self._asked[keys]),
            cut=max(total, most) - len(chosen),
            known=unbiased(self._asked[known]),
            often=self._often[known],
        )

    def _common_of(self, number: int, quiet: npt.NDArray[np.int32]) -> Common | None:
        mine = slice(*self._common_borders[number : number + 2].tolist())
        numbers, places, texts = (some[mine] for some in self._common)
        if not len(numbers):
            return None
        return Common(numbers, places, texts, np.isin(unbiased(self._asked[numbers]), quiet))
