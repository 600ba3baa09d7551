"""Single misses, false hits and pairs of a run, and what it ran on."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from benchmarks.common.report import this_machine
from benchmarks.corpus.articles import Corpus
from benchmarks.corpus.model import Expected
from benchmarks.quality.request import Request
from benchmarks.quality.scenarios.checking import Answer
from benchmarks.quality.scenarios.pair_files import PairFile
from benchmarks.quality.scenarios.scenes import Scene
from benchmarks.quality.scoring.metrics import JudgedAnswer
from benchmarks.quality.scoring.pairs import pairs_results
from benchmarks.quality.scoring.result import FalseHit, Miss, PairsResult, QualityRanOn
from benchmarks.quality.scoring.truth import Truth
from storage.records.matches import Passage

SHOWN_CHARS: Final = 200
"""Characters of a false hit's passage: enough to say what it is."""
SHOWN_SOURCES: Final = 5
"""Sources of a miss that are listed: a story may stand ten thousand times."""


def ran_on(corpus: Corpus, request: Request, scene: Scene) -> QualityRanOn:
    stored = {language: len(material.stored) for language, material in scene.materials.items()}
    return QualityRanOn(
        **this_machine(),
        seed=request.seed,
        per_family=request.per_family,
        stored=stored,
        held={language: len(material.held) for language, material in scene.materials.items()},
        added=len(scene.shelf.items) - sum(stored.values()),
        refused=corpus.refused,
        repeated=corpus.repeated,
    )


def misses(results: Iterable[JudgedAnswer]) -> Iterator[Miss]:
    for item in results:
        if item.probe.expected is Expected.COPY and not item.is_as_expected:
            sources = tuple(sorted(item.probe.sources)[:SHOWN_SOURCES])
            yield Miss(item.family.name, item.probe.id, sources, item.answer.verdict, len(item.probe.text))


def false_hits(results: Iterable[JudgedAnswer], scene: Scene) -> Iterator[FalseHit]:
    for item in results:
        is_no_case = item.probe.expected is Expected.NO_CASE
        for named in item.answer.named:
            if named.is_claimed if is_no_case else named.number in item.sides.wrong:
                yield FalseHit(
                    item.family.name,
                    item.probe.expected,
                    item.probe.id,
                    scene.shelf.items[named.number].id,
                    named.score,
                    named.gates,
                    _longest(named.passages, item.probe.text)[:SHOWN_CHARS],
                )


def _longest(passages: Sequence[Passage], text: str) -> str:
    found = max(passages, key=lambda item: (not item.is_boilerplate, item.left_end - item.left_start), default=None)
    return "" if found is None else text[found.left_start : found.left_end]


def pair_results(
    files: Sequence[PairFile], scene: Scene, answers: Sequence[Answer], truth: Truth
) -> Iterator[PairsResult]:
    named = {
        probe.id: truth.names_a_source(probe, [item.number for item in answer.named])
        for (_, probe), answer in zip(scene.pair_questions, answers, strict=True)
    }
    for file in files:
        yield from pairs_results(file, named)
