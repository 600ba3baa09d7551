"""The word lists and set phrases of the benchmark: written for it, in plain text files beside this module."""

from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

DATA: Final = Path(__file__).with_name("data")


@lru_cache(maxsize=16)
def sections(name: str) -> MappingProxyType[str, tuple[str, ...]]:
    """The lines of a file under each of its headings in square brackets. Empty lines separate nothing."""
    found: dict[str, list[str]] = {}
    for line in _lines(name):
        if line.startswith("[") and line.endswith("]"):
            found[line[1:-1]] = under = []
        else:
            under.append(line)
    return MappingProxyType({heading: tuple(lines) for heading, lines in found.items()})


@lru_cache(maxsize=16)
def alternatives(name: str) -> MappingProxyType[str, tuple[str, ...]]:
    """For each word of a file all that stand on a line with it, in order; `|` separates words on a line."""
    found: dict[str, dict[str, None]] = {}
    for line in _lines(name):
        words = line.split("|")
        for word in words:
            found.setdefault(word, {}).update(dict.fromkeys(other for other in words if other != word))
    return MappingProxyType({word: tuple(others) for word, others in found.items()})


def _lines(name: str) -> list[str]:
    return [line for line in (DATA / name).read_text(encoding="utf-8").splitlines() if line]
