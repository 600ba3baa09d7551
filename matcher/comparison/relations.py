"""The relation of the query page with each page that matches it: a copy, or both from a third source."""

from typing import TYPE_CHECKING, Final

from matcher.provenance.third_source import COPY, SURE, Related, RelationFound, relation_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matcher.comparison.compare_pair import Compared
    from matcher.comparison.page_pairs import PagePair
    from matcher.provenance.page_facts import PageFacts
    from storage.records.pages import PageRecord

THIRDS: Final = 4
"""Texts that are tried as the common source of a match: those that the query text shares most with."""


class Relations:
    """Relations of the query page, each found when it is first asked for: most matches have no third source."""

    def __init__(self, found: "Sequence[Compared]" = ()) -> None:
        self._found = found
        self._thirds: list[Related] | None = None
        self._by_meaning: list[Related] = []
        self._language = ""
        self._known: dict[tuple[int, int], RelationFound] = {}

    def learn(self, by_meaning: "Iterable[Related]", *, language: str) -> None:
        """Take into account what was found by meaning, too. `language`: of the query text."""
        self._by_meaning += by_meaning
        self._language = language
        self._known.clear()

    def of(self, item: "Compared", page: "PageRecord") -> RelationFound:
        """Return the relation of the query page with a page that holds the text of `item`."""
        key = item.stored.id, page.id
        if key not in self._known:
            pair = item.pairs.of(page)
            self._known[key] = self.of_related(pair.left, related_of(item, pair, page))
        return self._known[key]

    def of_related(self, query: "PageFacts", other: Related) -> RelationFound:
        """Return the relation of the query page, with its text, and a page that was found literally or by meaning."""
        if not query.text or not other.facts.text:
            return COPY
        thirds = [third for third in (*self.thirds, *self._by_meaning) if third.page_id != other.page_id]
        return relation_of(query, other, thirds, language=self._language)

    @property
    def thirds(self) -> list[Related]:
        """Texts that were surely there before the query page, and share most wording with it."""
        if self._thirds is None:
            sources = [item for item in self._found if is_source(item.first)]
            sources.sort(key=lambda item: (-item.judgement.left_share, item.stored.id))
            self._thirds = [related_of(item, item.first, item.pages[0]) for item in sources[:THIRDS]]
        return self._thirds

    def pages(self) -> "dict[int, PageRecord]":
        """Return the pages found literally, by id."""
        return {page.id: page for item in self._found for page in item.pages}


def relations_in(found: "Sequence[Compared]") -> Relations:
    """Return the relations that the results of one comparison share; empty ones without results."""
    return next((item.relations for item in found if item.relations is not None), None) or Relations()


def related_of(item: "Compared", pair: "PagePair", page: "PageRecord") -> Related:
    """Return a matching text as the relation sees it. `pair`: the query page and the page."""
    real = [passage for passage in item.judgement.passages if not passage.is_boilerplate]
    size = sum(passage.left_end - passage.left_start for passage in real)
    alike = sum(passage.similarity * (passage.left_end - passage.left_start) for passage in real)
    return Related(
        facts=pair.right,
        spans=tuple((passage.left_start, passage.left_end) for passage in real),
        own_spans=tuple((passage.right_start, passage.right_end) for passage in real),
        page_id=page.id,
        similarity=alike / size if size else 1.0,
    )


def is_source(pair: "PagePair", *, query_is_source: bool = False) -> bool:
    """Return whether the page, or else the query page, is the source of the other for sure."""
    return pair.direction.left_is_source is query_is_source and pair.direction.confidence >= SURE
