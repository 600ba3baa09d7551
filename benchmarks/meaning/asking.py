"""The steps on the store, each in processes of the benchmark: encoding it, and asking it as `zhiwen check` does."""

import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.meaning.cached_encoder import CachedEncoder
from benchmarks.meaning.result import Features
from benchmarks.quality.scenarios.scratch_store import as_article
from matcher.comparison import check
from matcher.meaning.encoders.use_encoder import UniversalSentenceEncoder
from matcher.meaning.evidence import ShortEvidence
from matcher.provenance.page_facts import facts_of_article
from matcher.retellings.asked import Asked
from matcher.retellings.compare_by_meaning import compare_by_meaning
from matcher.retellings.opening import MeaningOfStore
from matcher.worker.encoding import encode_store
from storage.engine import transaction

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from matcher.comparison.check import ComparedWith


@dataclass(frozen=True, slots=True)
class EncodingRound:
    """Encode for `seconds`. `work`: folder of the vectors that are kept."""

    work: Path
    seconds: float


@dataclass(frozen=True, slots=True)
class Question:
    number: int
    title: str
    text: str
    work: Path
    against: "ComparedWith"


@dataclass(frozen=True, slots=True)
class Reply:
    """Ids of texts: `literal`: matches by wording; `candidates`: looked up by meaning, best first; `scores`: of those
    that were judged; `features`: what their scores rest on; `named`: those that are called retellings or translations.
    """

    literal: tuple[int, ...]
    candidates: tuple[int, ...]
    scores: dict[int, float]
    features: dict[int, Features]
    named: tuple[int, ...]
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Encoded:
    """`is_done`: no text waits any more."""

    texts: int
    is_done: bool
    cpu_s: float


def encode_for(engine: "Engine", task: EncodingRound) -> Encoded:
    """Encode texts of the store until the time is over or none waits."""
    encoder = _opened(task.work).encoder
    started = time.process_time()
    until = time.monotonic() + task.seconds
    was_stopped = False

    def should_stop() -> bool:
        nonlocal was_stopped
        was_stopped = time.monotonic() > until
        return was_stopped

    done = encode_store(engine, encoder, should_stop=should_stop)
    return Encoded(done.encoded, not was_stopped, time.process_time() - started)


def ask(engine: "Engine", question: Question) -> Reply:
    """Check a text against the store, by wording and by meaning."""
    started = time.process_time()
    article = as_article(f"https://probe.invalid/{question.number}", question.title, question.text)
    with transaction(engine) as session:
        literal = check.check(session, article, against=question.against)
        wording = {
            found.stored.id: max(found.judgement.left_share, found.judgement.right_share) for found in literal.matches
        }
        search = _opened(question.work)(session)
        found = compare_by_meaning(session, search, Asked(article.text, facts_of_article(article), literal=wording))
    return Reply(
        literal=tuple(wording),
        candidates=tuple(candidate.text_id for candidate in found.candidates),
        scores={text_id: 0.0 if one is None else one.score for text_id, one in found.judged.items()},
        features={
            text_id: Features(isinstance(one.evidence, ShortEvidence), one.evidence.features())
            for text_id, one in found.judged.items()
            if one is not None
        },
        named=tuple(match.stored.id for match in found.found),
        cpu_s=time.process_time() - started,
    )


@lru_cache(maxsize=1)
def _opened(work: Path) -> MeaningOfStore:
    """Once a process: the encoder has 120 MB."""
    return MeaningOfStore(CachedEncoder(UniversalSentenceEncoder(), work))
