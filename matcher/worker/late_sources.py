"""Third sources that are stored late: hits between pages that were judged before their common source was known."""

from typing import TYPE_CHECKING

from fingerprint.model import ALGORITHM_VERSION
from matcher.comparison.late_thirds import explained_by, known_pairs
from matcher.comparison.relations import is_source, related_of
from matcher.provenance.page_facts import facts_of_page
from storage.matches.hits_among import hits_among

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from matcher.comparison.compare_pair import Compared
    from storage.records.pages import PageRecord


def versions_to_judge_again(session: "Session", page: "PageRecord", body: str, found: "Sequence[Compared]") -> set[int]:
    """Return the versions of copies of `page` whose stored hits with each other it explains.

    They are compared again as others are: their own comparison sees the page among its matches. Nothing is read for a
    page that was not first for sure.
    """
    copies = [item for item in found if is_source(item.first, query_is_source=True)]
    held = {other.id: (item, other) for item in copies for other in item.pages if other.text_id == item.stored.id}
    hits = hits_among(session, held.keys(), algorithm_version=ALGORITHM_VERSION)
    seen = (
        {page_id: related_of(item, item.pairs.of(other), other) for page_id, (item, other) in held.items()}
        if hits
        else {}
    )
    texts = {page_id: other.text_id for page_id, (_, other) in held.items()}
    explained = explained_by(facts_of_page(page, body), page.id, seen, known_pairs(hits, texts))
    return {held[pair.copy_id][1].version_id for pair in explained}
