"""The budget of one run: pages and bytes that it may fetch."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from storage.records.crawl import Claim, UrlKind

_PAGES: Final = frozenset({UrlKind.ARTICLE, UrlKind.LIST})
"""Sitemaps and feeds cost bytes, and no pages."""


@dataclass(slots=True)
class Budget:
    """Pages and bytes of one run, and how much of them is used; `most_bytes` None: no limit."""

    pages: int
    most_bytes: int | None = None
    _pages_taken: int = field(default=0, init=False)
    _bytes_taken: int = field(default=0, init=False)

    @property
    def pages_left(self) -> int:
        return self.pages - self._pages_taken

    @property
    def is_spent(self) -> bool:
        return self.pages_left <= 0 or (self.most_bytes is not None and self._bytes_taken >= self.most_bytes)

    def took(self, claims: Iterable[Claim]) -> None:
        """Counts claims when they are made, so that there are never more than the budget allows."""
        self._pages_taken += sum(claim.kind in _PAGES for claim in claims)

    def took_part(self) -> None:
        """Counts a further page of an article, which has no claim."""
        self._pages_taken += 1

    def gave_back(self, claim: Claim) -> None:
        """Returns the page of a claim for which nothing was fetched."""
        self._pages_taken -= claim.kind in _PAGES

    def fetched(self, size: int) -> None:
        """`size`: bytes of an answer's body."""
        self._bytes_taken += size
