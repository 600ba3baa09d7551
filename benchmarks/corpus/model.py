"""The values that the parts of the benchmark hand to each other. All are frozen; texts are as published."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import TypeAlias

from storage.types import Rights, SiteRole


class Language(StrEnum):
    CHINESE = "zh"
    ENGLISH = "en"


class Expected(StrEnum):
    """What a probe must come to."""

    COPY = "copy"
    """At least one of its sources is named."""
    INNOCENT = "innocent"
    """No stored text is named."""
    NO_CASE = "no-case"
    """Texts may be named, but nothing of it is ours to claim: a wire story on many sites."""


@dataclass(frozen=True, slots=True)
class Article:
    """A real article of the corpus. `id` is its URL or line."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Stored:
    """An article that the store holds beside the corpus, on a site of its own owner."""

    id: str
    """Its URL: unique over the whole benchmark."""
    text: str
    site: str
    title: str = ""
    role: SiteRole = SiteRole.WATCHED
    rights: Rights = Rights.UNKNOWN
    credit_lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A passage, true or found: half-open stretches (code points) of a copy, and of the source it is from."""

    start: int
    end: int
    source: str
    source_start: int
    source_end: int

    @property
    def size(self) -> int:
        return self.end - self.start + self.source_end - self.source_start


@dataclass(frozen=True, slots=True)
class Probe:
    """A text to be checked. `sources`: ids of the stored texts it is copied from, or of any copy of the same story;
    of an innocent, those it holds parts of by design, so that naming them is wrong whatever they share.
    """

    id: str
    family: str
    language: Language
    text: str
    expected: Expected
    title: str = ""
    sources: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = ()
    """Known for the families whose disguise keeps track of them; the passage measures are taken over these."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a family is built from. `stored` and `held` share no article; lengths are as in the corpus."""

    language: Language
    stored: tuple[Article, ...]
    held: tuple[Article, ...]
    """Not in the store: hosts for embedded passages, and ordinary innocents."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What one family adds to the store, and what it asks."""

    probes: tuple[Probe, ...]
    stored: tuple[Stored, ...] = field(default=())


Builder: TypeAlias = Callable[[Material, Random, int], Scenario]
"""Material, chance (seeded by the family's name), how many probes are wanted → the scenario."""


@dataclass(frozen=True, slots=True)
class Family:
    """One way of copying, or one kind of innocent page."""

    name: str
    title: str
    """In words, as the report shows it."""
    language: Language
    expected: Expected
    build: Builder
    floor: float | None
    """The share that must come out as expected; None where it is only reported."""


def is_ordinary(family: str) -> bool:
    """Whether a family, by its name, asks articles as they are: by the thousand, to see two false cases in 10,000."""
    return family.endswith("-ordinary")
