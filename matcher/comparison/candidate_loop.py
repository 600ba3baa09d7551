"""Which candidates are aligned, in which order, and where to stop."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from matcher.comparison.compare_pair import KEPT_CHARS, Compared, PreparedQuery, compare
from matcher.comparison.publishers import OtherOwners
from matcher.comparison.query import Query
from matcher.comparison.siblings import Siblings
from matcher.judgement.judge import judge_with_notices
from matcher.retrieval.candidates import ALIGNED, Candidate, Found
from matcher.retrieval.pruning import KeyPlaces, Pruning
from storage.fingerprints.candidates import NO_TEXT

if TYPE_CHECKING:
    from matcher.comparison.store_reader import StoreReader
    from storage.records.candidates import StoredText

GROUP: Final = 24
"""Candidates whose pages and texts are read at once: a page without copies takes one or two such reads."""


def in_order(query: Query, retrieved: Found) -> list[Candidate]:
    """Return the candidates, best first, after those that many near-duplicates must not displace: the same text on
    other pages, which is the most certain match, and the texts that the query demands.
    """
    ranked = {candidate.text_id: candidate for candidate in retrieved.candidates}
    first = []
    if query.self_id != NO_TEXT:
        first.append(Candidate(query.self_id, 1.0, len(query.text.fingerprint.seeds), 0, 0))
    first += [
        ranked[text_id]._replace(places=0) if text_id in ranked else Candidate(text_id, 0.0, 0, 0, None)
        for text_id in sorted(query.also)
        if text_id != query.self_id
    ]
    named = {candidate.text_id for candidate in first}
    return first + [candidate for candidate in retrieved.candidates if candidate.text_id not in named]


def follow(
    reader: "StoreReader",
    prepared_query: PreparedQuery,
    candidates: Sequence[Candidate],
    others: OtherOwners,
    siblings: Siblings,
) -> list[Compared]:
    """Align up to ALIGNED of the candidates, without pruned ones; return those that match.

    Texts that only the owner of the query page publishes are skipped. `prepared_query.judged` then holds the judgement
    of each text that was aligned.
    """
    pruning, where = Pruning(), KeyPlaces(prepared_query.text)
    first = replace(prepared_query, judge_pair=judge_with_notices)
    texts: dict[int, StoredText] = {}
    met: set[int] = set()
    found: list[Compared] = []
    matched: list[Compared] = []
    chars = 0
    for number, candidate in enumerate(candidates):
        if len(prepared_query.judged) == ALIGNED:
            break
        if not _is_worth_aligning(candidate, pruning):
            continue
        if candidate.text_id not in met:
            worth = (other.text_id for other in candidates[number:] if _is_worth_aligning(other, pruning))
            group = list(islice(worth, GROUP))
            others.look_up(group)
            texts = reader.texts(text_id for text_id in group if others.pages_of(text_id))
            met.update(group)
        held = others.pages_of(candidate.text_id)
        if not held:
            continue
        result = compare(first, candidate, texts[candidate.text_id], held)
        # A match in a footer counts too: a copied line without a key of its own has no other place.
        matched_at = where.of_passages(result.judgement.passages) if result is not None else 0
        pruning.note(candidate.places, matched_at=matched_at)
        if result is not None:
            matched.append(result)
            chars += len(prepared_query.text.canonical.source) + len(result.stored.body)
        if chars > KEPT_CHARS // 2:  # what is known of more pairs would be forgotten before they are judged again
            found += siblings.judged(matched)
            matched, chars = [], 0
    return found + siblings.judged(matched)


def _is_worth_aligning(candidate: Candidate, pruning: Pruning) -> bool:
    return not candidate.places or pruning.keeps(candidate.places)
