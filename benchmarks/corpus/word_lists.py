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
    """Maps each entry of a file to all entries of its line: words between bars, or single characters."""
    found: dict[str, dict[str, None]] = {}
    for line in _lines(name):
        entries = line.split("|") if "|" in line else list(line)
        for entry in entries:
            found.setdefault(entry, {}).update(dict.fromkeys(other for other in entries if other != entry))
    return MappingProxyType({entry: tuple(others) for entry, others in found.items()})


@lru_cache(maxsize=16)
def table(name: str) -> MappingProxyType[str, str]:
    """Maps the part before the bar of each line of a file to the part behind it."""
    return MappingProxyType({first: second for first, _, second in (line.partition("|") for line in _lines(name))})


def _lines(name: str) -> list[str]:
    return [line for line in (DATA / name).read_text(encoding="utf-8").splitlines() if line]
