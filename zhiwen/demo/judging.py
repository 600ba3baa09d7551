"""Compares the planted copies of the demo with the hits. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from crawler.urls.canonical import canonical_url
from storage.records.differences import sum_differences
from storage.records.matches import HitRecord
from storage.records.retellings import RetellingRecord
from storage.types import Relation
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
class FoundRetelling:
    """A planted retelling, with the one that was found between its two pages."""

    planted: Planted
    url: str
    source_url: str
    found: RetellingRecord | None

    @property
    def is_right(self) -> bool:
        """Whether it was found under its kind, in its direction, and as what one may have from the other."""
        found = self.found
        return (
            found is not None
            and found.kind is self.planted.retelling
            and found.copy.url == self.url
            and found.relation is Relation.COPY
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """`false_hits` are hits that name no planted copy with its source; `left_alone` innocent pages in no such hit.
    `retellings` and `false_retellings` are the same of what only meaning shows; None where nothing was compared by
    meaning.
    """

    copies: tuple[FoundCopy, ...]
    false_hits: tuple[HitRecord, ...]
    left_alone: tuple[str, ...]
    retellings: tuple[FoundRetelling, ...] | None = None
    false_retellings: tuple[RetellingRecord, ...] = ()

    @property
    def is_right(self) -> bool:
        are_false = self.false_hits or self.false_retellings
        are_right = all(copy.is_right for copy in self.copies) and all(one.is_right for one in self.retellings or ())
        return not are_false and are_right


def judge_demo(
    sites: Sequence[DemoSite], hits: Iterable[HitRecord], retellings: Iterable[RetellingRecord] | None = None
) -> Verdict:
    """`retellings`: those found by meaning; None if nothing was compared by meaning."""
    original = next(site for site in sites if site.role == "original")
    by_pair: dict[frozenset[str], HitRecord] = {frozenset((hit.copy.url, hit.source.url)): hit for hit in hits}
    literal = [(site, one) for site in sites for one in site.planted if one.retelling is None]
    copies = tuple(_found_copy(planted, site, original, by_pair) for site, planted in literal)
    explained = {frozenset((copy.url, _url(original, path))) for copy in copies for path in copy.planted.source_paths}
    false_hits = tuple(hit for pair, hit in by_pair.items() if pair not in explained)
    accused = {url for hit in false_hits for url in (hit.copy.url, hit.source.url)}
    named = None if retellings is None else list(retellings)
    by_meaning = None if named is None else _found_retellings(sites, original, named)
    explained |= {frozenset((one.url, one.source_url)) for one in by_meaning or ()}
    pairs = [(one, frozenset((one.copy.url, one.source.url))) for one in named or ()]
    false_retellings = tuple(one for one, pair in pairs if pair not in explained)
    accused |= {url for one in false_retellings for url in (one.copy.url, one.source.url)}
    innocent = [_url(site, path) for site in sites for path in site.innocent_paths]
    left_alone = tuple(url for url in innocent if url not in accused)
    return Verdict(copies, false_hits, left_alone, by_meaning, false_retellings)


def _found_retellings(
    sites: Sequence[DemoSite], original: DemoSite, named: Iterable[RetellingRecord]
) -> tuple[FoundRetelling, ...]:
    by_pair = {frozenset((one.copy.url, one.source.url)): one for one in named}
    found = []
    for site in sites:
        for planted in site.planted:
            if planted.retelling is not None:
                url, source = _url(site, planted.copy_path), _url(original, planted.source_paths[0])
                found.append(FoundRetelling(planted, url, source, by_pair.get(frozenset((url, source)))))
    return tuple(found)


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
