"""Keys that very many texts hold: what `storage.candidates` does about them, for one text among many.

Who shares a rarer key too is ranked by both. For these keys alone the rarest of them are asked for, and so many texts
are read, oldest first.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from matcher.bulk.files import ranges
from matcher.bulk.held import Held, at_least
from matcher.bulk.model import Bounds, Numbers
from matcher.bulk.sorted_keys import SortedKeys
from storage.candidates import affordable

_SLACK: Final = 1e-9
"""Beyond what rounding takes from a sum."""


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """The common keys of one text, in order of the keys: their numbers among those asked for, their places in the
    table, how many texts hold each, and whether it proves nothing anywhere.
    """

    numbers: Numbers
    places: Numbers
    texts: Numbers
    is_quiet: npt.NDArray[np.bool_]


def with_common(
    table: SortedKeys, held: Held, common: Common, *, often: Numbers, own: int, bounds: Bounds
) -> tuple[Held, int]:
    """The texts that may be among the best, with all their keys, and how many were read.

    `held`: who holds rarer keys; `often`: texts that hold each key, common ones too; `own`: the text that asks.
    """
    alone = _alone(table, _asked(common, bounds), held.holders, own, bounds.hot_scan)
    # Common keys add so little that they bring none of the others among the best.
    most = float((1.0 / common.texts).sum()) + _SLACK
    kept = at_least(held.rarity(often), bounds.named, less=most)
    read = np.sort(np.concatenate((held.holders[kept], alone)))
    counts = held.shared[kept]
    holders = [np.repeat(held.holders[kept], counts)]
    keys = [held.keys[ranges(held.firsts[kept], counts)]]
    for number, place in zip(common.numbers.tolist(), common.places.tolist(), strict=True):
        holding = read[_are_in(table.holders_of(place), read)]
        holders.append(holding)
        keys.append(np.full(len(holding), number))
    all_holders, all_keys = np.concatenate(holders), np.concatenate(keys)
    order = np.lexsort((all_keys, all_holders))
    return Held.of_entries(all_holders[order], all_keys[order]), len(held.holders) + len(alone)


def _asked(common: Common, bounds: Bounds) -> list[int]:
    """The places of the keys for which texts are read that hold no rarer one."""
    loud = np.flatnonzero(~common.is_quiet)
    rarest = loud[np.argsort(common.texts[loud], kind="stable")]
    pairs = zip(common.places[rarest].tolist(), common.texts[rarest].tolist(), strict=True)
    return affordable(list(pairs), most=bounds.hot_entries)


def _alone(table: SortedKeys, asked: list[int], rare: Numbers, own: int, scan: int) -> Numbers:
    """The first `scan` texts that hold any of the keys at the places `asked`, and are not among `rare`."""
    if not asked:
        return np.empty(0, dtype=np.int64)
    lists = [table.holders_of(place) for place in asked]
    taken = scan
    while True:
        found: Numbers = np.unique(np.concatenate([some[:taken] for some in lists])).astype(np.int64)
        found = found[~_are_in(rare, found) & (found != own)][:scan]
        # Whoever is not taken yet comes after the last of a list that was.
        reached = min((int(some[taken - 1]) for some in lists if len(some) > taken), default=None)
        if reached is None or (len(found) == scan and int(found[-1]) <= reached):
            return found
        taken *= 2


def _are_in(some: npt.NDArray[np.integer], wanted: Numbers) -> npt.NDArray[np.bool_]:
    """Which of `wanted` are in `some`, which is in order."""
    if not len(some):
        return np.zeros(len(wanted), dtype=np.bool_)
    places = np.searchsorted(some, wanted.astype(some.dtype))
    places[places == len(some)] = 0
    is_in: npt.NDArray[np.bool_] = some[places] == wanted
    return is_in
