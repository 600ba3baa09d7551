"""What is asked: texts made from a stored one in other words or another language, and innocents."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """How a probe came about. The first ones are made from the stored text `source`, the others from none."""

    TRANSLATED_TO_CHINESE = "translated, Chinese asked"
    TRANSLATED_TO_ENGLISH = "translated, English asked"
    PARAGRAPHS_CHINESE = "three paragraphs, Chinese asked"
    PARAGRAPHS_ENGLISH = "three paragraphs, English asked"
    SECOND = "second translation"
    RETOLD = "retold"
    RETOLD_AGAIN = "retold-b"
    CONDENSED = "condensed"
    HALF = "half"
    TRANSLATED_BY_MACHINE = "translated by a language model"
    SHORT = "short, rewritten"
    ORDINARY = "ordinary article"
    HARD_NEGATIVE = "hard negative"
    INDEPENDENT = "independent"
    PART_OF_RETOLD = "part of a retold text"
    PART_OF_SECOND = "part of a second translation"
    SHORT_INSIDE = "short text in an article"
    DROPPED = "retold, sentences dropped"
    STORED = "stored article"


INNOCENT: Final = frozenset({Kind.ORDINARY, Kind.HARD_NEGATIVE, Kind.INDEPENDENT, Kind.STORED})
FITTED_ON: Final = frozenset({Kind.PART_OF_RETOLD, Kind.PART_OF_SECOND, Kind.SHORT_INSIDE, Kind.DROPPED, Kind.STORED})
"""Kinds that are only fitted on: they are made of the texts of other kinds, so no figure is reported of them."""


@dataclass(frozen=True, slots=True)
class Goal:
    """`kinds`: asked for together. `at_least`: share to be found; `at_most`: share of innocents that may be named."""

    name: str
    kinds: tuple[Kind, ...]
    at_least: float | None = None
    at_most: float | None = None


GOALS: Final = (
    Goal("translated, either direction", (Kind.TRANSLATED_TO_CHINESE, Kind.TRANSLATED_TO_ENGLISH), 0.98),
    Goal("three paragraphs of a translation", (Kind.PARAGRAPHS_CHINESE, Kind.PARAGRAPHS_ENGLISH), 0.95),
    Goal("second translation", (Kind.SECOND,), 0.95),
    Goal("retold", (Kind.RETOLD, Kind.RETOLD_AGAIN), 0.95),
    Goal("condensed", (Kind.CONDENSED,), 0.88),
    Goal("half", (Kind.HALF,), 0.88),
    Goal("translated by a language model", (Kind.TRANSLATED_BY_MACHINE,)),
    Goal("short, rewritten", (Kind.SHORT,), 0.9),
    Goal("ordinary articles", (Kind.ORDINARY,), at_most=1 / 500),
    Goal("hard negatives", (Kind.HARD_NEGATIVE,), at_most=1 / 100),
    Goal("independent", (Kind.INDEPENDENT,), at_most=0.0),
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A text of the store. `id`: names it among all; probes name their source by it."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Probe:
    """A text that is asked. `source`: id of the stored text it was made from, or that it resembles as an innocent."""

    id: str
    kind: Kind
    title: str
    text: str
    source: str | None = None

    @property
    def is_innocent(self) -> bool:
        return self.kind in INNOCENT


@dataclass(frozen=True, slots=True)
class Material:
    """`left_out`: articles of the background that share too much with a probe or its source. `files`: name → how many
    records were read.
    """

    stored: tuple[Stored, ...]
    probes: tuple[Probe, ...]
    left_out: int
    files: dict[str, int]
