"""Common sources that are found by meaning: what was judged before they were known is compared again.

A hit is compared by the worker of the literal comparison, which reads the stored retellings; a retelling by that of the
comparison by meaning.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from fingerprint.model import ALGORITHM_VERSION
from matcher.comparison.late_thirds import KnownPair, explained_by, known_pairs
from matcher.meaning.languages import language_of
from matcher.provenance.page_facts import facts_of_page
from matcher.provenance.third_source import Related, relation_of
from matcher.retellings.relations_by_meaning import related_by_meaning
from storage.matches.hits_among import hits_among, stored_hits_of_page
from storage.meaning.shared_by_meaning import compare_again_soon, shared_among
from storage.pages import backlog_entry, pages
from storage.types import Relation

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from matcher.comparison.store_reader import StoreReader
    from matcher.retellings.asked import Asked
    from matcher.retellings.retold_match import RetoldMatch
    from storage.records.pages import PageRecord

PAGES: Final = 3
"""Pages of one text whose hits are looked at."""


def judge_again(
    session: "Session", reader: "StoreReader", page: "PageRecord", asked: "Asked", found: "Sequence[RetoldMatch]"
) -> None:
    """Have hits and retellings judged again that the page explains, or that what was found by meaning explains."""
    if not found:
        return
    held = {
        other.id: (other, replace(related_by_meaning(match), facts=match.pairs.of(other).right, page_id=other.id))
        for match in found
        for other in match.pages[:PAGES]
        if other.text_id == match.stored.id
    }
    own = set(_own_versions(session, reader, page, asked, [related for _, related in held.values()]))
    hits = hits_among(session, held.keys(), algorithm_version=ALGORITHM_VERSION)
    retold = shared_among(session, held.keys())
    texts = {page_id: other.text_id for page_id, (other, _) in held.items()}
    pairs = [
        *known_pairs(hits, texts),
        *(
            KnownPair(one.page_ids, one.spans, max(one.page_ids), by_meaning=True)
            for one in retold
            if one.relation is Relation.COPY and one.text_ids == tuple(texts[page_id] for page_id in one.page_ids)
        ),
    ]
    seen = {page_id: related for page_id, (_, related) in held.items()}
    language = _language(asked.text, next(iter(seen.values())).spans) if seen else ""
    explained = list(explained_by(asked.facts, page.id, seen, pairs, language=language))
    own |= {held[pair.copy_id][0].version_id for pair in explained if not pair.by_meaning}
    backlog_entry.enqueue(session, own)
    compare_again_soon(session, {texts[page_id] for pair in explained if pair.by_meaning for page_id in pair.page_ids})


def _own_versions(
    session: "Session", reader: "StoreReader", page: "PageRecord", asked: "Asked", thirds: Sequence[Related]
) -> Iterator[int]:
    """Yield the page's version if a hit of it is explained by one of the thirds."""
    hits = stored_hits_of_page(session, page.id, algorithm_version=ALGORITHM_VERSION)
    others = pages.pages_by_id(session, {page_id for hit in hits for page_id in hit.found.page_ids})
    texts = {page_id: other.text_id for page_id, other in others.items()}
    bodies = reader.texts({text_id for text_id in texts.values() if text_id != page.text_id}) if hits else {}
    language = _language(asked.text, thirds[0].spans) if thirds else ""
    for pair in known_pairs((hit for hit in hits if texts.keys() >= set(hit.found.page_ids)), texts):
        at = pair.page_ids.index(page.id)
        other = others[pair.page_ids[1 - at]]
        body = (
            asked.text
            if other.text_id == page.text_id
            else bodies[other.text_id].body
            if other.text_id in bodies
            else ""
        )
        related = Related(facts_of_page(other, body), pair.spans[at], pair.spans[1 - at], other.id)
        if relation_of(asked.facts, related, thirds, language=language).third is not None:
            yield page.version_id
            return


def _language(text: str, spans: Sequence[tuple[int, int]]) -> str:
    return language_of([text[start:end] for start, end in spans])
