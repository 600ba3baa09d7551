"""Third sources that are stored late: hits between pages that were judged before their common source was known."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fingerprint.model import ALGORITHM_VERSION
from matcher.comparison.relations import is_source, related_of
from matcher.provenance.third_source import Related, relation_of
from storage.matches.hits_among import hits_among
from storage.types import Relation

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from matcher.comparison.compare_pair import Compared
    from storage.records.matches import StoredHit
    from storage.records.pages import PageRecord


def versions_to_judge_again(session: "Session", page: "PageRecord", found: "Sequence[Compared]") -> set[int]:
    """Return the versions of copies of `page` whose stored hits with each other it explains.

    They are compared again as others are: their own comparison sees the page among its matches. Nothing is read for a
    page that was not first for sure.
    """
    copies = [item for item in found if is_source(item.first, query_is_source=True)]
    held = {other.id: (item, other) for item in copies for other in item.pages if other.text_id == item.stored.id}
    return set(_explained(held, page, hits_among(session, held.keys(), algorithm_version=ALGORITHM_VERSION)))


def _explained(
    held: "Mapping[int, tuple[Compared, PageRecord]]", page: "PageRecord", hits: "Sequence[StoredHit]"
) -> Iterator[int]:
    for hit in hits:
        low, high = hit.found.page_ids
        if hit.found.relation is Relation.BOTH_FROM_THIRD or page.id in (low, high):
            continue
        (one, left), (other, right) = held[low], held[high]
        if (left.text_id, right.text_id) not in (
            (hit.low_text_id, hit.high_text_id),
            (hit.high_text_id, hit.low_text_id),
        ):
            continue
        passages = hit.passages if left.text_id == hit.low_text_id else tuple(item.swapped() for item in hit.passages)
        real = [passage for passage in passages if not passage.is_boilerplate]
        related = Related(
            facts=other.pairs.of(right).right,
            spans=tuple((passage.left_start, passage.left_end) for passage in real),
            own_spans=tuple((passage.right_start, passage.right_end) for passage in real),
            page_id=right.id,
        )
        pair = one.pairs.of(left)
        third = related_of(one, pair, left).mirrored(pair.left, page.id)
        if relation_of(pair.right, related, [third]).third is not None:
            yield (left if hit.found.source_page_id == right.id else right).version_id
