"""Former versions of pages: a copy of an earlier version is a copy, even if the page has changed since."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from matcher.comparison.compare_pair import Compared
from matcher.comparison.store_reader import PAGES_PER_TEXT
from matcher.provenance.direction import direction_between
from matcher.provenance.page_facts import PageFacts, facts_of_page
from storage.records.pages import PageRecord

if TYPE_CHECKING:
    from matcher.comparison.store_reader import StoreReader

ADDS: Final = 0.1
"""A former version is shown beside the present one of the same page if it explains this share of the text more."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """The pages that hold each text, first seen first. `former`: pairs (page, text) of texts replaced since."""

    pages: dict[int, list[PageRecord]]
    former: frozenset[tuple[int, int]]


def holdings_of(reader: "StoreReader", text_ids: Collection[int], facts: PageFacts) -> Holdings:
    """Return the pages that hold these texts, and those that once did and may be the source of the query page.

    A page that once held a copy and removed it is neither a source nor a copy of anything new.
    """
    present, gone = reader.pages_of(text_ids)
    found = {text_id: present[text_id] for text_id in text_ids}
    former: set[tuple[int, int]] = set()
    for text_id in text_ids:
        sources = [page for page in gone[text_id] if not direction_between(facts, facts_of_page(page)).left_is_source]
        if sources:
            held = sorted([*found[text_id], *sources], key=lambda page: (page.first_seen_at, page.id))
            found[text_id] = held[:PAGES_PER_TEXT]
        former.update((page.id, text_id) for page in sources)
    return Holdings(found, frozenset(former))


def is_outdated(item: Compared, found: Sequence[Compared], former: frozenset[tuple[int, int]]) -> bool:
    """Whether no page of `item` holds its text now, and their present texts explain as much of the query text."""
    present: dict[int, float] = {}
    for other in found:
        for page in other.pages:
            if (page.id, other.stored.id) not in former:
                present[page.id] = max(other.judgement.left_share, present.get(page.id, 0.0))
    return all(
        (page.id, item.stored.id) in former
        and page.id in present
        and item.judgement.left_share < present[page.id] + ADDS
        for page in item.pages
    )
