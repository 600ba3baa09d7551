"""A third source that is found late: which pairs, judged before it was known, it explains. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from matcher.provenance.page_facts import PageFacts
from matcher.provenance.shared_wording import Spans
from matcher.provenance.third_source import Related, relation_of
from storage.records.matches import StoredHit
from storage.types import Relation


@dataclass(frozen=True, slots=True, eq=False)
class KnownPair:
    """Two pages that share something, as stored: ids, and the stretches of either text. `copy_id`: the later page."""

    page_ids: tuple[int, int]
    spans: tuple[Spans, Spans]
    copy_id: int
    by_meaning: bool = False


def explained_by(
    third: PageFacts, third_id: int, seen: Mapping[int, Related], pairs: Iterable[KnownPair], *, language: str = ""
) -> Iterator[KnownPair]:
    """Yield the pairs that share only because both have it from the third page.

    `seen`: by page id, what the third page shares with each page, as its own comparison found it. `language`: of the
    third text, if it is known.
    """
    for pair in pairs:
        low, high = (seen.get(page_id) for page_id in pair.page_ids)
        if low is None or high is None or third_id in pair.page_ids:
            continue
        other = Related(
            facts=high.facts,
            spans=pair.spans[0],
            own_spans=pair.spans[1],
            page_id=pair.page_ids[1],
            by_meaning=pair.by_meaning,
            language=high.language,
        )
        as_seen = replace(
            low, facts=third, page_id=third_id, spans=low.own_spans, own_spans=low.spans, language=language
        )
        if relation_of(low.facts, other, [as_seen], language=low.language).third is not None:
            yield pair


def known_pairs(hits: Iterable[StoredHit], texts: Mapping[int, int]) -> Iterator[KnownPair]:
    """Yield the hits that are taken for copies, of the texts that the pages hold now. `texts`: by page id."""
    for hit in hits:
        low, high = hit.found.page_ids
        of_hit = hit.low_text_id, hit.high_text_id
        if hit.found.relation is Relation.BOTH_FROM_THIRD or (texts[low], texts[high]) not in (of_hit, of_hit[::-1]):
            continue
        passages = hit.passages if texts[low] == hit.low_text_id else tuple(item.swapped() for item in hit.passages)
        real = [passage for passage in passages if not passage.is_boilerplate]
        yield KnownPair(
            page_ids=(low, high),
            spans=(
                tuple((passage.left_start, passage.left_end) for passage in real),
                tuple((passage.right_start, passage.right_end) for passage in real),
            ),
            copy_id=high if hit.found.source_page_id == low else low,
        )
