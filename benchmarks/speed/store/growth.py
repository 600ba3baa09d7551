"""The keys of a store many times as large as the corpus, drawn so that they repeat themselves as real ones do. Pure.

Keys of running text follow a Pitman-Yor process closely: of a store of n keys, D of them different, the next one is new
with a chance that falls with n, and else one that stands there already, the likelier the more often it does. Its two
numbers are those of the corpus (the discount that Kneser and Ney 1993 take, and the share of new keys that Good 1953
found in the keys that stand there once), so a common masthead grows with the store and a rare key stays rare.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Keys: TypeAlias = npt.NDArray[np.int32]
Ids: TypeAlias = npt.NDArray[np.int32]

_STEP: Final = 0.05
"""A batch draws from what stood there before it: so small a part more at a time that this changes nothing."""
_FEWEST: Final = 1_000
_MOST_TRIES: Final = 60


@dataclass(frozen=True, slots=True)
class Habit:
    """Statistics of repeated keys of a corpus. 0 < discount < 1; a key with c occurrences weighs c - discount."""

    discount: float
    strength: float

    def share_of_new(self, keys: int, different: int) -> float:
        return (self.strength + self.discount * different) / (keys + self.strength)


def habit_of(keys: Keys) -> Habit:
    """The statistics of a corpus' keys, text after text, each key with all its occurrences."""
    _, counts = np.unique(keys, return_counts=True)
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    discount = min(max(once / max(once + 2 * twice, 1), 0.01), 0.99)
    new = once / len(keys)
    strength = (new * len(keys) - discount * len(counts)) / max(1 - new, 1e-6)
    return Habit(discount, max(strength, 0.0))


class Growing:
    """Draws more and more keys, beginning with those of the corpus."""

    def __init__(self, keys: Keys, *, room: int, chance: np.random.Generator) -> None:
        """`room`: keys that will be drawn in all, at most."""
        self._habit = habit_of(keys)
        self._chance = chance
        known, ids, counts = np.unique(keys, return_inverse=True, return_counts=True)
        self._ids = np.empty(len(keys) + room, dtype=np.int32)
        self._ids[: len(keys)] = ids
        self._size = len(keys)
        self._values = np.empty(len(known) + room, dtype=np.int32)
        self._values[: len(known)] = known
        self._counts = np.zeros(len(known) + room, dtype=np.int32)
        self._counts[: len(known)] = counts
        self._different = len(known)
        self.habit = self._habit

    def draw(self, count: int) -> Keys:
        """The next `count` keys."""
        drawn = []
        while count:
            batch = min(count, max(_FEWEST, int(self._size * _STEP)))
            drawn.append(self._values[self._batch(batch)])
            count -= batch
        return np.concatenate(drawn) if drawn else np.empty(0, dtype=np.int32)

    def frequent(self, least: int) -> dict[int, int]:
        """Keys with at least so many occurrences, and their counts."""
        which = np.flatnonzero(self._counts[: self._different] >= least)
        return dict(zip(self._values[which].tolist(), self._counts[which].tolist(), strict=True))

    def _batch(self, count: int) -> Ids:
        is_new = self._chance.random(count) < self._habit.share_of_new(self._size, self._different)
        ids = np.empty(count, dtype=np.int32)
        new = int(is_new.sum())
        ids[is_new] = np.arange(self._different, self._different + new, dtype=np.int32)
        ids[~is_new] = self._repeated(count - new)
        low, high = np.iinfo(np.int32).min, np.iinfo(np.int32).max
        self._values[self._different : self._different + new] = self._chance.integers(low, high, new, dtype=np.int32)
        self._different += new
        self._ids[self._size : self._size + count] = ids
        self._size += count
        known, times = np.unique(ids, return_counts=True)
        self._counts[known] += times.astype(np.int32)
        return ids

    def _repeated(self, count: int) -> Ids:
        """Draws existing keys: a random place has a key in proportion to its count; the discount rejects some."""
        found = self._ids[self._chance.integers(0, self._size, count)]
        waiting = np.arange(count)
        for _ in range(_MOST_TRIES):
            turned_away = self._chance.random(len(waiting)) * self._counts[found[waiting]] < self._habit.discount
            waiting = waiting[turned_away]
            if not len(waiting):
                break
            found[waiting] = self._ids[self._chance.integers(0, self._size, len(waiting))]
        return found
