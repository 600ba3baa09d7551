"""What unrelated sentences look like to an encoder: the ground from which a similarity must rise.

The cosine of two sentences depends on the sentences: "It was a great success" is near everything, a line of figures
near nothing. So each sentence is compared with a sample of unrelated ones, and what it has in common with the nearest
of these is its ambient similarity (local scaling: Zelnik-Manor, Perona 2004; hubs: Radovanović et al. 2010).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from matcher.meaning.encoders.encoder import Vectors
from storage.records.meaning import StoredBackground

NEAREST_SHARE: Final = 0.003
"""Share of the sample that counts as the nearest of a sentence; the two nearest of all are left out, since they may be
no strangers."""
SKIPPED: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """`mean`: the mean of all vectors, shape (size,). `sample`: centred vectors of length 1, shape (count, size).
    `id`: its number in the store, None if it is not stored. Vectors seen from two means are never compared.
    """

    mean: Vectors
    sample: Vectors
    id: int | None = None

    @classmethod
    def of(cls, vectors: Vectors) -> "Background":
        """Return the background of texts from a sample of their sentences; some thousand are enough."""
        mean = vectors.mean(axis=0)
        return cls(mean, _of_length_one(vectors - mean))

    @classmethod
    def stored(cls, found: StoredBackground) -> "Background":
        """Return the background that the store keeps."""
        return cls(found.mean, found.sample, found.id)

    def centred(self, vectors: Vectors) -> Vectors:
        """Return vectors of length 1 as seen from the mean: what all texts have in common is no similarity."""
        return _of_length_one(vectors - self.mean)

    def ambient(self, centred: Vectors) -> npt.NDArray[np.float32]:
        """Return the similarity of each sentence with the nearest unrelated ones, shape (len(centred),)."""
        nearest = max(1, round(NEAREST_SHARE * len(self.sample)))
        if len(self.sample) <= nearest + SKIPPED:
            return np.zeros(len(centred), dtype=np.float32)
        similarity = centred @ self.sample.T
        upper = np.partition(similarity, -nearest - SKIPPED, axis=1)[:, -nearest - SKIPPED :]
        upper.sort(axis=1)
        ambient: npt.NDArray[np.float32] = upper[:, :nearest].mean(axis=1)
        return ambient


def _of_length_one(vectors: Vectors) -> Vectors:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    normal: Vectors = (vectors / np.maximum(length, 1e-9)).astype(np.float32)
    return normal
