"""Fills a store, encodes it, asks every probe, and does the same with other methods."""

import time
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.common.report import Progress
from benchmarks.common.workers import Workers
from benchmarks.corpus import model
from benchmarks.meaning.asking import EncodingRound, Question, Reply, ask, encode_for
from benchmarks.meaning.cached_encoder import CachedEncoder
from benchmarks.meaning.others import METHODS, Method, Scores, cosines
from benchmarks.meaning.probes import FITTED_ON, GOALS, Material, Probe
from benchmarks.meaning.result import Answer, MeaningResult, OtherResult
from benchmarks.meaning.statistics import Rate, threshold_at
from benchmarks.quality.scenarios.scratch_store import Shelf, fill, make_sites, number_of
from matcher.comparison import check
from matcher.meaning.background import Background
from matcher.meaning.encoders.encoder import EncoderUnavailable, Vectors
from matcher.meaning.encoders.use_encoder import UniversalSentenceEncoder
from matcher.meaning.sentences import sentences_of
from storage.engine import transaction
from storage.meaning import vector_index
from storage.pages import pages

if TYPE_CHECKING:
    from sqlalchemy import Engine

SITES: Final = 40
ROUND_S: Final = 10.0
FALSE_SHARE: Final = 0.01
"""Share of innocents that every other method may name: where none of them does, they find next to nothing."""


@dataclass(frozen=True, slots=True)
class Request:
    """`work`: folder of the vectors that are kept. `processes`: at once. `with_others`: also the other methods."""

    work: Path
    seed: int
    processes: int
    with_others: bool = True


def run_meaning(engine: "Engine", url: str, material: Material, request: Request, progress: Progress) -> MeaningResult:
    """Return what was found. The store must be empty. Raises WorkFailed, EncoderUnavailable."""
    encoder = UniversalSentenceEncoder()
    encoder.require()
    with transaction(engine) as session:
        if vector_index.extension_schema(session) is None:
            message = "This Postgres has no pgvector, by which texts are looked up by meaning."
            raise EncoderUnavailable(message)
    cpu: dict[str, float] = {}
    with Workers(url, count=request.processes) as workers:
        _fill(workers, material, progress)
        cpu["encoding"] = _encode(workers, material, request, progress)
        answers = _ask_all(engine, workers, material, request, progress)
    cpu["asking"] = sum(answer.cpu_s for answer in answers)
    others: list[OtherResult] = []
    if request.with_others:
        started = time.process_time()
        has_wording = {answer.probe.id for answer in answers if answer.probe.is_innocent and answer.literal}
        others = list(_others(_reported(material), has_wording, CachedEncoder(encoder, request.work), progress))
        cpu["other methods"] = time.process_time() - started
    label = f"{encoder.name} {encoder.version}"
    return MeaningResult(
        len(material.stored), material.left_out, label, request.seed, tuple(answers), tuple(others), cpu
    )


def _reported(material: Material) -> Material:
    return replace(material, probes=tuple(probe for probe in material.probes if probe.kind not in FITTED_ON))


def _fill(workers: Workers, material: Material, progress: Progress) -> None:
    count = len(material.stored)
    shelf = Shelf(
        tuple(
            model.Stored(id=item.id, text=item.text, site=f"site-{number * SITES // count:02}", title=item.title)
            for number, item in enumerate(material.stored)
        )
    )
    ids: dict[str, int] = {}
    for made in make_sites(workers, shelf):
        ids.update(made)
    done = 0
    for stored in fill(workers, shelf, ids):
        done += stored
        progress("texts stored", done, count)


def _encode(workers: Workers, material: Material, request: Request, progress: Progress) -> float:
    done = 0
    total = 0.0
    # The first round makes the background and its index, in one process.
    tasks = [EncodingRound(request.work, ROUND_S)]
    while True:
        rounds = [found for _, found in workers.map(encode_for, tasks)]
        total += sum(one.cpu_s for one in rounds)
        done += sum(one.texts for one in rounds)
        progress("texts encoded", done, max(done, len(material.stored)))
        if all(one.is_done for one in rounds):
            return total
        tasks = [EncodingRound(request.work, ROUND_S)] * request.processes


