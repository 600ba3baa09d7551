"""One site of the web is ours: it is crawled, nothing else is named, and Zhiwen discovers what it can."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from protego import Protego

from benchmarks.common.stores import opened
from benchmarks.crawl.web_copies import WebCopy
from benchmarks.discovery.losses import lost_at
from benchmarks.discovery.metasearch import Query, SearchService
from benchmarks.discovery.planted import Planted
from benchmarks.discovery.program import Program
from benchmarks.discovery.result import Miss, Stranger, Turn
from benchmarks.discovery.web import Served
from benchmarks.discovery.world import World
from crawler.urls.canonical import canonical_url, host_of
from crawler.web_search.budget import VISITS
from storage.cases import detail, listing
from storage.cases.lists.filters import CaseFilter
from storage.engine import transaction
from storage.matches import hits as match_hits
from storage.pages import pages
from storage.records.case_states import WAITING_STATES
from storage.records.matches import HitFilter, HitRecord
from storage.records.pages import PageRecord
from storage.types import CaseQueue
from storage.web_search import articles, finds

if TYPE_CHECKING:
    from sqlalchemy import Engine

OURS: Final = "ours"
MOST_ARTICLES: Final = 100_000
MOST_HITS: Final = 100_000
REPOST: Final = "repost"


@dataclass(frozen=True, slots=True)
class Setting:
    """What all turns share: the web, where it is served, and the search service that has seen it."""

    world: World
    served: Served
    service: SearchService

    def address(self, site: str, path: str) -> str:
        return canonical_url(f"{self.served.addresses[site]}{path}")

    def file_at(self, url: str) -> str:
        """The file of an address, as the reposts name files; empty for other hosts."""
        site = next((name for name, base in self.served.addresses.items() if host_of(base) == host_of(url)), "")
        return self.world.file_of(site, urlsplit(url).path) if site else ""

    @property
    def indexed(self) -> dict[str, str]:
        """The file of each address of the index."""
        return {self.address(page.site, page.path): page.file for page in self.world.pages}


def run_turn(setting: Setting, ours: WebCopy, program: Program, *, most: int | None = None) -> Turn:
    """Crawl and discover with the commands of Zhiwen, and read its store. Raises CommandFailed.

    `most`: articles that are asked about, those with known copies first; the copies of others do not count.
    """
    began = monotonic()
    address = setting.served.addresses[ours.name]
    program.run(
        "site", "add", f"{address}{ours.prefix}/", "--name", OURS, "--role", "original", "--delay", "0", "--yes"
    )
    program.run("crawl", OURS)
    program.run("match")
    chosen = None if most is None else _chosen(setting, ours, program, most)
    program.write_services(setting.service.url)
    asked_before, requests_before = len(setting.service.queries()), len(setting.served.requests())
    counts = json.loads(program.run("discover", OURS, "--articles", str(MOST_ARTICLES), "--json"))
    seconds = monotonic() - began
    asked = setting.service.queries()[asked_before:]
    requests = setting.served.requests()[requests_before:]
    with opened(program.home) as (_, engine):
        store = _Store.of(engine)
        found = _Judge(setting, ours, store, counts, chosen)
        return Turn(
            site=ours.name,
            articles=len(store.ours) if chosen is None else len(chosen),
            planted=dict(Counter(one.disguise for one in found.planted)),
            found=dict(Counter(one.disguise for one in found.planted if found.is_found(one))),
            reposts=tuple(found.reposts),
            reposts_found=tuple(pair for pair in found.reposts if found.is_repost_found(pair)),
            queries=len(asked),
            fetches=_fetches(requests, ours),
            case_pairs=len(store.cases),
            misses=tuple(found.misses(engine, asked)),
            strangers=tuple(found.strangers(store.cases)),
            forbidden_requests=tuple(forbidden(requests, setting)),
            counts=counts,
            seconds=round(seconds, 1),
            passage_pairs=len(store.passages),
            passages=tuple(found.strangers(store.passages)),
        )


def _chosen(setting: Setting, ours: WebCopy, program: Program, most: int) -> set[str]:
    """Have all articles of ours but `most` taken for asked about. Returns the files of these."""
    world = setting.world
    listed = sorted(file for pair in world.reposts for file in pair)
    copied = [world.twins.get(file, file) for file in listed] + [one.source for one in world.planted]
    order = {file: number for number, file in reversed(list(enumerate(copied)))}
    with opened(program.home) as (_, engine), transaction(engine) as session:
        files = {setting.file_at(page.url): page.id for page in pages.list_pages(session, site=OURS)}
        chosen = sorted(files, key=lambda file: (order.get(file, len(order)), file))[:most]
        for file in files.keys() - set(chosen):
            articles.keep_visit(session, files[file], done=len(VISITS))
    return set(chosen)


@dataclass(frozen=True, slots=True)
class _Store:
    """What a store holds after discovery. `ours`: our pages by address; `cases`: hits of pairs in open cases;
    `passages`: of those in the list of shared passages.
    """

    ours: Mapping[str, PageRecord]
    hits: Sequence[HitRecord]
    cases: Sequence[HitRecord]
    passages: Sequence[HitRecord]

    @classmethod
    def of(cls, engine: "Engine") -> "_Store":
        with transaction(engine) as session:
            ours = {page.url: page for page in pages.list_pages(session, site=OURS)}
            hits = match_hits.list_hits(session, HitFilter(), limit=MOST_HITS)
            cases = match_hits.list_hits(session, HitFilter(open_case=True), limit=MOST_HITS)
            listed = listing.list_cases(session, CaseFilter(queue=CaseQueue.SHARED_PASSAGE, states=WAITING_STATES))
            pairs = {
                frozenset((one.our_page_id, page.their_page_id))
                for one in listed
                for page in detail.pages_of_case(session, one.id)
                if page.gone_at is None
            }
        passages = [hit for hit in hits if frozenset((hit.copy.page_id, hit.source.page_id)) in pairs]
        return cls(ours, hits, cases, passages)

    def sides(self, hit: HitRecord) -> tuple[str, str] | None:
        """Our address and the other; None if neither or both are ours."""
        copy, source = hit.copy.url, hit.source.url
        if (copy in self.ours) == (source in self.ours):
            return None
        return (copy, source) if copy in self.ours else (source, copy)


class _Judge:
    """Compares a store with what is known of the web."""

    def __init__(
        self, setting: Setting, ours: WebCopy, store: _Store, counts: Mapping[str, Any], chosen: Collection[str] | None
    ) -> None:
        self._setting, self._store, world = setting, store, setting.world
        self._unpublished = {visit["url"] for visit in counts["visits"] if not visit["is_published"]}
        self._chosen = chosen
        self.planted = [
            one
            for one in world.planted
            if one.site == ours.name and not one.is_forbidden and self._is_asked_about(one.source)
        ]
        beginning = f"{ours.name}/"
        self.reposts = [
            (own, next(iter(pair - {own})))
            for pair in sorted(world.reposts, key=sorted)
            for own in sorted(pair)
            if own.startswith(beginning) and self._is_asked_about(own)
        ]
        sides = [found for hit in store.hits if (found := store.sides(hit)) is not None]
        self._found = {theirs for _, theirs in sides}
        self.pairs = {frozenset(map(setting.file_at, found)) for found in sides}
        self._files = {setting.file_at(url): page for url, page in store.ours.items()}

    def _is_asked_about(self, file: str) -> bool:
        return self._chosen is None or self._linked(file) in self._chosen

    def is_found(self, one: Planted) -> bool:
        return self._setting.address(one.host, one.path) in self._found

    def is_repost_found(self, pair: tuple[str, str]) -> bool:
        return frozenset(map(self._linked, pair)) in self.pairs

    def _linked(self, file: str) -> str:
        return self._setting.world.twins.get(file, file)

    def misses(self, engine: "Engine", queries: Sequence[Query]) -> Iterator[Miss]:
        indexed = self._setting.indexed
        by_file = {file: address for address, file in indexed.items()}
        lost = [
            (one.disguise, one.source, self._setting.address(one.host, one.path), one.path)
            for one in self.planted
            if not self.is_found(one)
        ]
        for own, other in self.reposts:
            if not self.is_repost_found((own, other)):
                lost.append((REPOST, own, by_file.get(self._linked(other), other), other))
        for what, source, address, theirs in lost:
            page = self._files.get(self._linked(source))
            with transaction(engine) as session:
                body = None if page is None else pages.text_body(session, page.text_id)
                known = [] if page is None else finds.finds_of(session, page.id)
            is_published = page is None or page.url not in self._unpublished
            step = lost_at(address, body, indexed=indexed, queries=queries, finds=known, is_published=is_published)
            yield Miss(what, source, theirs if what == REPOST else indexed.get(address, theirs), step)

    def strangers(self, hits: Sequence[HitRecord]) -> Iterator[Stranger]:
        """Pairs that nobody planted or listed, each once."""
        planted = {self._setting.address(one.host, one.path): one for one in self._setting.world.planted}
        known = {frozenset(map(self._linked, pair)) for pair in self._setting.world.reposts}
        for hit in hits:
            sides = self._store.sides(hit)
            if sides is None:
                continue
            ours, theirs = sides
            own = self._setting.file_at(ours)
            origin = planted[theirs].source if theirs in planted else self._setting.file_at(theirs)
            is_planted = theirs in planted and origin.partition("/")[0] == own.partition("/")[0]
            if not is_planted and frozenset((own, origin)) not in known:
                titles = (
                    (hit.source.title, hit.copy.title) if hit.source.url == ours else (hit.copy.title, hit.source.title)
                )
                yield Stranger(own, self._setting.file_at(theirs) or theirs, titles, round(hit.score, 3), hit.longest)


def _fetches(requests: Sequence[tuple[str, str]], ours: WebCopy) -> int:
    """Requests for pages of other hosts; robots.txt is not a page."""
    return sum(site != ours.name and path != "/robots.txt" for site, path in requests)


def forbidden(requests: Sequence[tuple[str, str]], setting: Setting) -> Iterator[str]:
    """Yield the addresses that were asked for although robots.txt of their host forbids it."""
    rules: dict[str, Protego] = {}
    for copy in (*setting.world.sites, *setting.world.hosts):
        file = copy.root / "robots.txt"
        if file.is_file():
            rules[copy.name] = Protego.parse(file.read_text("utf-8", "replace"))
    for site, path in requests:
        if site in rules and path != "/robots.txt" and not rules[site].can_fetch(path, "Zhiwen"):
            yield f"{site}{path}"
