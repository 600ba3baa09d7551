"""Filters the links of pages for addresses worth a visit. Bounded in memory."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from crawler.outcomes.refusals import Refusal, RefusalLog
from crawler.urls.canonical import identity_of, shape_of
from crawler.urls.scope import Scope
from storage.records.crawl import FoundUrl, UrlKind

RECENT: Final = 50_000
"""Addresses judged lately, by hash: 6 MB. Navigation is on every page and need not be judged each time."""

SHAPES: Final = 5_000

BARREN: Final = 60
"""Pages of one shape in a row that hold no article and lead only to pages of their shape. Calendars consist of these;
archives and forums, with pages that hold articles or lead to some, stay far below."""


class LinkFilter:
    """Judges addresses on pages; each once, as long as it is remembered."""

    def __init__(self, scope: Scope, refusals: RefusalLog) -> None:
        self._scope = scope
        self._refusals = refusals
        self._recent: OrderedDict[int, None] = OrderedDict()

    def worth_a_visit(self, urls: Iterable[str], *, link_depth: int, traps: "Traps") -> list[FoundUrl]:
        """Those of `urls` that are inside the scope and no trap; the others are counted as refused."""
        found = []
        for url in urls:
            identity = identity_of(url)
            if self._was_judged(identity):
                continue
            refusal = self._scope.refusal(url, link_depth=link_depth)
            if refusal is None and traps.has(url):
                refusal = Refusal.ENDLESS_PARAMETERS
            if refusal is None:
                found.append(FoundUrl(url, identity, link_depth=link_depth))
            else:
                self._refusals.add(refusal, url)
        return found

    def _was_judged(self, identity: int) -> bool:
        if identity in self._recent:
            self._recent.move_to_end(identity)
            return True
        self._recent[identity] = None
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)
        return False


class Traps:
    """Shapes of addresses that lead nowhere."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._barren: OrderedDict[str, int] = OrderedDict.fromkeys(known, BARREN)

    def has(self, url: str) -> bool:
        return self._barren.get(shape_of(url), 0) >= BARREN

    def visited(self, url: str, *, is_fruitful: bool) -> str | None:
        """Counts the visit of a linked page. Returns its shape if that has just become a trap."""
        shape = shape_of(url)
        if is_fruitful:
            self._barren.pop(shape, None)
            return None
        count = self._barren.get(shape, 0) + 1
        self._barren[shape] = count
        self._barren.move_to_end(shape)
        if len(self._barren) > SHAPES:
            self._barren.popitem(last=False)
        return shape if count == BARREN else None


def leads_beyond(url: str, found: Iterable[FoundUrl]) -> bool:
    """Whether any of the addresses found on the page `url` has another shape."""
    shape = shape_of(url)
    return any(shape_of(one.url) != shape for one in found)


def on_same_level(found: list[FoundUrl], url: str, link_depth: int, *, next_list: str | None) -> list[FoundUrl]:
    """`found` on the page `url`; if that is a list that leads anywhere, with its next page no deeper than itself:
    archives of thousands of pages are no trap.
    """
    identity = None if next_list is None else identity_of(next_list)
    if identity is None or not leads_beyond(url, found):
        return found
    return [replace(one, link_depth=link_depth) if one.identity == identity else one for one in found]


def entry(url: str, kind: UrlKind) -> FoundUrl:
    """An address from a site's settings or its robots.txt."""
    return FoundUrl(url, identity_of(url), kind)
