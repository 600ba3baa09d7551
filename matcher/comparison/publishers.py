"""Publishers of candidates: the pages of other owners that hold them, read when needed.

Most of the hundred texts that share a key with a page by chance are never aligned, and finding a text's pages costs the
database as much as reading the text.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from matcher.comparison.former_versions import holdings_of

if TYPE_CHECKING:
    from matcher.comparison.store_reader import StoreReader
    from matcher.provenance.page_facts import PageFacts
    from storage.records.pages import PageRecord


class OtherOwners:
    """Pages of texts, without the query page and those of its owner."""

    def __init__(self, reader: "StoreReader", facts: "PageFacts", *, not_owner: str | None) -> None:
        self._reader = reader
        self._facts = facts
        self._not_owner = not_owner
        self._pages: dict[int, list[PageRecord]] = {}
        self._every: dict[int, list[PageRecord]] = {}
        self._by_host: defaultdict[str, set[int]] = defaultdict(set)
        self._by_owner: defaultdict[str, set[int]] = defaultdict(set)
        self._former: set[tuple[int, int]] = set()

    @property
    def former(self) -> frozenset[tuple[int, int]]:
        """The pairs (page, text) looked up so far whose page has replaced the text."""
        return frozenset(self._former)

    def look_up(self, text_ids: Iterable[int]) -> None:
        """Look up all texts that were not looked up before, in one query if any was not read yet."""
        wanted = [text_id for text_id in text_ids if text_id not in self._pages]
        if not wanted:
            return
        held = holdings_of(self._reader, wanted, self._facts)
        self._former |= held.former
        for text_id in wanted:
            self._every[text_id] = held.pages.get(text_id, [])
            self._pages[text_id] = [page for page in self._every[text_id] if self._is_of_another(page)]
            for page in self._every[text_id]:
                self._by_host[page.host].add(text_id)
                self._by_owner[page.owner_key].add(text_id)

    def pages_of(self, text_id: int) -> "list[PageRecord]":
        """Return the pages of the text, first seen first; none if it was not looked up."""
        return self._pages.get(text_id, [])

    def every_page_of(self, text_id: int) -> "list[PageRecord]":
        """Return the same with the pages of the query page's owner."""
        return self._every.get(text_id, [])

    def texts_of(self, hosts: Iterable[str], owners: Iterable[str]) -> set[int]:
        """Return the texts looked up so far that have a page of one of these hosts or owners, the query's included."""
        by_host = (self._by_host.get(host, ()) for host in hosts)
        return {text_id for found in by_host for text_id in found}.union(
            *(self._by_owner.get(owner, ()) for owner in owners)
        )

    def sites(self) -> set[int]:
        """Return the sites of all pages looked up so far."""
        return {page.site_id for pages in self._pages.values() for page in pages if page.site_id is not None}

    def may_publish(self, text_id: int) -> bool:
        """Return whether another owner publishes the text, or it was not looked up yet."""
        return text_id not in self._pages or bool(self._pages[text_id])

    def _is_of_another(self, page: "PageRecord") -> bool:
        return page.url != self._facts.url and page.owner_key != self._not_owner