def _ask_all(
    engine: "Engine", workers: Workers, material: Material, request: Request, progress: Progress
) -> list[Answer]:
    with transaction(engine) as session:
        against = check.compared_with(session)
        ids = {page.text_id: material.stored[number_of(page.url)].id for page in pages.list_pages(session)}
    questions = [
        Question(number, probe.title, probe.text, request.work, against) for number, probe in enumerate(material.probes)
    ]
    answers: dict[int, Answer] = {}
    for number, reply in workers.map(ask, questions):
        answers[number] = _answer(material.probes[number], reply, ids)
        progress("texts asked", len(answers), len(questions))
    return [answers[number] for number in range(len(questions))]


def _answer(probe: Probe, reply: Reply, ids: Mapping[int, str]) -> Answer:
    candidates = [ids[text_id] for text_id in reply.candidates]
    return Answer(
        probe=probe,
        literal=tuple(ids[text_id] for text_id in reply.literal),
        scores={ids[text_id]: score for text_id, score in reply.scores.items()},
        named=tuple(ids[text_id] for text_id in reply.named),
        rank=candidates.index(probe.source) + 1 if probe.source in candidates else None,
        features={ids[text_id]: found for text_id, found in reply.features.items()},
        cpu_s=reply.cpu_s,
    )


def _others(
    material: Material, has_wording: Set[str], encoder: CachedEncoder, progress: Progress
) -> Iterator[OtherResult]:
    """`has_wording`: innocents of which some wording is stored. Whatever names these is right."""
    stored = [item.text for item in material.stored]
    queries = [probe.text for probe in material.probes]
    methods: list[tuple[str, Method]] = [("encoder alone", _EncoderAlone(encoder)), *METHODS]
    for number, (name, method) in enumerate(methods):
        progress("other methods", number, len(methods))
        yield _other(name, material, has_wording, method(stored, queries))
    progress("other methods", len(methods), len(methods))


def _other(name: str, material: Material, has_wording: Set[str], scored: Iterator[Scores]) -> OtherResult:
    places = {item.id: place for place, item in enumerate(material.stored)}
    best: list[float] = []
    own: dict[int, float] = {}
    for number, (probe, scores) in enumerate(zip(material.probes, scored, strict=True)):
        if probe.is_innocent:
            if probe.id not in has_wording:
                best.append(float(scores.max(initial=0.0)))
        elif probe.source is not None:
            own[number] = float(scores[places[probe.source]])
    threshold = threshold_at(best, FALSE_SHARE)
    found = {}
    for goal in GOALS:
        if goal.at_most is None:
            asked = [number for number in own if material.probes[number].kind in goal.kinds]
            found[goal.name] = Rate(sum(own[number] > threshold for number in asked), len(asked))
    return OtherResult(name, threshold, found)


class _EncoderAlone:
    """The cosine of two texts, each the mean of its sentences as seen from the mean of all."""

    def __init__(self, encoder: CachedEncoder) -> None:
        self._encoder = encoder

    def __call__(self, stored: Sequence[str], queries: Sequence[str]) -> Iterator[Scores]:
        known = [self._mean(text) for text in stored]
        background = Background.of(np.stack(known))
        asked = np.stack([self._mean(text) for text in queries])
        return cosines(background.centred(np.stack(known)), background.centred(asked))

    def _mean(self, text: str) -> Vectors:
        sentences = sentences_of(text)
        if not sentences:
            return np.zeros(self._encoder.size, dtype=np.float32)
        vectors = self._encoder.encode([text[start:end] for start, end in sentences])
        mean: Vectors = vectors.mean(axis=0)
        return mean
