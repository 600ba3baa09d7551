"""Checks each probe against the store as `zhiwen check` does, in processes of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.common.workers import Workers
from benchmarks.corpus.model import Expected, Probe
from benchmarks.quality.scenarios.scratch_store import as_article, number_of
from matcher.cases.case_rule import DEFAULT_RULE
from matcher.cases.case_updates import decide
from matcher.comparison import check
from matcher.explanation.sentences import gate_name
from matcher.provenance.page_facts import facts_of_article
from storage.engine import transaction
from storage.records.matches import Passage

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from matcher.comparison.check import ComparedWith
    from matcher.comparison.compare_pair import Compared
    from storage.records.pages import NewArticle


@dataclass(frozen=True, slots=True)
class Named:
    """A stored text that a check reported, by its number on the shelf."""

    number: int
    score: float
    passages: tuple[Passage, ...] = ()
    """Passages; left is the probe."""
    is_claimed: bool = False
    """Whether a case would be opened; known for the probes for which none may be."""
    gates: tuple[str, ...] = ()
    """The gates of the judgement that were passed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a check of one probe. `candidates`: number of stored texts aligned with it."""

    verdict: str
    named: tuple[Named, ...]
    candidates: int
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class _Question:
    number: int
    probe: Probe
    against: "ComparedWith"


def check_all(engine: "Engine", workers: Workers, probes: Sequence[Probe]) -> Iterator[tuple[int, Answer]]:
    """The number of each probe with its answer, as they are ready. Raises WorkFailed."""
    with transaction(engine) as session:
        against = check.compared_with(session)
    questions = [_Question(number, probe, against) for number, probe in enumerate(probes)]
    yield from workers.map(_check, questions)


def _check(engine: "Engine", question: _Question) -> Answer:
    """Checks a probe, in a process of the benchmark."""
    probe = question.probe
    article = as_article(f"https://probe.invalid/{question.number}", probe.title, probe.text)
    with transaction(engine) as session:
        result = check.check(session, article, against=question.against)
    claimed = _claimed(article, result.matches) if probe.expected is Expected.NO_CASE else frozenset()
    named = tuple(_named(item, is_claimed=item.stored.id in claimed) for item in result.matches)
    return Answer(result.verdict, named, result.candidates, result.elapsed_ms)


def _named(item: "Compared", *, is_claimed: bool) -> Named:
    return Named(
        number=number_of(item.pages[0].url),
        score=item.judgement.score,
        passages=item.judgement.passages,
        is_claimed=is_claimed,
        gates=tuple(gate_name(gate) for gate in item.judgement.gates if gate.passed),
    )


def _claimed(article: "NewArticle", found: Sequence["Compared"]) -> frozenset[int]:
    """Ids of the texts for which a case would be opened, had the article been crawled."""
    pages_of = {item.stored.id: item.pages for item in found}
    pairs = decide(facts_of_article(article), found, pages_of, rule=DEFAULT_RULE)
    return frozenset(pair.found.stored.id for pair in pairs if pair.decision.opens)
