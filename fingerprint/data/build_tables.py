"""Builds `tables.npz`. Run from the root of the repository, with the `dev` extra installed and jieba 0.42.1 unpacked:

    python -m fingerprint.data.build_tables jieba/dict.txt jieba/analyse/idf.txt

The result is the same byte for byte on every run with the same Python, pypinyin and OpenCC data. Raise
`ALGORITHM_VERSION` when you commit a result that differs.
"""

import sys
import unicodedata
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np
import numpy.typing as npt
import xxhash

from fingerprint.characters.tables import CONSONANTS, IDF_STEP
from fingerprint.data.characters import HAN, all_folds, toneless_readings, unit_class

TARGET = Path(__file__).with_name("tables.npz")
READINGS_KEPT = 3
IDF_KEY_SHIFT = 32  # the upper half of the 64-bit hash of a word is its key: 6 in 100,000 unknown words collide
MIN_WORD_LENGTH = 2


def fold_tables(folds: dict[int, str]) -> dict[str, npt.NDArray[np.generic]]:
    single = {source: ord(target) for source, target in folds.items() if len(target) == 1}
    expanding = {source: target for source, target in folds.items() if len(target) != 1}
    return {
        "fold_from": np.array(list(single), dtype=np.uint32),
        "fold_to": np.array(list(single.values()), dtype=np.uint32),
        "expansion_source": np.array(list(expanding), dtype=np.uint32),
        "expansion_length": np.array([len(target) for target in expanding.values()], dtype=np.uint8),
        "expansion_chars": np.array([ord(char) for target in expanding.values() for char in target], dtype=np.uint32),
    }


def reading_tables() -> dict[str, npt.NDArray[np.generic]]:
    readable = {
        code_point: readings[:READINGS_KEPT]
        for first, last in HAN
        for code_point in range(first, last + 1)
        if (readings := toneless_readings(code_point))
    }
    syllables = sorted({syllable for readings in readable.values() for syllable in readings})
    number = {syllable: index for index, syllable in enumerate(syllables, start=1)}
    rows = [[number[reading] for reading in readings] for readings in readable.values()]
    return {
        "read_chars": np.array(list(readable), dtype=np.uint32),
        "readings": np.array([row + [0] * (READINGS_KEPT - len(row)) for row in rows], dtype=np.uint16),
    }


def words(path: Path, folds: dict[int, str]) -> Iterator[tuple[str, float]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        word, number, *_ = line.split(" ")
        yield word.translate(folds), float(number)


def idf_tables(path: Path, folds: dict[int, str]) -> dict[str, npt.NDArray[np.generic]]:
    levels: dict[int, int] = {}
    for word, idf in words(path, folds):
        if len(word) >= MIN_WORD_LENGTH:
            key = xxhash.xxh3_64_intdigest(word.encode()) >> IDF_KEY_SHIFT
            # Two words that fold into one are as frequent as the more frequent one.
            levels[key] = min(round(idf / IDF_STEP), levels.get(key, np.iinfo(np.uint8).max))
    keys = sorted(levels)
    return {
        "idf_key_steps": np.diff(np.array([0, *keys], dtype=np.uint64)).astype(np.uint32),
        "idf_levels": np.array([levels[key] for key in keys], dtype=np.uint8),
        "idf_unknown": np.array(int(np.median(list(levels.values())))),
    }


def initial_counts(path: Path, folds: dict[int, str], classes: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return how often each consonant initial occurs in running text, followed by the count of all other initials."""
    column = {ord(letter) - ord("a") + 1: index for index, letter in enumerate(CONSONANTS)}
    counts = np.zeros(len(CONSONANTS) + 1, dtype=np.int64)
    for word, frequency in words(path, folds):
        for char in word:
            if any(first <= ord(char) <= last for first, last in HAN):
                counts[column.get(int(classes[ord(char)]), len(CONSONANTS))] += int(frequency)
    return counts


def main(dictionary: Path, idf: Path) -> None:
    folds = all_folds()
    # Only characters that occur in canonical text need a class.
    canonical = (0 if code_point in folds else unit_class(code_point) for code_point in range(sys.maxunicode + 1))
    classes = np.fromiter(canonical, dtype=np.uint8)
    last_class = int(np.flatnonzero(classes)[-1])
    built_from = [
        f"Unicode {unicodedata.unidata_version}",
        f"pypinyin {version('pypinyin')}",
        f"opencc-python-reimplemented {version('opencc-python-reimplemented')}",
        *(f"{path.name} {xxhash.xxh3_64_hexdigest(path.read_bytes())}" for path in (dictionary, idf)),
    ]
    np.savez_compressed(
        TARGET,
        allow_pickle=False,
        unit_class=classes[: last_class + 1],
        initial_counts=initial_counts(dictionary, folds, classes),
        built_from=np.array(built_from),
        **fold_tables(folds),
        **reading_tables(),
        **idf_tables(idf, folds),
    )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
