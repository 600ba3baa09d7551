"""Frequent terms: bounds on keys that very many texts hold, the same as in the database.

A text that also shares a rarer key is ranked by both. For frequent keys alone, only the rarest of them are looked up,
and a bounded number of texts is read, oldest first.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from matcher.batch.array_files import ranges, sorted_once
from matcher.batch.holders import Held, at_least
from matcher.batch.model import Bounds, Numbers
from matcher.batch.sorted_keys import SortedKeys

_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64((1 << 32) - 1)
_DENSE: Final = 100
"""Numbers within this range are looked up in a table from the first to the last: a fraction of a search."""
_SLACK: Final = 1e-9
"""More than the rounding error of a sum."""


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """The frequent keys of one query, in order of the keys: their indices among its keys, their positions in the table,
    how many texts hold each, and whether it proves nothing on any site.
    """

    numbers: Numbers
    places: Numbers
    texts: Numbers
    is_quiet: npt.NDArray[np.bool_]


def with_common(
    table: SortedKeys, held: Held, common: Common, *, often: Numbers, own: int, bounds: Bounds
) -> tuple[Held, Numbers, int]:
    """Return the texts that may be among the best, with all their keys; which of these are named in any case; and how
    many were read.

    `held`: holders of rarer keys; `often`: texts that hold each key, frequent ones too; `own`: the query text.
    """
    asked = _asked(common, bounds)
    alone = _alone(table, common.places[asked].tolist(), held.holders, own, bounds)
    # Frequent keys add so little that they lift none of the others among the best.
    most = float((1.0 / common.texts).sum()) + _SLACK
    kept = at_least(held.rarity(often), bounds.named, less=most)
    parts = held.holders[kept], alone
    counts = held.shared[kept]
    holders = [np.repeat(held.holders[kept], counts)]
    keys = [held.keys[ranges(held.firsts[kept], counts)]]
    for number, place in zip(common.numbers.tolist(), common.places.tolist(), strict=True):
        some = table.holders_of(place)
        holding = np.concatenate([part[_are_in(some, part)] for part in parts])
        holders.append(holding)
        keys.append(np.full(len(holding), number))
    entries = np.sort(np.concatenate(holders).astype(np.uint64) << _HALF | np.concatenate(keys).astype(np.uint64))
    all_holders: Numbers = (entries >> _HALF).astype(np.int64)
    all_keys: Numbers = (entries & _LOW).astype(np.int64)
    found = Held.of_entries(all_holders, all_keys)
    named = _named(found, alone, common.numbers[asked], often, bounds.hot_named)
    return found, named, len(held.holders) + len(alone)


def _asked(common: Common, bounds: Bounds) -> npt.NDArray[np.intp]:
    """Return the keys for which texts are read that hold no rarer one."""
    loud = np.flatnonzero(~common.is_quiet)
    return loud[np.argsort(common.texts[loud], kind="stable")][: bounds.hot_asked]


def _alone(table: SortedKeys, asked: list[int], rare: Numbers, own: int, bounds: Bounds) -> Numbers:
    """Return texts that hold a key at the places `asked`, and are not among `rare`: the first of each key's holders."""
    if not asked:
        return np.empty(0, dtype=np.int64)
    for_each = bounds.hot_scan // len(asked)
    lists = [table.holders_of(place)[: bounds.hot_scan][:for_each] for place in asked]
    found: Numbers = sorted_once(np.concatenate(lists)).astype(np.int64)
    others = ~_are_in(rare, found) & (found != own)
    return found[np.flatnonzero(others)[: bounds.hot_scan]]


def _named(found: Held, alone: Numbers, asked: Numbers, often: Numbers, most: int) -> npt.NDArray[np.intp]:
    """Return which of the texts `found` are named for one of the keys `asked`: of those `alone` the ones that share
    most.
    """
    if not len(alone):
        return np.empty(0, dtype=np.intp)
    rarity, shared = found.rarity(often), found.shared
    is_alone = np.repeat(_are_in(alone, found.holders), shared)
    holders = np.repeat(np.arange(len(found.holders)), shared)
    named = []
    for number in asked.tolist():
        some = holders[is_alone & (found.keys == number)]
        named.append(some[np.lexsort((some, -rarity[some], -shared[some]))[:most]])
    return np.unique(np.concatenate(named))


def _are_in(some: npt.NDArray[np.integer], wanted: Numbers) -> npt.NDArray[np.bool_]:
    """Return which of `wanted` are in `some`. Both are in order."""
    if not len(some) or not len(wanted):
        return np.zeros(len(wanted), dtype=np.bool_)
    first, last = int(wanted[0]), int(wanted[-1]) + 1
    within = some[slice(*np.searchsorted(some, np.array((first, last), dtype=some.dtype)).tolist())]
    if last - first <= _DENSE * len(wanted):
        table = np.zeros(last - first, dtype=np.bool_)
        table[within.astype(np.int64) - first] = True
        return table[wanted - first]
    places = np.searchsorted(some, wanted.astype(some.dtype))
    places[places == len(some)] = 0
    is_in: npt.NDArray[np.bool_] = some[places] == wanted
    return is_in
