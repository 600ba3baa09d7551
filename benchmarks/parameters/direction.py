"""Calibration of the confidence of a direction, on simulated pairs of a page and its copy.

The times of a pair are drawn from one history, so they are correlated as in reality: a copier that is crawled
first, one that writes an earlier date, one that writes none. Rates are assumptions, named below.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

from matcher.provenance.copy_damage import CopyDamage
from matcher.provenance.direction import direction_between
from matcher.provenance.page_facts import PageFacts
from storage.records.pages import Declared
from storage.types import DateOrigin, FoundBy, Precision, SiteRole

BINS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
START: Final = datetime(2026, 1, 1, tzinfo=UTC)
HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of the pairs with each property. Each is drawn independently."""

    date_missing: float = 0.3
    """Share of pages without a date, on either side."""
    copier_lies: float = 0.1
    """The copy claims a date before its source's."""
    source_redated: float = 0.08
    """The source shows the date of a later change as its own."""
    crawled_late: float = 0.5
    """Both pages existed before either was crawled: the order of the visits is chance."""
    imported: float = 0.1
    credit_linked: float = 0.1
    credit_named: float = 0.15
    source_links_copy: float = 0.01
    """A partner's page is linked for another reason."""
    original_role: float = 0.5
    """Share of the sources on a site registered as an original one."""
    original_copies: float = 0.06
    """The copier is one."""
    file_dated: float = 0.3
    file_touched: float = 0.25
    """Of the files with a date, those that were changed since."""
    worn: float = 0.15
    worn_wrongly: float = 0.05
    """Of the pairs with slips on one side, those where the source has them, and the copier corrected them."""
    cut: float = 0.12
    cut_wrongly: float = 0.1
    """Of the cut pairs, those whose source was cut by a bad extraction."""
    left_over: float = 0.06
    left_over_wrongly: float = 0.06
    voice: float = 0.08


@dataclass(frozen=True, slots=True)
class SimulatedPair:
    left: PageFacts
    right: PageFacts
    wear: CopyDamage
    left_is_source: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """Pairs whose stated confidence lies in [low, high), or up to high in the last one."""

    low: float
    high: float
    pairs: int
    right: int

    @property
    def share_right(self) -> float:
        return self.right / self.pairs if self.pairs else 0.0


@dataclass(slots=True)
class _Draft:
    """One page while its history is drawn."""

    name: str
    published: datetime
    fields: dict[str, object] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    text: str = "老桥今天重新通车。"

    def facts(self) -> PageFacts:
        plain: dict[str, object] = {"title": "", "author": "", "canonical_link": None, "declared": Declared()}
        plain |= {"credit_lines": tuple(self.lines), "credit_links": (), "role": None, "found_by": FoundBy.SPIDER}
        plain |= {"host": f"{self.name}.example", "site_name": f"{self.name}日报", "text": self.text}
        return PageFacts(url=f"https://{self.name}.example/a", **(plain | self.fields))  # type: ignore[arg-type]  # named by hand


def simulate(count: int, *, seed: int, rates: Rates = Rates()) -> list[SimulatedPair]:  # frozen
    """Simulates `count` pairs; the same for the same seed."""
    rng = Random(seed)  # repeatable, nothing secret
    return [_pair(rng, rates) for _ in range(count)]


def reliability(pairs: Iterable[SimulatedPair], *, bins: Sequence[float] = BINS) -> list[Bin]:
    """Share of right directions by stated confidence."""
    total, correct = [0] * (len(bins) - 1), [0] * (len(bins) - 1)
    for pair in pairs:
        found = direction_between(pair.left, pair.right, pair.wear)
        place = max(number for number, low in enumerate(bins[:-1]) if found.confidence >= low)
        total[place] += 1
        correct[place] += found.left_is_source == pair.left_is_source
    return [Bin(*bounds) for bounds in zip(bins[:-1], bins[1:], total, correct, strict=True)]


def _pair(rng: Random, rates: Rates) -> SimulatedPair:
    published = START + rng.uniform(0, 300) * 24 * HOUR
    source = _Draft("江城", published)
    copy = _Draft("海湾", published + rng.lognormvariate(2.5, 1.5) * HOUR)  # half of the copies within 12 hours
    _crawl(rng, rates, source, copy)
    _dates(rng, rates, source, copy)
    _files(rng, rates, source, copy)
    _credit(rng, rates, source, copy)
    if rng.random() < rates.original_role:
        source.fields["role"] = SiteRole.ORIGINAL
    if rng.random() < rates.original_copies:
        copy.fields["role"] = SiteRole.ORIGINAL
    worn = _wear(rng, rates)
    if rng.random() < 0.5:
        return SimulatedPair(source.facts(), copy.facts(), worn, left_is_source=True)
    mirrored = CopyDamage(worn.replaced, worn.right_words, worn.left_words, worn.right_cut, worn.left_cut)
    return SimulatedPair(copy.facts(), source.facts(), mirrored, left_is_source=False)


