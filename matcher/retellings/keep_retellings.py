"""The worker's share: a stored text compared by meaning, and what was found saved for its pages.

The comparison of either text finds a pair, so a retelling stays unless one of its texts is replaced or another encoder
does not find it: the candidates of the other text may be other ones.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from fingerprint.model import ALGORITHM_VERSION
from matcher.comparison.store_reader import StoreReader
from matcher.provenance.page_facts import facts_of_page
from matcher.retellings.asked import Asked
from matcher.retellings.compare_by_meaning import compare_by_meaning
from matcher.retellings.retold_match import RetoldMatch
from matcher.retellings.search import MeaningSearch
from storage.matches.saving import wording_shared
from storage.meaning.retellings import save_retellings, withdraw_retellings
from storage.records.pages import PageRecord
from storage.records.retellings import NewRetelling

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

PAGES: Final = 3
"""Pages of a text that are paired with as many of the other: one of each owner, first seen first."""
STORED_SENTENCES: Final = 200
"""Pairs of sentences that are stored, the first: of an article all of them."""
STORED_PARTICULARS: Final = 100


def keep_retellings(
    session: "Session", search: MeaningSearch, text_id: int, *, reader: StoreReader | None = None
) -> int:
    """Compare a stored text with the store by meaning, and save what is found for its pages. Repeating it changes
    nothing. Returns the number of pairs of pages.

    Raises EncoderUnavailable.
    """
    reader = StoreReader(session) if reader is None else reader
    stored = reader.texts([text_id]).get(text_id)
    pages = reader.pages_of([text_id])[0][text_id]
    found: list[NewRetelling] = []
    if stored is not None and pages:
        wording = wording_shared(session, text_id, algorithm_version=ALGORITHM_VERSION)
        for page in _one_of_each_owner(pages):
            asked = Asked(stored.body, facts_of_page(page, stored.body), text_id, page.owner_key, wording)
            comparison = compare_by_meaning(session, search, asked, reader=reader)
            found += (one for match in comparison.found for one in _pairs(reader, page, match, search.label))
    unique = {(min(one.page_ids), max(one.page_ids)): one for one in found}
    save_retellings(session, list(unique.values()))
    withdraw_retellings(session, text_id, encoder=search.label, keep=unique.keys())
    return len(unique)


def _one_of_each_owner(pages: Iterable[PageRecord]) -> list[PageRecord]:
    first: dict[str, PageRecord] = {}
    for page in pages:
        first.setdefault(page.owner_key, page)
    return list(first.values())[:PAGES]


def _pairs(reader: StoreReader, page: PageRecord, match: RetoldMatch, encoder: str) -> Iterator[NewRetelling]:
    """Yield the page with pages that hold the other text now: a former version would be withdrawn again."""
    present = {held.id for held in reader.pages_of([match.stored.id])[0][match.stored.id]}
    for other in _one_of_each_owner(one for one in match.pages if one.id in present):
        yield new_retelling(page, other, match, encoder)


def new_retelling(page: PageRecord, other: PageRecord, match: RetoldMatch, encoder: str) -> NewRetelling:
    """Return the retelling of two pages as it is stored; `other` holds the text that matches that of `page`."""
    direction = match.pairs.of(other).direction
    retelling = match.retelling
    return NewRetelling(
        page_ids=(page.id, other.id),
        text_ids=(page.text_id, match.stored.id),
        encoder=encoder,
        kind=match.kind,
        score=round(retelling.score, 4),
        shares=(round(retelling.left_share, 4), round(retelling.right_share, 4)),
        in_order=retelling.stretch.in_order,
        figures=retelling.figures,
        particulars=retelling.particulars[:STORED_PARTICULARS],
        sentences=match.sentences[:STORED_SENTENCES],
        source_page_id=page.id if direction.left_is_source else other.id,
        confidence=round(direction.confidence, 4),
        reasons=direction.reasons,
        relation=match.relation,
        third_page_id=None if match.third is None else match.third.id,
    )
