"""One run: the copies of `bench quality` on a part of the corpus, asked of each peer and of Zhiwen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from benchmarks.common.report import Progress
from benchmarks.common.workers import WorkFailed
from benchmarks.corpus.articles import Corpus
from benchmarks.corpus.model import Expected, Family, is_ordinary
from benchmarks.peers.measure import Measured, measure
from benchmarks.peers.peer import LeftOut
from benchmarks.peers.table import PEERS, missing
from benchmarks.peers.zhiwen_store import measure_zhiwen
from benchmarks.quality.request import Request
from benchmarks.quality.scenarios.checking import Answer, Named
from benchmarks.quality.scenarios.families import FAMILIES
from benchmarks.quality.scenarios.scenes import Question, Scene, set_up
from benchmarks.quality.scoring.methods import judged
from benchmarks.quality.scoring.truth import Truth

if TYPE_CHECKING:
    from sqlalchemy import Engine

COPIES: Final = "copies"
INNOCENTS: Final = "innocents"
PASSAGES: Final = tuple(f"passage-{chars}" for chars in (300, 120, 60))
GROUPS: Final = (COPIES, *PASSAGES, INNOCENTS)
_POPULAR: Final = "-popular-"
"""Families that store a story a thousand times and more: another question than that of this table."""


@dataclass(frozen=True, slots=True)
class Line:
    """Results of one method. `shares`: by group, the share of probes with the right result; None without probes."""

    name: str
    setting: str
    index_s: float
    index_bytes: int
    query_ms: float
    shares: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class PeersResult:
    """`texts`, `text_bytes`: what was indexed, in UTF-8. `probes`: number by group."""

    lines: tuple[Line, ...]
    left_out: tuple[LeftOut, ...]
    texts: int
    text_bytes: int
    probes: dict[str, int]


def part_of(corpus: Corpus, articles: int) -> Corpus:
    """The first articles of each language."""
    return replace(corpus, by_language={language: items[:articles] for language, items in corpus.by_language.items()})


def families() -> tuple[Family, ...]:
    """All families of copies, and ordinary articles as innocents."""
    return tuple(
        family
        for family in FAMILIES
        if is_ordinary(family.name) or (family.expected is Expected.COPY and _POPULAR not in family.name)
    )


def group_of(family: Family) -> str:
    if family.expected is not Expected.COPY:
        return INNOCENTS
    return next((name for name in PASSAGES if family.name.endswith(name)), COPIES)


def run_peers(
    engine: "Engine",
    url: str,
    corpus: Corpus,
    request: Request,
    *,
    progress: Progress,
    chosen: Sequence[Family] | None = None,
) -> PeersResult:
    """Runs all peers that are installed, then Zhiwen on an empty store at `url`. Raises CorpusTooSmall, WorkFailed.

    `chosen`: families of copies and innocents; None: those of `families`.
    """
    scene = set_up(corpus, families() if chosen is None else chosen, (), request)
    stored = [item.text for item in scene.shelf.items]
    queries = [question.probe.text for question in scene.questions]
    truth = Truth(scene.shelf)
    lines, failed = [], []
    for number, peer in enumerate(PEERS):
        progress(f"measuring {peer.name}", number, len(PEERS))
        if peer.is_installed:
            try:
                done = measure(peer.name, stored, queries)
            except WorkFailed as error:  # a bug of a foreign package must not end the run
                failed.append(LeftOut(peer.name, str(error).strip().splitlines()[-1]))
                continue
            lines.append(_line(peer.name, peer.setting, done, scene, truth))
    own = measure_zhiwen(engine, url, scene.shelf, [question.probe for question in scene.questions], progress=progress)
    lines.append(_line("Zhiwen", "as `zhiwen check`", own, scene, truth))
    groups = [group_of(question.family) for question in scene.questions]
    return PeersResult(
        tuple(lines),
        (*failed, *missing()),
        len(stored),
        sum(len(text.encode("utf-8", "replace")) for text in stored),
        {name: groups.count(name) for name in GROUPS},
    )


def _line(name: str, setting: str, done: Measured, scene: Scene, truth: Truth) -> Line:
    results = list(_results(scene.questions, done.found, truth))
    shares: dict[str, float | None] = {}
    for group in GROUPS:
        right = [is_right for one, is_right in results if one == group]
        shares[group] = sum(right) / len(right) if right else None
    query_ms = 1_000 * done.query_s / max(1, len(scene.questions))
    return Line(name, setting, done.index_s, done.index_bytes, query_ms, shares)


def _results(
    questions: Sequence[Question], found: Sequence[frozenset[int]], truth: Truth
) -> Iterator[tuple[str, bool]]:
    """The group of each question that counts, and whether its result is right."""
    for question, numbers in zip(questions, found, strict=True):
        named = tuple(Named(number, 1.0) for number in sorted(numbers))
        answer = judged(question, Answer("", named, 0, 0.0), truth)
        if answer.counts:
            yield group_of(question.family), answer.is_as_expected
