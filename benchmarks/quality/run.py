"""One run of the benchmark: stores the articles, checks the probes, and compares with other methods."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from benchmarks.common.report import Progress
from benchmarks.common.workers import Workers, WorkFailed
from benchmarks.corpus.articles import Corpus
from benchmarks.corpus.model import Family
from benchmarks.quality.baselines.method import Method
from benchmarks.quality.request import Request
from benchmarks.quality.scenarios.checking import Answer, check_all
from benchmarks.quality.scenarios.pair_files import PairFile, PlacedPair
from benchmarks.quality.scenarios.scenes import Scene, set_up
from benchmarks.quality.scenarios.scratch_store import fill, make_sites
from benchmarks.quality.scoring import findings, metrics
from benchmarks.quality.scoring.methods import baseline_results, judged, our_result
from benchmarks.quality.scoring.metrics import JudgedAnswer
from benchmarks.quality.scoring.pairs import placed_result
from benchmarks.quality.scoring.result import FailedMethod, MethodResult, PassagesResult, QualityResult
from benchmarks.quality.scoring.truth import Truth
from matcher.boilerplate.survey import survey
from storage.engine import transaction
from storage.monitoring.table_sizes import fingerprint_sizes

if TYPE_CHECKING:
    from sqlalchemy import Engine

WORKERS: Final = 2
"""Processes that store and check. The figures of speed hold for this number."""


@dataclass(frozen=True, slots=True)
class Input:
    """The input of a run. `placed`: pairs with known passages, by the name of their file."""

    corpus: Corpus
    families: tuple[Family, ...]
    pairs: tuple[PairFile, ...] = ()
    placed: Mapping[str, tuple[PlacedPair, ...]] = field(default_factory=dict)
    baselines: tuple[tuple[str, Method], ...] = ()


def run_quality(
    engine: "Engine", url: str, given: Input, request: Request, *, progress: Progress
) -> Iterator[QualityResult]:
    """Runs the benchmark on an empty, current store at `url`. Raises WorkFailed.

    Yields partial results: first our own, then with one more of the other methods each, which take as long.
    """
    progress("building", 0, 1)
    families = [family for family in given.families if not request.only or family.name in request.only]
    scene = set_up(given.corpus, families, given.pairs, request)
    truth = Truth(scene.shelf)
    progress("building", 1, 1)
    with _workers(url) as workers:
        _store(workers, scene, progress)
        # As `match` does after a large import: without it every check would judge the same runs again.
        survey(
            engine,
            should_stop=lambda: False,
            on_progress=lambda done, whole: progress("judging repeated runs", done, whole),
        )
        result = _own_result(engine, workers, given, request, scene, truth, progress)
    yield result
    for name, method in given.baselines:
        # Processes of their own: those of a method that fails may still be at work.
        found, failed = _baseline(name, method, url, scene, truth, progress)
        result = replace(
            result,
            methods=(*result.methods, *found),
            failed=(*result.failed, *([] if failed is None else [failed])),
        )
        yield result


def _workers(url: str) -> Workers:
    return Workers(url, count=min(WORKERS, os.cpu_count() or 1))


def _store(workers: Workers, scene: Scene, progress: Progress) -> None:
    names = {item.site for item in scene.shelf.items}
    site_ids: dict[str, int] = {}
    for made in make_sites(workers, scene.shelf):
        site_ids |= made
        progress("making sites", len(site_ids), len(names))
    done = 0
    for stored in fill(workers, scene.shelf, site_ids):
        done += stored
        progress("storing", done, len(scene.shelf.items))


def _answers(engine: "Engine", workers: Workers, scene: Scene, progress: Progress) -> list[Answer]:
    """Answers to the questions and then to the pair questions, in their order."""
    probes = [question.probe for question in scene.questions] + [probe for _, probe in scene.pair_questions]
    answers: dict[int, Answer] = {}
    for number, answer in check_all(engine, workers, probes):
        answers[number] = answer
        progress("checking", len(answers), len(probes))
    return [answers[number] for number in range(len(probes))]


def _placed(
    placed: Mapping[str, tuple[PlacedPair, ...]], workers: Workers, progress: Progress
) -> Iterator[PassagesResult]:
    for name, pairs in placed.items():
        progress(f"comparing {name}", 0, len(pairs))
        yield placed_result(name, pairs, workers)
        progress(f"comparing {name}", len(pairs), len(pairs))


def _baseline(
    name: str, method: Method, url: str, scene: Scene, truth: Truth, progress: Progress
) -> tuple[list[MethodResult], FailedMethod | None]:
    """The results of another method, and the reason if it failed: its bugs must not end the whole run."""
    found: list[MethodResult] = []
    progress(name, 0, 1)
    try:
        with _workers(url) as workers:
            found += baseline_results(method, scene, truth, workers)
    except Exception as error:  # a foreign package may raise anything
        return found, FailedMethod(name, _reason(error))
    progress(name, 1, 1)
    return found, None


def _reason(error: Exception) -> str:
    """The last line of a process's traceback, which names its error."""
    lines = str(error).strip().splitlines() or ["without a word"]
    return lines[-1] if isinstance(error, WorkFailed) else f"{type(error).__name__}: {lines[-1]}"


def _judged(scene: Scene, answers: Sequence[Answer], truth: Truth, progress: Progress) -> Iterator[JudgedAnswer]:
    for number, question in enumerate(scene.questions):
        yield judged(question, answers[number], truth)
        progress("judging", number + 1, len(scene.questions))


def _own_result(
    engine: "Engine", workers: Workers, given: Input, request: Request, scene: Scene, truth: Truth, progress: Progress
) -> QualityResult:
    """Checks all questions against the filled store."""
    with transaction(engine) as session:
        sizes = fingerprint_sizes(session)
    answers = _answers(engine, workers, scene, progress)
    results = tuple(_judged(scene, answers, truth, progress))
    with_floor = [item for item in results if item.family.floor is not None]
    return QualityResult(
        ran_on=findings.ran_on(given.corpus, request, scene),
        methods=(our_result(results, truth),),
        passages=metrics.passages_of(with_floor, truth),
        sizes=sizes,
        candidates=metrics.spread([answer.candidates for answer in answers]),
        elapsed_ms=metrics.spread([answer.elapsed_ms for answer in answers]),
        misses=tuple(findings.misses(results)),
        false_hits=tuple(findings.false_hits(results, scene)),
        pairs=tuple(findings.pair_results(given.pairs, scene, answers[len(scene.questions) :], truth)),
        real_passages=tuple(_placed(given.placed, workers, progress)),
        skipped=scene.skipped,
    )
