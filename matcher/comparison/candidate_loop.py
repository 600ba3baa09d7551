"""Which candidates are compared, in which order, and how far the places of the text asked about lead."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis
from matcher.comparison.compare_pair import Asking, Compared, compare
from matcher.comparison.publishers import OtherOwners
from matcher.comparison.siblings import Siblings
from matcher.judgement.judge import judge_with_notices
from matcher.retrieval.candidates import ALIGNED, Candidate, Found
from matcher.retrieval.pruning import KeyPlaces, Trails
from storage.fingerprints import candidates as stored_candidates
from storage.fingerprints.candidates import NO_TEXT

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.records.candidates import StoredText

GROUP: Final = 24
"""Candidates whose pages and texts are fetched at once: those of a page of which nothing was copied take one or two."""


def in_order(asked: Analysis, found: Found, *, self_id: int, also: Collection[int]) -> list[Candidate]:
    """The candidates, best first; before them what must not be pushed out by a crowd of near copies: the same text on
    other pages, which is the surest find, and texts that are to be judged whatever they share.
    """
    ranked = {candidate.text_id: candidate for candidate in found.candidates}
    first = [Candidate(self_id, 1.0, len(asked.fingerprint.seeds), 0, 0)] if self_id != NO_TEXT else []
    first += [
        replace(ranked[text_id], places=frozenset()) if text_id in ranked else Candidate(text_id, 0.0, 0, 0, None)
        for text_id in sorted(also)
        if text_id != self_id
    ]
    named = {candidate.text_id for candidate in first}
    return first + [candidate for candidate in found.candidates if candidate.text_id not in named]


def follow(
    session: "Session", asking: Asking, candidates: Sequence[Candidate], others: OtherOwners, siblings: Siblings
) -> tuple[frozenset[int], list[Compared]]:
    """Aligns up to ALIGNED of the candidates, but none for a place that leads nowhere. Returns which, and kin.

    What nobody but the page's owner publishes is passed over, and leads nowhere.
    """
    trails, where = Trails(), KeyPlaces(asking.text)
    first = replace(asking, look=judge_with_notices)
    texts: dict[int, StoredText] = {}
    met: set[int] = set()
    aligned: set[int] = set()
    kin: list[Compared] = []
    for number, candidate in enumerate(candidates):
        if len(aligned) == ALIGNED:
            break
        if not _is_worth_a_look(candidate, trails):
            continue
        if candidate.text_id not in met:
            worth = (other.text_id for other in candidates[number:] if _is_worth_a_look(other, trails))
            group = list(islice(worth, GROUP))
            others.look_up(group)
            texts = stored_candidates.texts_by_id(session, [text_id for text_id in group if others.pages_of(text_id)])
            met.update(group)
        held = others.pages_of(candidate.text_id)
        if not held:
            continue
        result = compare(first, candidate, texts[candidate.text_id], held)
        # A footer is a trail, too: of a copied line that leaves no key of its own it is the only one.
        kin_at = where.of_passages(result.judgement.passages) if result is not None else ()
        trails.followed(candidate.places, kin_at=kin_at)
        aligned.add(candidate.text_id)
        result = siblings.judged(result) if result is not None else None
        if result is not None:
            kin.append(result)
    return frozenset(aligned), kin


def _is_worth_a_look(candidate: Candidate, trails: Trails) -> bool:
    return not candidate.places or trails.leads_on(candidate.places)
