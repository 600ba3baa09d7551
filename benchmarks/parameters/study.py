"""The study: real texts, the benchmark's own disguises, one setting after the other. No database, no alignment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from benchmarks.common.key_index import KeyIndex
from benchmarks.common.report import Progress
from benchmarks.corpus.model import Article, Expected, Family, Material, Probe, is_ordinary
from benchmarks.parameters.candidates import Growth, ask, ranks
from benchmarks.parameters.settings import Setting
from fingerprint.initials import to_initials
from fingerprint.model import Initials
from fingerprint.normalize import canonicalize
from matcher.retrieval.candidates import ALIGNED

BYTES_PER_KEY: Final = 46.5
"""41.3 of GIN and 5.2 of row, measured on 40,000 rows of 60 keys of four bytes (Postgres 18, filled by COPY)."""
BYTES_PER_TEXT: Final = 300
"""Header, simhash and counts of the row, its primary key and four covering band entries."""
BACKGROUND_TEXTS: Final = 1_000_000
LEFT_OUT: Final = ("popular-",)
"""Families that add stories of their own to the store: they test judgement, not retrieval."""


@dataclass(frozen=True, slots=True)
class Line:
    """The result of one setting."""

    name: str
    keys_per_text: float
    bytes_share: float
    """Estimated bytes of keys and rows per UTF-8 byte of text."""
    asked_keys: float
    candidates_median: float
    candidates_p95: float
    recall: dict[str, float]
    """By family: share of probes whose source is among the candidates that are aligned."""
    recall_at_a_million: dict[str, float]


def run_study(
    material: Material, families: Sequence[Family], settings: Sequence[Setting], *, per_family: int, seed: int,
    progress: Progress,
) -> Iterator[Line]:  # fmt: skip
    """One line a setting, in order. The same arguments give the same lines."""
    stored = [_initials(article.text) for article in material.stored]
    number = {article.id: place for place, article in enumerate(material.stored)}
    utf8 = sum(len(article.text.encode()) for article in material.stored)
    probes = list(_probes(material, families, per_family, seed))
    asked = [(probe, _initials(probe.text)) for probe in probes]
    outside = [_initials(article.text) for article in _some(material.held, 3 * per_family)]
    for done, setting in enumerate(settings):
        progress("settings", done, len(settings))
        yield _measure(setting, stored, asked, outside, number, utf8=utf8, seed=seed)
    progress("settings", len(settings), len(settings))


def _initials(text: str) -> Initials:
    return to_initials(canonicalize(text))


def _some(articles: Sequence[Article], most: int) -> Sequence[Article]:
    return articles[:most]


def _probes(material: Material, families: Sequence[Family], per_family: int, seed: int) -> Iterator[Probe]:
    for family in families:
        wanted = family.expected is Expected.COPY and not any(part in family.name for part in LEFT_OUT)
        if family.language is material.language and (wanted or is_ordinary(family.name)):
            chance = Random(f"{seed}/{family.name}")  # a benchmark, not a secret
            yield from family.build(material, chance, per_family).probes


def _measure(
    setting: Setting, stored: Sequence[Initials], asked: Sequence[tuple[Probe, Initials]], outside: Sequence[Initials],
    number: dict[str, int], *, utf8: int, seed: int,
) -> Line:  # fmt: skip
    chance = np.random.default_rng(seed)
    sources = setting.sources()
    indexes, growths = [], []
    for source in sources:
        keys = [source.stored(initials) for initials in stored]
        indexes.append(KeyIndex(keys))
        halves = (KeyIndex(keys[::2]), KeyIndex(keys[1::2]))
        growths.append(Growth(halves, [source.asked(initials) for initials in outside]))
    times = (BACKGROUND_TEXTS - len(stored)) / len(stored)
    found: dict[str, list[tuple[bool, bool]]] = {}
    ordinary, asked_keys = [], []
    for probe, initials in asked:
        wanted = frozenset(number[source] for source in probe.sources if source in number)
        here, there = [], []
        total = 0
        for source, index, growth in zip(sources, indexes, growths, strict=True):
            wanted_keys = source.asked(initials)
            total += len(wanted_keys)
            answer = ask(index, wanted_keys, source.weight)
            here.append(answer)
            own = np.bincount(answer.place[np.isin(answer.text, list(wanted))], minlength=len(wanted_keys))
            others = growth.background(answer.counts - own, times=times, chance=chance)
            there.append(ask(index, wanted_keys, source.weight, others))
        rank, count = ranks(here, len(stored), wanted)
        if is_ordinary(probe.family):
            ordinary.append(count)
            asked_keys.append(total)
        else:
            far, _ = ranks(there, len(stored), wanted)
            found.setdefault(probe.family, []).append((_aligned(rank), _aligned(far)))
    keys_per_text = sum(index.keys_per_text for index in indexes)
    return Line(
        name=setting.name,
        keys_per_text=keys_per_text,
        bytes_share=(keys_per_text * BYTES_PER_KEY + BYTES_PER_TEXT) * len(stored) / utf8,
        asked_keys=float(np.mean(asked_keys)),
        candidates_median=float(np.median(ordinary)),
        candidates_p95=float(np.percentile(ordinary, 95)),
        recall={family: float(np.mean([near for near, _ in pairs])) for family, pairs in found.items()},
        recall_at_a_million={family: float(np.mean([far for _, far in pairs])) for family, pairs in found.items()},
    )


def _aligned(rank: int | None) -> bool:
    return rank is not None and rank <= ALIGNED
