"""Each probe asked of the store as `zhiwen check` asks, by processes of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.quality.model import Probe
from benchmarks.quality.store import as_article, number_of
from benchmarks.quality.workers import Workers
from matcher import service
from storage.engine import transaction
from storage.types import Rights, SiteRole

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from matcher.service import Compared, ComparedWith


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that was found: characters of the probe and of the stored text, half open."""

    start: int
    end: int
    source_start: int
    source_end: int
    is_boilerplate: bool = False


@dataclass(frozen=True, slots=True)
class Named:
    """A stored text that a check named, by its number on the shelf."""

    number: int
    score: float
    passages: tuple[Found, ...] = ()
    is_claimed: bool = False
    """Whether it would be held against the probe as a copy of ours."""
    gates: tuple[str, ...] = ()
    """The gates of the judgement that were passed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a check of one probe said. `candidates`: how many stored texts were aligned with it."""

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
        against = service.compared_with(session)
    questions = [_Question(number, probe, against) for number, probe in enumerate(probes)]
    yield from workers.map(_check, questions)


def _check(engine: "Engine", question: _Question) -> Answer:
    """In a process of the benchmark."""
    probe = question.probe
    article = as_article(f"https://probe.invalid/{question.number}", probe.title, probe.text)
    with transaction(engine) as session:
        result = service.check(session, article, against=question.against)
    return Answer(result.verdict, tuple(map(_named, result.matches)), result.candidates, result.elapsed_ms)


def _named(item: "Compared") -> Named:
    return Named(
        number=number_of(item.pages[0].url),
        score=item.judgement.score,
        passages=_passages(item),
        is_claimed=_is_claimed(item),
        gates=tuple(gate.name for gate in item.judgement.gates if gate.passed),
    )


def _passages(item: "Compared") -> tuple[Found, ...]:
    return tuple(
        Found(passage.left_start, passage.left_end, passage.right_start, passage.right_end, passage.is_boilerplate)
        for passage in item.judgement.passages
    )


def _is_claimed(item: "Compared") -> bool:
    """A text of ours, in another's hands: it stands on a site of ours, and no page of it credits an agency."""
    ours = any(page.role is SiteRole.ORIGINAL for page in item.pages)
    return ours and not any(page.rights in (Rights.AGENCY, Rights.LICENSED_IN) for page in item.pages)
