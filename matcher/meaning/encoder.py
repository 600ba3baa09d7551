"""What turns sentences into vectors. Any encoder fits that is named, versioned and deterministic."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Vectors: TypeAlias = npt.NDArray[np.float32]
"""One row a text."""


class EncoderUnavailable(Exception):  # reads as what it says
    """No encoder is installed or reachable; the message says why and what to do."""


class Encoder(Protocol):
    """Vectors of different encoders, or versions of one, are never compared."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def size(self) -> int:
        """Numbers per vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length 1 for each text, shape (len(texts), size). Accepts any string."""
