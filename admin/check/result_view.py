"""The result of a check as page and table show it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from admin.check.retold_view import RetoldView, retold_view, why_later
from admin.passages.passage_pairs import PassagePair, passage_pairs
from matcher.comparison.check import CheckResult
from matcher.comparison.compare_pair import Compared
from matcher.comparison.submissions import submission_id
from matcher.judgement.judge import union_share
from matcher.judgement.mosaic import NOBODY, owners
from matcher.provenance.third_source import RelationFound
from matcher.retellings.check_by_meaning import NOT_ASKED, MeaningResult
from storage.records.pages import PageRecord

SHOWN_SOURCES: Final = 20
"""Sources shown with their passages; the others are listed."""
PAINTED_CHARS: Final = 60_000
"""Characters of the checked text that are shown with their sources marked."""


@dataclass(frozen=True, slots=True)
class Painted:
    """A stretch of the checked text. `source`: number of its source; None where no source was found."""

    text: str
    source: int | None


@dataclass(frozen=True, slots=True)
class SourceView:
    """One source. `submission`: its id, where the source is a submission and not a web page."""

    number: int
    found: Compared
    page: PageRecord
    submission: int | None
    pairs: tuple[PassagePair, ...]
    left_out: int
    """Passages left out."""

    @property
    def relation(self) -> RelationFound:
        """Whether the checked text and the source may have it from a third page."""
        return self.found.relation_with(self.found.pages[0])

    @property
    def is_earlier(self) -> bool:
        """Whether the stored text is the earlier one, as far as is known."""
        return not self.found.direction.left_is_source

    @property
    def why_later(self) -> str | None:
        """What decided that the stored text is not the source; None where a date or the order of sightings did."""
        return why_later(self.found.direction, self.page)


@dataclass(frozen=True, slots=True)
class CheckView:
    result: CheckResult
    meaning: MeaningResult
    share: float
    """Share of the checked text that is found in any source, 0…1."""
    sources: tuple[SourceView, ...]
    retold: tuple[RetoldView, ...]
    painted: tuple[Painted, ...]
    unpainted: int
    """Characters at the end that are not shown."""

    @property
    def verdict(self) -> str:
        """Of both checks, that of the wording and that of meaning."""
        return self.meaning.verdict(self.result.verdict)


def view_of(text: str, result: CheckResult, meaning: MeaningResult = NOT_ASKED) -> CheckView:
    """The view of a result, with sources in the order of the share that they alone explain, and after them what is
    similar in meaning, highest score first.
    """
    ordered = sorted(result.matches, key=lambda found: (-found.own_share, -found.judgement.left_share))
    passages = [passage for found in ordered for passage in found.judgement.passages]
    similar = [*((match, False) for match in meaning.retold), *((match, True) for match in meaning.beside.values())]
    return CheckView(
        result=result,
        meaning=meaning,
        share=union_share(passages, len(text)),
        sources=tuple(_source(number, found, text) for number, found in enumerate(ordered, start=1)),
        retold=tuple(
            retold_view(number, match, text, beside=beside)
            for number, (match, beside) in enumerate(similar, start=len(ordered) + 1)
        ),
        painted=tuple(_painted(text[:PAINTED_CHARS], ordered)),
        unpainted=max(0, len(text) - PAINTED_CHARS),
    )


def _source(number: int, found: Compared, text: str) -> SourceView:
    page = found.pages[0]
    passages = found.judgement.passages if number <= SHOWN_SOURCES else ()
    pairs, left_out = passage_pairs(text, found.stored.body, passages)
    return SourceView(number, found, page, submission_id(page.url), pairs, left_out)


def _painted(text: str, found: Sequence[Compared]) -> Iterator[Painted]:
    if not text:
        return
    owned = owners([item.judgement.passages for item in found], len(text))
    edges = [0, *(np.flatnonzero(np.diff(owned)) + 1).tolist(), len(text)]
    for start, end in pairwise(edges):
        source = int(owned[start])
        yield Painted(text[start:end], None if source == NOBODY else source + 1)
