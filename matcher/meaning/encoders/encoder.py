"""What turns sentences into vectors. Any encoder fits that is named, versioned and deterministic."""

from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Vectors: TypeAlias = npt.NDArray[np.float32]
"""One row a text."""

MOST_CHARS: Final = 2_000
"""Characters of one text that are read: a sentence or a passage is far shorter, and the time grows with them."""
EMPTY: Final = "。"
"""Read in place of a text without a readable character, which has no vector."""


class EncoderUnavailable(Exception):  # reads as what it says
    """No encoder is installed or reachable; the message says why and what to do."""


class Encoder(Protocol):
    """Vectors of different encoders, or versions of one, are never compared. Nothing else is known of `size` than that
    it does not change with the texts.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def size(self) -> int:
        """Numbers per vector."""

    @property
    def reads_unpublished(self) -> bool:
        """Whether it may have drafts, submissions and other texts that are not public. What is not public leaves this
        machine only if the user says so.
        """

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length 1 for each text, shape (len(texts), size). Accepts any string.

        Raises EncoderUnavailable, at any call: a service may be away for a while.
        """


class EncoderAround:
    """What an encoder inherits that asks another one: it is called the same, and may read no more."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    @property
    def name(self) -> str:
        return self._encoder.name

    @property
    def version(self) -> str:
        return self._encoder.version

    @property
    def size(self) -> int:
        return self._encoder.size

    @property
    def reads_unpublished(self) -> bool:
        return self._encoder.reads_unpublished


def label_of(encoder: Encoder) -> str:
    """Return the name that is stored beside the vectors."""
    return f"{encoder.name} {encoder.version}"


def readable(text: str) -> str:
    """Return what every tokenizer reads: no lone surrogates, no NUL, no more than `MOST_CHARS`, never nothing."""
    short = text[:MOST_CHARS].encode("utf-8", "replace").decode("utf-8").replace("\0", " ").strip()
    return short or EMPTY
