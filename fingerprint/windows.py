"""Where the windows of a stream of units stand."""

import numpy as np
import numpy.typing as npt


def windows(length: int, size: int, stride: int) -> npt.NDArray[np.int32]:
    """First units of the windows of `size` units at every `stride`, and of one more that reaches the end if none does.

    A stream of 2n units at an overlap of one half has three: [1, n], [n/2, 3n/2] and [n, 2n] in the notes' counting.

    >>> windows(100, 50, 25).tolist()
    [0, 25, 50]
    """
    last = length - size
    if last < 0:
        return np.empty(0, dtype=np.int32)
    starts = np.arange(0, last + 1, stride, dtype=np.int32)
    return starts if starts[-1] == last else np.append(starts, np.int32(last))
