"""A vectorised bit mixer: the finaliser of splitmix64 (Steele, Lea, Flood 2014)."""

import numpy as np
import numpy.typing as npt


def mix(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Map 64-bit numbers one to one to well-mixed ones."""
    mixed = values ^ values >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed
