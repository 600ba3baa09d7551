"""One text against the whole store: all matches, except those that only list first lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from fingerprint.compute import analyse
from matcher.comparison.compare_pair import Compared
from matcher.comparison.query import Query, query_of_page
from matcher.comparison.relations import Relations
from matcher.comparison.store_reader import StoreReader
from matcher.comparison.store_search import StoreSearch, search_store
from matcher.discounts.index_pages import entries_of_index, is_entry
from matcher.judgement.mosaic import own_shares, parts_of_mosaic
from matcher.retrieval.candidates import LookUp, find_candidates
from storage.types import MatchKind

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

COPY_SHARE: Final = 0.5
"""Least share of the checked text for the verdict "copy"; below it the text borrows."""
INDEXES_TESTED: Final = 4
"""Pages that are tested for being an index: each test costs a comparison with the store."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """`found`: the texts that match, most likely copies first."""

    found: list[Compared]
    listed: frozenset[int]
    """Texts that share first lines with the query text as a list page does, on either side: not copies."""
    search: StoreSearch

    @property
    def cut(self) -> int:
        """Number of candidates that bounds left out."""
        return self.search.retrieved.cut + len(self.search.left_out)


def compare_with_store(
    session: "Session", query: Query, *, look_up: LookUp = find_candidates, reader: StoreReader | None = None
) -> Comparison:
    """Compare the query text with every stored text that may share something with it. `reader`: of a batch."""
    reader = StoreReader(session) if reader is None else reader
    search = search_store(reader, query, look_up)
    listed = _listed(search.found)
    listed |= _indexes(reader, [item for item in search.found if item.stored.id not in listed], look_up)
    found = [item for item in search.found if item.stored.id not in listed]
    found.sort(key=lambda item: (-item.judgement.score, item.stored.id))
    relations = Relations(found)
    found = [replace(item, relations=relations) for item in found]
    return Comparison(_with_mosaic(found, len(query.text.canonical.source)), listed, search)


def _listed(found: Sequence[Compared]) -> frozenset[int]:
    """Return the texts whose first lines the query text lists, if it is an index of them."""
    entries = entries_of_index([item.judgement.passages for item in found])
    return frozenset(found[number].stored.id for number in entries)


def _indexes(reader: StoreReader, found: Sequence[Compared], look_up: LookUp) -> frozenset[int]:
    """Return the texts that list the first lines of the query text and of many others."""
    suspects = [
        item
        for item in found
        if item.judgement.right_share < COPY_SHARE and is_entry([one.swapped() for one in item.judgement.passages])
    ]
    return frozenset(item.stored.id for item in suspects[:INDEXES_TESTED] if _is_index(reader, item, look_up))


def _is_index(reader: StoreReader, item: Compared, look_up: LookUp) -> bool:
    # The page may hold another text by now.
    query = replace(query_of_page(item.pages[0], analyse(item.stored.body)), self_id=item.stored.id, site_ids=())
    return bool(_listed(search_store(reader, query, look_up).found))


def _with_mosaic(found: Sequence[Compared], length: int) -> list[Compared]:
    copied = [item for item in found if not item.direction.left_is_source]
    sources = [item.judgement.passages for item in copied]
    mosaic = {copied[number].stored.id for number in parts_of_mosaic(sources, length)}
    own = {item.stored.id: share for item, share in zip(copied, own_shares(sources, length), strict=True)}
    return [
        replace(
            item,
            kind=MatchKind.MOSAIC if item.stored.id in mosaic else item.kind,
            own_share=own.get(item.stored.id, 0.0),
        )
        for item in found
    ]
