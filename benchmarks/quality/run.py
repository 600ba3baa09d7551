"""The benchmark from the first article read to the last number: what is stored, asked, judged and compared."""

import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, TypeAlias

from benchmarks.quality import metrics
from benchmarks.quality.checking import Answer, check_all
from benchmarks.quality.corpus import Corpus
from benchmarks.quality.metrics import Asked
from benchmarks.quality.model import Expected, Family
from benchmarks.quality.pairs import PairFile, PlacedPair, pairs_results, placed_result
from benchmarks.quality.result import (
    FalseHit,
    MethodResult,
    Miss,
    PairsResult,
    PassagesResult,
    QualityResult,
    RanOn,
    Request,
)
from benchmarks.quality.scenes import Scene, set_up
from benchmarks.quality.store import fill
from benchmarks.quality.truth import Truth
from benchmarks.quality.workers import Workers
from storage.engine import transaction
from storage.sizes import FingerprintSizes, fingerprint_sizes

if TYPE_CHECKING:
    from sqlalchemy import Engine

WORKERS: Final = 2
SHOWN_CHARS: Final = 200
"""Characters of a false hit's passage: enough to say what it is."""

Tell: TypeAlias = Callable[[str, int, int], None]
"""What is being done, how much of it is done, how much there is."""


@dataclass(frozen=True, slots=True)
class Input:
    """What a run is made from. `placed`: pairs with known passages, by the name of their file."""

    corpus: Corpus
    families: tuple[Family, ...]
    pairs: tuple[PairFile, ...] = ()
    placed: Mapping[str, tuple[PlacedPair, ...]] | None = None


def run_quality(engine: "Engine", url: str, given: Input, request: Request, *, tell: Tell) -> QualityResult:
    """Runs the benchmark on an empty, current store at `url`. Raises WorkFailed."""
    tell("building", 0, 1)
    families = [family for family in given.families if not request.only or family.name in request.only]
    scene = set_up(given.corpus, families, given.pairs, request)
    with Workers(url, count=min(WORKERS, os.cpu_count() or 1)) as workers:
        for done in _running(fill(engine, workers, scene.shelf)):
            tell("storing", done, len(scene.shelf.items))
        with transaction(engine) as session:
            sizes = fingerprint_sizes(session)
        answers = _answers(engine, workers, scene, tell)
        placed = tuple(_placed(given.placed or {}, workers, tell))
    truth = Truth(scene.shelf)
    asked = tuple(_judged(scene, answers, truth, tell))
    ours = _method("Zhiwen", "as `zhiwen check`, its 50 surest texts", asked, truth)
    return _result(given, request, scene, (ours,), asked, truth, sizes, answers, placed)


def _running(steps: Iterable[int]) -> Iterator[int]:
    total = 0
    for step in steps:
        total += step
        yield total


def _answers(engine: "Engine", workers: Workers, scene: Scene, tell: Tell) -> list[Answer]:
    """One for each question and then for each pair question, in their order."""
    probes = [question.probe for question in scene.questions] + [probe for _, probe in scene.pair_questions]
    answers: dict[int, Answer] = {}
    for number, answer in check_all(engine, workers, scene.shelf, probes):
        answers[number] = answer
        tell("checking", len(answers), len(probes))
    return [answers[number] for number in range(len(probes))]


def _placed(placed: Mapping[str, tuple[PlacedPair, ...]], workers: Workers, tell: Tell) -> Iterator[PassagesResult]:
    for name, pairs in placed.items():
        tell(f"comparing {name}", 0, len(pairs))
        yield placed_result(name, pairs, workers)


def _judged(scene: Scene, answers: Sequence[Answer], truth: Truth, tell: Tell) -> Iterator[Asked]:
    for number, question in enumerate(scene.questions):
        planted = frozenset(map(truth.number_of, question.planted))
        named = [item.number for item in answers[number].named]
        sides = truth.sides(question.probe, named, planted=planted)
        yield Asked(question.family, question.probe, answers[number], sides)
        tell("judging", number + 1, len(scene.questions))


def _method(name: str, setting: str, asked: Sequence[Asked], truth: Truth) -> MethodResult:
    families = tuple(
        metrics.family_result(items[0].family, items, metrics.passages_of(items, truth))
        for items in metrics.by_family(asked).values()
    )
    return MethodResult(
        name=name,
        setting=setting,
        families=families,
        recall=metrics.recall_of(
            item for item in families if item.expected is Expected.COPY and item.floor is not None
        ),
        left_alone=metrics.recall_of(item for item in families if item.expected is Expected.INNOCENT),
        precision=metrics.pair_precision(asked),
        curve=metrics.curve(asked),
    )


def _result(
    given: Input,
    request: Request,
    scene: Scene,
    methods: tuple[MethodResult, ...],
    asked: Sequence[Asked],
    truth: Truth,
    sizes: FingerprintSizes,
    answers: Sequence[Answer],
    placed: tuple[PassagesResult, ...],
) -> QualityResult:
    with_floor = [item for item in asked if item.family.floor is not None]
    return QualityResult(
        ran_on=_ran_on(given.corpus, request, scene),
        methods=methods,
        passages=metrics.passages_of(with_floor, truth),
        sizes=sizes,
        candidates=metrics.spread([answer.candidates for answer in answers]),
        elapsed_ms=metrics.spread([answer.elapsed_ms for answer in answers]),
        misses=tuple(_misses(asked)),
        false_hits=tuple(_false_hits(asked, scene)),
        pairs=tuple(_pairs(given.pairs, scene, answers[len(scene.questions) :], truth)),
        real_passages=placed,
        skipped=scene.skipped,
    )


def _ran_on(corpus: Corpus, request: Request, scene: Scene) -> RanOn:
    stored = {language: len(material.stored) for language, material in scene.materials.items()}
    return RanOn(
        version=version("zhiwen"),
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
        cores=os.cpu_count() or 1,
        seed=request.seed,
        per_family=request.per_family,
        stored=stored,
        held={language: len(material.held) for language, material in scene.materials.items()},
        added=len(scene.shelf.items) - sum(stored.values()),
        refused=corpus.refused,
        repeated=corpus.repeated,
    )


def _misses(asked: Iterable[Asked]) -> Iterator[Miss]:
    for item in asked:
        if item.probe.expected is Expected.COPY and not item.is_as_expected:
            sources = tuple(sorted(item.probe.sources)[:5])
            yield Miss(item.family.name, item.probe.id, sources, item.answer.verdict, len(item.probe.text))


def _false_hits(asked: Iterable[Asked], scene: Scene) -> Iterator[FalseHit]:
    for item in asked:
        is_no_case = item.probe.expected is Expected.NO_CASE
        for named in item.answer.named:
            if named.is_claimed if is_no_case else named.number in item.sides.wrong:
                longest = max(named.passages, key=lambda found: found.end - found.start, default=None)
                passage = "" if longest is None else item.probe.text[longest.start : longest.end]
                yield FalseHit(
                    item.family.name,
                    item.probe.expected,
                    item.probe.id,
                    scene.shelf.items[named.number].id,
                    named.score,
                    passage[:SHOWN_CHARS],
                )


def _pairs(files: Sequence[PairFile], scene: Scene, answers: Sequence[Answer], truth: Truth) -> Iterator[PairsResult]:
    named = {
        probe.id: bool(truth.sides(probe, [item.number for item in answer.named], planted=frozenset()).right)
        for (_, probe), answer in zip(scene.pair_questions, answers, strict=True)
    }
    for file in files:
        yield from pairs_results(file, named)