def _crawl(rng: Random, rates: Rates, source: _Draft, copy: _Draft) -> None:
    if rng.random() < rates.imported:
        for page in (source, copy):
            page.fields |= {"found_by": FoundBy.IMPORT, "first_seen_at": START + 400 * 24 * HOUR}
        return
    for page in (source, copy):
        page.fields["first_seen_at"] = page.published + rng.uniform(0.2, 48) * HOUR
    if rng.random() < rates.crawled_late:
        late = START + 320 * 24 * HOUR
        for page in (source, copy):
            page.fields["first_seen_at"] = late + rng.uniform(0, 14 * 24) * HOUR


def _dates(rng: Random, rates: Rates, source: _Draft, copy: _Draft) -> None:
    for page in (source, copy):
        if rng.random() < rates.date_missing:
            continue
        at = page.published
        if page is copy and rng.random() < rates.copier_lies:
            at = source.published - rng.uniform(1, 72) * HOUR
        if page is source and rng.random() < rates.source_redated:
            at = copy.published + rng.uniform(1, 72) * HOUR
        page.fields["declared"] = _declared(rng, at)


def _declared(rng: Random, at: datetime) -> Declared:
    origins = {
        **{DateOrigin.FEED: 1, DateOrigin.SITEMAP: 1, DateOrigin.JSON_LD: 3, DateOrigin.META: 3},
        **{DateOrigin.VISIBLE: 5, DateOrigin.URL: 1, DateOrigin.HTTP: 1},
    }
    origin = rng.choices(list(origins), list(origins.values()))[0]
    if origin is DateOrigin.URL or rng.random() < 0.3:
        return Declared(at.replace(hour=0, minute=0, second=0, microsecond=0), Precision.DAY, origin)
    return Declared(at, Precision.MINUTE, origin)


def _files(rng: Random, rates: Rates, source: _Draft, copy: _Draft) -> None:
    for page in (source, copy):
        if rng.random() < rates.file_dated:
            touched = rng.random() < rates.file_touched
            page.fields["modified_at"] = page.published + (rng.uniform(1, 200) * 24 * HOUR if touched else HOUR / 2)


def _credit(rng: Random, rates: Rates, source: _Draft, copy: _Draft) -> None:
    drawn = rng.random()
    if drawn < rates.credit_linked:
        copy.fields["credit_links"] = ("https://江城.example/a",)
    elif drawn < rates.credit_linked + rates.credit_named:
        copy.lines.append("来源：江城日报")
    elif rng.random() < rates.voice:
        copy.text = f"昨天上午，江城日报记者来到桥头。{copy.text}"
    if rng.random() < rates.source_links_copy:
        source.fields["credit_links"] = ("https://海湾.example/b",)
    if rng.random() < rates.left_over:
        page = source if rng.random() < rates.left_over_wrongly else copy
        page.text += "\n点击阅读原文"


def _wear(rng: Random, rates: Rates) -> CopyDamage:
    """With the source left."""
    replaced, words = 0, (0, 0)
    if rng.random() < rates.worn:
        replaced = rng.randint(3, 60)
        words = (600, 600 + replaced)
        if rng.random() < rates.worn_wrongly:
            words = words[::-1]
    cut = rng.random() < rates.cut
    wrongly = cut and rng.random() < rates.cut_wrongly
    return CopyDamage(replaced, *words, left_cut=wrongly, right_cut=cut and not wrongly)


def report(count: int = 20_000, *, seed: int = 1, rates: Rates = Rates()) -> str:  # frozen
    """The table as text."""
    found = reliability(simulate(count, seed=seed, rates=rates))
    rows = [f"{item.low:.2f}–{item.high:.2f}  {item.pairs:6}  {item.share_right:.3f}" for item in found]
    return "\n".join(["confidence   pairs  right", *rows])


if __name__ == "__main__":
    print(report())
    print("\nmostly liars, crawled in any order:")
    print(report(rates=Rates(copier_lies=0.3, crawled_late=1.0)))
