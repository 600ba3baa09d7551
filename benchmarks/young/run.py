"""Fills a store, compares it as the worker does, and counts innocents left alone and copies found."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Final

from benchmarks.quality.scenarios.scratch_store import as_article
from benchmarks.young.corpus import SitePage, in_parts
from benchmarks.young.world import Planted, draw
from fingerprint.compute import fingerprint_text
from matcher.worker.backlog import work_off
from storage.engine import transaction
from storage.fingerprints import boilerplate
from storage.matches import hits as match_hits
from storage.pages import saving
from storage.records.matches import HitFilter, HitRecord, Passage
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.records.sites import SiteSettings
from storage.sites import sites

if TYPE_CHECKING:
    from sqlalchemy import Engine

DRAWS: Final = {20: 8, 100: 2}
"""Stores of a size that are drawn; of larger ones one. One false page of twenty says little."""
MOST_HITS: Final = 100_000
BATCH: Final = 50
OVERLAP: Final = 20
"""Characters of copied text that a passage must have to show the copy."""


@dataclass(frozen=True, slots=True)
class Request:
    sizes: tuple[int, ...]
    seed: int
    validating: bool | None
    """Whether the sites and wordings are used that are left out for validation; None: all sites."""


@dataclass(slots=True)
class Line:
    """The results of the stores of one size."""

    size: int
    draws: int = 0
    pages: int = 0
    accused: int = 0
    """Pages with a hit that rests on what was planted at their edges."""
    first_pages: int = 0
    """Others with such a hit, on pieces of one page of either host: these cannot be distinguished yet."""
    false_pairs: Counter[str] = field(default_factory=Counter)
    """Pairs of pages that share planted pieces only, by the kind of the piece."""
    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    """Copies by family."""
    own_hits: int = 0
    """Hits between pages that share something of their own."""
    provisional: int = 0
    seconds: float = 0.0

    @property
    def left_alone(self) -> float:
        return 1.0 - self.accused / self.pages if self.pages else 1.0

    @property
    def recall(self) -> float:
        return self.found.total() / self.planted.total() if self.planted else 1.0


def chosen_sites(found: Sequence[SitePage], *, validating: bool | None) -> tuple[SitePage, ...]:
    """The pages of every second site by name; of the others where they are for validation; of all for None."""
    if validating is None:
        return tuple(found)
    names = sorted({page.site for page in found})[int(validating) :: 2]
    return tuple(page for page in found if page.site in names)


def run_young(
    engine: "Engine", found: Sequence[SitePage], request: Request, *, progress: Callable[[str, int, int], None]
) -> list[Line]:
    """One line a size. The same pages and request give the same stores. Raises PoolTooSmall."""
    parts = in_parts(chosen_sites(found, validating=request.validating))
    lines = []
    for size in request.sizes:
        line = Line(size)
        draws = DRAWS.get(size, 1)
        for number in range(draws):
            progress(f"stores of {size:,} pages", number, draws)
            rng = Random(f"{request.seed}/{size}/{number}/{request.validating}")  # repeatable
            world = draw(parts, size, rng, validating=bool(request.validating))
            started = time.monotonic()
            hits = _compared(engine, world)
            line.seconds += time.monotonic() - started
            _count(line, world, hits)
        lines.append(line)
    return lines


def _compared(engine: "Engine", world: Sequence[Planted]) -> list[HitRecord]:
    """The hits of a store that holds nothing else, and is empty again afterwards."""
    names = sorted({page.site for page in world})
    with transaction(engine) as session:
        ids = {name: sites.add_site(session, SiteSettings(name=name, start_urls=(), hosts=())).id for name in names}
    for start in range(0, len(world), BATCH):
        articles = [_article(page, ids[page.site]) for page in world[start : start + BATCH]]
        saved = [FingerprintedArticle(article, fingerprint_text(article.text)) for article in articles]
        with transaction(engine) as session:
            saving.save_pages(session, saved)
    work_off(engine, should_stop=lambda: False)
    with transaction(engine) as session:
        hits = match_hits.list_hits(session, HitFilter(), limit=MOST_HITS)
        for name in names:
            sites.remove_site(session, name)
        boilerplate.forget_all(session)
    return hits


def _article(page: Planted, site_id: int) -> NewArticle:
    return replace(as_article(page.url, "", page.text), site_id=site_id)


def _count(line: Line, world: Sequence[Planted], hits: Sequence[HitRecord]) -> None:
    by_url = {page.url: page for page in world}
    line.draws += 1
    line.pages += len(world)
    line.planted.update({page.copy_of: page.family for page in world if page.copy_of}.values())
    accused: set[str] = set()
    first_pages: set[str] = set()
    bearers = Counter((page.site, kind) for page in world for _, _, kind in page.pieces)
    found: dict[str, str] = {}
    for hit in hits:
        copy, source = by_url[hit.copy.url], by_url[hit.source.url]
        stories = {copy.copy_of or copy.url, source.copy_of or source.url}
        kinds = _planted_kinds(copy, source, hit.passages)
        if len(stories) == 1:
            if shows_copy(copy, source, hit.passages):
                copied = copy if copy.copy_of else source
                found[copied.copy_of] = copied.family
        elif kinds:
            is_told = any(bearers[site, kind] > 1 for site in (copy.site, source.site) for kind in kinds)
            (accused if is_told else first_pages).update((copy.url, source.url))
            line.false_pairs.update(["+".join(sorted(kinds))])
        else:
            line.own_hits += 1
        line.provisional += hit.evidence.provisional
    line.accused += len(accused)
    line.first_pages += len(first_pages - accused)
    line.found.update(found.values())


def shows_copy(copy: Planted, source: Planted, passages: Sequence[Passage]) -> bool:
    """Whether a passage that counts overlaps what was copied, in the copy and in its source.

    What both pages have at their edges, or what the copier's own words share by chance, does not show a copy.
    """
    if source.copied:
        copy, source, passages = source, copy, [passage.swapped() for passage in passages]
    return any(
        min(passage.left_end, end) - max(passage.left_start, start) >= OVERLAP
        and min(passage.right_end, source.body_at + last) - max(passage.right_start, source.body_at + first) >= OVERLAP
        for passage in passages
        if not passage.is_boilerplate
        for start, end, first, last in copy.copied
    )


def _planted_kinds(copy: Planted, source: Planted, passages: Sequence[Passage]) -> set[str]:
    """Of the pieces in which at least half of a proving passage lies, on either side."""
    kinds = set()
    for passage in passages:
        if not passage.is_boilerplate:
            kinds |= _inside(copy, passage.left_start, passage.left_end)
            kinds |= _inside(source, passage.right_start, passage.right_end)
    return kinds


def _inside(page: Planted, start: int, end: int) -> set[str]:
    overlaps = [(min(end, last) - max(start, first), kind) for first, last, kind in page.pieces]
    real = [(chars, kind) for chars, kind in overlaps if chars > 0]
    covered = sum(chars for chars, _ in real)
    return {kind for _, kind in real} if 2 * covered >= end - start else set()
