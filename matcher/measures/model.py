"""Input and result of a measure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from fingerprint.compute import Analysis
from fingerprint.tokens import WeightedWords, weighted_words


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """What the measures read of one text, each part computed once. `text` is the canonical one."""

    analysis: Analysis
    words: WeightedWords

    @property
    def text(self) -> str:
        return self.analysis.canonical.text


@dataclass(frozen=True, slots=True)
class Measured:
    """`value` lies in the measure's range; None where there is none, and then `note` says why.

    With a value, `note` says what a bound left out. `figures` are the numbers that the value was made of.
    """

    value: float | None
    note: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)


CompareT = TypeVar("CompareT", bound=Callable[..., Measured])


@dataclass(frozen=True, slots=True)
class Measure(Generic[CompareT]):
    """One way to compare two texts. The same text twice has the value `highest`."""

    name: str
    compares: CompareT
    meaning: str
    source: str
    lowest: float = 0.0
    highest: float = 1.0


@dataclass(frozen=True, slots=True)
class Result:
    """What one measure said of a pair."""

    measure: Measure[Any]
    measured: Measured


Compares: TypeAlias = Callable[[Side, Side], Measured]


def side_of(analysis: Analysis) -> Side:
    return Side(analysis, weighted_words(analysis.canonical.text))


def no_value(reason: str) -> Measured:
    return Measured(None, reason)


def empty_side(left: Side, right: Side) -> Measured | None:
    """The answer where a text has no characters at all; None where both have some."""
    if left.text and right.text:
        return None
    return no_value("a text without characters cannot be compared")


def heads(left: Side, right: Side, longest: int) -> tuple[str, str, str]:
    """The first `longest` characters of both canonical texts, and a note where something was cut off."""
    is_cut = max(len(left.text), len(right.text)) > longest
    note = f"of the first {longest:,} characters of each text" if is_cut else ""
    return left.text[:longest], right.text[:longest], note
