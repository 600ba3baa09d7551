"""The result of each method on the probes: ours and the baselines."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.common.workers import Workers
from benchmarks.corpus.model import Expected
from benchmarks.quality.baselines.method import Baseline, Method
from benchmarks.quality.scenarios.checking import Answer
from benchmarks.quality.scenarios.scenes import Question, Scene
from benchmarks.quality.scoring import metrics
from benchmarks.quality.scoring.metrics import JudgedAnswer
from benchmarks.quality.scoring.passages import PassageScore
from benchmarks.quality.scoring.result import MethodResult
from benchmarks.quality.scoring.truth import Truth


def judged(question: Question, answer: Answer, truth: Truth) -> JudgedAnswer:
    planted = frozenset(map(truth.number_of, question.planted))
    sides = truth.sides(question.probe, [item.number for item in answer.named], planted=planted)
    return JudgedAnswer(question.family, question.probe, answer, sides)


def our_result(results: Sequence[JudgedAnswer], truth: Truth) -> MethodResult:
    passages = {name: metrics.passages_of(items, truth) for name, items in metrics.by_family(results).items()}
    return _method("Zhiwen", "as `zhiwen check`, its 50 surest texts", results, passages)


def baseline_results(method: Method, scene: Scene, truth: Truth, workers: Workers) -> Iterator[MethodResult]:
    """Results of a baseline, without questions about the owner of a text, which it does not know."""
    questions = [item for item in scene.questions if item.probe.expected is not Expected.NO_CASE]
    stored = [item.text for item in scene.shelf.items]
    for found in method(stored, [question.probe.text for question in questions], workers):
        yield _baseline_result(found, questions, truth)


def _baseline_result(found: Baseline, questions: Sequence[Question], truth: Truth) -> MethodResult:
    results = [
        judged(question, Answer("", named, 0, 0.0), truth)
        for question, named in zip(questions, found.named, strict=True)
    ]
    points = metrics.curve(results)
    best = metrics.best_f1(points)
    if found.threshold is not None or best is None:
        return _method(found.name, found.setting, results, {})
    kept = [
        judged(question, replace(item.answer, named=metrics.at_least(item.answer.named, best.score)), truth)
        for question, item in zip(questions, results, strict=True)
    ]
    chosen = _method(found.name, f"{found.setting} ({best.score:g})", kept, {})
    return replace(chosen, curve=points)


def _method(
    name: str, setting: str, results: Sequence[JudgedAnswer], passages: dict[str, PassageScore]
) -> MethodResult:
    families = tuple(
        metrics.family_result(items[0].family, items, passages.get(family, PassageScore()))
        for family, items in metrics.by_family(results).items()
    )
    return MethodResult(
        name=name,
        setting=setting,
        families=families,
        recall=metrics.recall_of(
            item for item in families if item.expected is Expected.COPY and item.floor is not None
        ),
        left_alone=metrics.recall_of(item for item in families if item.expected is Expected.INNOCENT),
        precision=metrics.pair_precision(results),
        curve=metrics.curve(results),
    )
