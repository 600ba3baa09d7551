"""The package's own data: character and word tables, built once by `data/build_tables.py` and loaded on first use.

Nothing here is computed from `unicodedata`, pypinyin or OpenCC at run time: their data change between versions, and
a fingerprint must not. A change of the tables is a change of `ALGORITHM_VERSION`.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

CODE_POINTS: Final = 0x110000
EXPANDS: Final = CODE_POINTS
"""A `fold` value from here on is an index into the expansions: the character becomes no or several characters."""

LETTER_COUNT: Final = 26
FIRST_DIGIT: Final = LETTER_COUNT + 1
LAST_UNIT: Final = LETTER_COUNT + 10
APOSTROPHE: Final = 64
"""A character that neither splits a word nor counts as one of its letters."""
WORD_LETTER: Final = APOSTROPHE
"""Classes above this: letters of scripts written with spaces, as `WORD_LETTER` + the class at the start of a word."""

CONSONANTS: Final = "bcdfghjklmnpqrstwxyz"
"""The initials that DNA counts: 26 letters less a e o (1.2 % of running text) and i u v (which start no syllable)."""

SURROGATES: Final = range(0xD800, 0xE000)
REPLACEMENT: Final = "\ufffd"

IDF_STEP: Final = 1 / 16


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Read-only arrays. `fold` and `unit_class` are indexed by code point."""

    fold: npt.NDArray[np.uint32]
    expansion_from: npt.NDArray[np.int64]
    expansion_chars: npt.NDArray[np.uint32]
    unit_class: npt.NDArray[np.uint8]
    read_chars: npt.NDArray[np.uint32]
    readings: npt.NDArray[np.uint16]
    idf_keys: npt.NDArray[np.uint32]
    idf_levels: npt.NDArray[np.uint8]
    idf_unknown: int
    reference: npt.NDArray[np.float64]


@cache
def tables() -> Tables:
    with files("fingerprint").joinpath("data", "tables.npz").open("rb") as stored, np.load(stored) as arrays:
        loaded = Tables(
            fold=_dense_fold(arrays["fold_from"], arrays["fold_to"], arrays["expansion_source"]),
            expansion_from=np.concatenate(([0], np.cumsum(arrays["expansion_length"], dtype=np.int64))),
            expansion_chars=arrays["expansion_chars"],
            unit_class=_padded(arrays["unit_class"]),
            read_chars=arrays["read_chars"],
            readings=arrays["readings"],
            idf_keys=np.cumsum(arrays["idf_key_steps"], dtype=np.uint64).astype(np.uint32),
            idf_levels=arrays["idf_levels"],
            idf_unknown=int(arrays["idf_unknown"]),
            reference=arrays["initial_counts"][: len(CONSONANTS)] / arrays["initial_counts"].sum(),
        )
    for name in Tables.__slots__:
        array = getattr(loaded, name)
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    return loaded


def _dense_fold(
    source: npt.NDArray[np.uint32], target: npt.NDArray[np.uint32], expanding: npt.NDArray[np.uint32]
) -> npt.NDArray[np.uint32]:
    fold = np.arange(CODE_POINTS, dtype=np.uint32)
    fold[source] = target
    fold[expanding] = EXPANDS + np.arange(len(expanding), dtype=np.uint32)
    # What no database can store is stored as this sign. It parts words, which a dropped character would join.
    fold[[ord("\0"), *SURROGATES]] = ord(REPLACEMENT)
    return fold


def _padded(classes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    padded = np.zeros(CODE_POINTS, dtype=np.uint8)
    padded[: len(classes)] = classes
    return padded


def code_points(text: str) -> npt.NDArray[np.uint32]:
    """Return the text's code points, lone surrogates included, as a read-only array of uint32."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32, copy=False)


def text_of(chars: npt.NDArray[np.uint32]) -> str:
    """Return the text of these code points, none of which is a surrogate."""
    return chars.astype("<u4", copy=False).tobytes().decode("utf-32-le")
