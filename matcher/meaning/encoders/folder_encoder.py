"""Any model of the library sentence-transformers that is in a folder on this machine. Nothing is fetched."""

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from matcher.meaning.encoders.encoder import EncoderUnavailable, Vectors, readable

LIBRARY: Final = "sentence_transformers"
MARKS: Final = ("modules.json", "config.json")
"""A folder with one of them holds a model: the library's own, or one of transformers, of which it takes the mean."""
WHOLE_BYTES: Final = 1_000_000
"""Files up to this size are hashed whole: configuration and vocabularies."""
SAMPLES: Final = 16
SAMPLE_BYTES: Final = 4_096
"""Of larger files, which hold weights, so many pieces are hashed: training changes them all."""
TEXTS_A_BATCH: Final = 16
ROUNDING: Final = 1e-3


class FolderEncoder:
    """Named after its folder; the version is a hash of what is in it.

    Reads its weights when it is first used, computes on the processor with one thread, and runs no code of the model.
    """

    reads_unpublished: Final = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        return self._folder.name

    @cached_property
    def version(self) -> str:
        self.require()
        return self.contents

    @property
    def contents(self) -> str:
        """A hash of 12 hexadecimal digits over names, sizes and contents of the files."""
        digest = sha256()
        try:
            for path in sorted(_files(self._folder)):
                size = path.stat().st_size
                digest.update(
                    f"{path.relative_to(self._folder).as_posix()}\0{size}\0".encode("utf-8", "surrogateescape")
                )
                for piece in _pieces(path, size):
                    digest.update(piece)
        except OSError as error:
            raise self._unreadable(error) from error
        return digest.hexdigest()[:12]

    @cached_property
    def size(self) -> int:
        return int(self._model.encode([readable("")], show_progress_bar=False).shape[1])

    def require(self) -> None:
        """Raises EncoderUnavailable without the library, or without a model in the folder."""
        if not any((self._folder / name).is_file() for name in MARKS):
            raise EncoderUnavailable(
                f"The folder {self._folder} holds no model of sentence-transformers ({' or '.join(MARKS)}). "
                "Save one there, or correct ZHIWEN_ENCODER."
            )
        if find_spec(LIBRARY) is None:
            raise EncoderUnavailable(
                f"The model in {self._folder} needs the library sentence-transformers. "
                "Install it: pip install sentence-transformers"
            )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Raises EncoderUnavailable if the model cannot be read or returns something else than vectors."""
        if not texts:
            return np.empty((0, self.size), dtype=np.float32)
        found = self._model.encode(
            [readable(text) for text in texts],
            batch_size=TEXTS_A_BATCH,
            convert_to_numpy=True,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        vectors: Vectors = np.asarray(found, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=-1)
        # NaN is near nothing, too.
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.allclose(lengths, 1, atol=ROUNDING):  # noqa: PLR2004
            raise EncoderUnavailable(f"The model in {self._folder} returns no vectors. Choose another one.")
        return vectors

    @cached_property
    def _model(self) -> Any:
        self.require()
        # Read when the library is imported: nothing may be asked of the hub, not even whether there is a newer model.
        os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
        import torch  # noqa: PLC0415  # comes with the library
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
        from transformers.utils.logging import disable_progress_bar  # noqa: PLC0415

        disable_progress_bar()
        torch.set_num_threads(1)
        try:
            return SentenceTransformer(
                str(self._folder), device="cpu", local_files_only=True, trust_remote_code=False
            ).eval()
        except Exception as error:  # the library raises what its parts raise
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> EncoderUnavailable:
        said = " ".join(str(error).split())[:300]
        return EncoderUnavailable(
            f"The model in {self._folder} cannot be read ({type(error).__name__}: {said}). "
            "Save it again with sentence-transformers, or correct ZHIWEN_ENCODER."
        )


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a model, less those of version control."""
    for path in folder.rglob("*"):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def _pieces(path: Path, size: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        if size <= WHOLE_BYTES:
            yield file.read(WHOLE_BYTES)
            return
        for number in range(SAMPLES):
            file.seek(number * (size - SAMPLE_BYTES) // (SAMPLES - 1))
            yield file.read(SAMPLE_BYTES)
