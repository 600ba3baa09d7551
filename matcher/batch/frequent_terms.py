"""Frequent keys: bounds on keys that very many texts hold, the same as in the database.

Who shares a rarer key too is ranked by both. For these keys alone the rarest of them are asked for, and so many texts
are read, oldest first.
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
"""Numbers so close together are looked up in a table of all between the first and the last: a fraction of a search."""
_SLACK: Final = 1e-9
"""More than what rounding takes from a sum."""


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """The frequent keys of one query, in order of the keys: their numbers among its keys, their places in the
    table, how many texts hold each, and whether it proves nothing anywhere.
    """

    numbers: Numbers
    places: Numbers
    texts: Numbers
    is_quiet: npt.NDArray[np.bool_]


def with_common(
    table: SortedKeys, held: Held, common: Common, *, often: Numbers, own: int, bounds: Bounds
) -> tuple[Held, Numbers, int]:
    """The texts that may be among the best, with all their keys; which of these are named in any case; and how many
    were read.

    `held`: who holds rarer keys; `often`: texts that hold each key, common ones too; `own`: the text that asks.
    """
    asked = _asked(common, bounds)
    alone = _alone(table, common.places[asked].tolist(), held.holders, own, bounds)
    # Common keys add so little that they bring none of the others among the best.
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
    """Which of the keys texts are read for that hold no rarer one."""
    loud = np.flatnonzero(~common.is_quiet)
    return loud[np.argsort(common.texts[loud], kind="stable")][: bounds.hot_asked]


def _alone(table: SortedKeys, asked: list[int], rare: Numbers, own: int, bounds: Bounds) -> Numbers:
    """Texts that hold a key at the places `asked`, and are not among `rare`: of each key's first holders the first."""
    if not asked:
        return np.empty(0, dtype=np.int64)
    for_each = bounds.hot_scan // len(asked)
    lists = [table.holders_of(place)[: bounds.hot_scan][:for_each] for place in asked]
    found: Numbers = sorted_once(np.concatenate(lists)).astype(np.int64)
    others = ~_are_in(rare, found) & (found != own)
    return found[np.flatnonzero(others)[: bounds.hot_scan]]


def _named(found: Held, alone: Numbers, asked: Numbers, often: Numbers, most: int) -> npt.NDArray[np.intp]:
    """Which of the texts `found` are named for one of the keys `asked`: of those `alone` the ones that share most."""
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
    """Which of `wanted` are in `some`. Both are in order."""
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
