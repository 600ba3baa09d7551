"""Records of texts encoded by meaning; arrays are frozen by convention and shared."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class StoredBackground:
    """What sentences of the store look like to an encoder. `mean`: shape (size,), float32. `sample`: centred vectors of
    length 1, shape (count, size), float32. `texts`: in the store when it was made.
    """

    id: int
    encoder: str
    size: int
    mean: npt.NDArray[np.float32] = field(repr=False)
    sample: npt.NDArray[np.float32] = field(repr=False)
    texts: int
    is_serving: bool


@dataclass(frozen=True, slots=True)
class NearPassage:
    """A stored passage near one asked. `asked`: the number of that, from 0. `distance`: bits that differ. `family_id`:
    the story of the text; its own id if it has none. `number`: its place among the passages of the text, if known.
    `is_chinese`: the text is known to be in Chinese.
    """

    asked: int
    text_id: int
    family_id: int
    distance: int
    number: int | None = None
    is_chinese: bool = False


@dataclass(frozen=True, slots=True)
class MeaningCounts:
    """Texts of the store: all, encoded for the serving background, and of these compared by meaning, and those whose
    last comparison failed.
    """

    texts: int
    encoded: int
    compared: int
    failed: int
