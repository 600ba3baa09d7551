"""The check by meaning, after the literal one: what says the same in other words or in another language."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from matcher.comparison.check import CheckResult, pages_named
from matcher.comparison.relations import relations_in
from matcher.meaning.encoders.encoder import EncoderUnavailable
from matcher.provenance.page_facts import facts_of_article
from matcher.retellings.asked import Asked
from matcher.retellings.compare_by_meaning import compare_by_meaning
from matcher.retellings.retold_match import RetoldMatch
from storage.records.pages import NewArticle

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from matcher.retellings.search import MeaningSearch

SIMILAR: Final = "similar"
"""The verdict where nothing but meaning was found."""
NOT_FOUND: Final = frozenset({"original", "cannot_judge"})
"""Verdicts of a check that found no wording."""

STAYS_HERE: Final = "Texts that are not public are not sent to the encoder, which is on another machine."

OpenSearch: TypeAlias = "Callable[[Session], MeaningSearch]"
"""Returns the search of a store. Raises EncoderUnavailable with the reason if there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class MeaningResult:
    """`retold`: texts that were found by meaning alone, best first. `beside`: what is retold beyond the wording, by the
    ids of texts whose wording was found, too. `left_out`: why the store was not searched by meaning; empty if it was.
    `is_partial`: some stored texts are not encoded yet and cannot be found.
    """

    retold: tuple[RetoldMatch, ...] = ()
    beside: Mapping[int, RetoldMatch] = field(default_factory=dict)
    elapsed_ms: float = 0.0
    left_out: str = ""
    is_partial: bool = False

    def verdict(self, literal: str) -> str:
        """Return the verdict of both checks. `literal`: that of the literal one."""
        return SIMILAR if self.retold and literal in NOT_FOUND else literal


NOT_ASKED: Final = MeaningResult()


def check_by_meaning(
    session: "Session", article: NewArticle, literal: CheckResult, open_search: OpenSearch
) -> MeaningResult:
    """Search the store for what says the same as the text, storing nothing. `literal`: the result of its check.

    Never fails for want of an encoder: the result says why it was left out.
    """
    started = time.perf_counter()
    wording = {
        found.stored.id: max(found.judgement.left_share, found.judgement.right_share) for found in literal.matches
    }
    asked = Asked(article.text, facts_of_article(article), literal=wording, relations=relations_in(literal.matches))
    try:
        search = open_search(session)
        if not search.reads_unpublished:
            return MeaningResult(left_out=STAYS_HERE)
        found = compare_by_meaning(session, search, asked).found
    except EncoderUnavailable as error:
        return MeaningResult(left_out=str(error))
    retold = [match for match in found if match.stored.id not in wording]
    return MeaningResult(
        retold=tuple(_with_all_pages(session, match) for match in retold),
        beside={match.stored.id: match for match in found if match.stored.id in wording},
        is_partial=search.is_partial(session),
        elapsed_ms=round((time.perf_counter() - started) * 1_000, 2),
    )


def _with_all_pages(session: "Session", match: RetoldMatch) -> RetoldMatch:
    pages, other_pages = pages_named(session, match.stored.id, match.pages)
    return replace(match, pages=pages, other_pages=other_pages)
