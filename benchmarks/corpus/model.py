"""The values that the parts of the benchmark exchange. All are frozen; texts are as published."""

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
    """The expected result of a probe."""

    COPY = "copy"
    """At least one of its sources is reported."""
    INNOCENT = "innocent"
    """No stored text is reported."""
    NO_CASE = "no-case"
    """Texts may be reported, but no case may be opened: a wire story on many sites."""


@dataclass(frozen=True, slots=True)
class Article:
    """A real article of the corpus. `id` is its URL or line."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Stored:
    """An article stored in addition to the corpus, on a site of its own owner."""

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
    """A passage, true or found: half-open ranges (code points) in a copy and in its source."""

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
    of an innocent, those whose parts it holds by design: to report them is wrong whatever they share.
    """

    id: str
    family: str
    language: Language
    text: str
    expected: Expected
    title: str = ""
    sources: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = ()
    """True passages, for the families whose disguise tracks them; the passage measures are computed over these."""


@dataclass(frozen=True, slots=True)
class Material:
    """The input of a family. `stored` and `held` share no article; lengths are as in the corpus."""

    language: Language
    stored: tuple[Article, ...]
    held: tuple[Article, ...]
    """Not in the store: hosts for embedded passages, and ordinary innocents."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """The articles that one family adds to the store, and its probes."""

    probes: tuple[Probe, ...]
    stored: tuple[Stored, ...] = field(default=())


Builder: TypeAlias = Callable[[Material, Random, int], Scenario]
"""Material, random generator (seeded by the family's name), number of probes → the scenario."""


@dataclass(frozen=True, slots=True)
class Family:
    """One way of copying, or one kind of innocent page."""

    name: str
    title: str
    """Title in the report."""
    language: Language
    expected: Expected
    build: Builder
    floor: float | None
    """Least share of probes with the expected result; None if it is only reported."""


def is_ordinary(family: str) -> bool:
    """Whether a family, by its name, probes unchanged articles: thousands of them, to see two false cases in 10,000."""
    return family.endswith("-ordinary")
