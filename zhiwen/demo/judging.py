"""Compares the planted copies of the demo with the hits. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from crawler.urls.canonical import canonical_url
from storage.records.differences import sum_differences
from storage.records.matches import HitRecord
from zhiwen.demo.model import DemoSite, Planted


@dataclass(frozen=True, slots=True)
class FoundCopy:
    """A planted copy with the hits that show it; `missing` are sources no hit names."""

    planted: Planted
    url: str
    hits: tuple[HitRecord, ...]
    missing: tuple[str, ...]
    wrong_way: tuple[HitRecord, ...]
    """Hits that take the copy for the source."""
    wrong_credit: tuple[HitRecord, ...]

    @property
    def is_right(self) -> bool:
        return not (self.missing or self.wrong_way or self.wrong_credit)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`false_hits` are hits that name no planted copy with its source; `left_alone` innocent pages in no such hit."""

    copies: tuple[FoundCopy, ...]
    false_hits: tuple[HitRecord, ...]
    left_alone: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        return not self.false_hits and all(copy.is_right for copy in self.copies)


def judge_demo(sites: Sequence[DemoSite], hits: Iterable[HitRecord]) -> Verdict:
    original = next(site for site in sites if site.role == "original")
    by_pair: dict[frozenset[str], HitRecord] = {frozenset((hit.copy.url, hit.source.url)): hit for hit in hits}
    copies = tuple(_found_copy(planted, site, original, by_pair) for site in sites for planted in site.planted)
    explained = {frozenset((copy.url, _url(original, path))) for copy in copies for path in copy.planted.source_paths}
    false_hits = tuple(hit for pair, hit in by_pair.items() if pair not in explained)
    accused = {url for hit in false_hits for url in (hit.copy.url, hit.source.url)}
    innocent = [_url(site, path) for site in sites for path in site.innocent_paths]
    return Verdict(copies, false_hits, tuple(url for url in innocent if url not in accused))


def _url(site: DemoSite, path: str) -> str:
    return canonical_url(site.address + path)


def _found_copy(
    planted: Planted, site: DemoSite, original: DemoSite, by_pair: Mapping[frozenset[str], HitRecord]
) -> FoundCopy:
    url = _url(site, planted.copy_path)
    sources = [_url(original, path) for path in planted.source_paths]
    found = {source: by_pair.get(frozenset((url, source))) for source in sources}
    hits = tuple(hit for hit in found.values() if hit is not None)
    return FoundCopy(
        planted=planted,
        url=url,
        hits=hits,
        missing=tuple(source for source, hit in found.items() if hit is None),
        wrong_way=tuple(hit for hit in hits if hit.copy.url != url),
        wrong_credit=tuple(hit for hit in hits if hit.copy.url == url and hit.credit is not planted.credit),
    )


def disguise_seen(hit: HitRecord) -> str:
    """Changes that the alignment classified, as text: `homophone 120, edited 3`."""
    sums = sum_differences(passage.differences for passage in hit.passages)
    return ", ".join(f"{name} {count}" for name, count in sums.items() if count) or "none"
