"""Real pairs of texts: one side is stored among all articles, the other is checked."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from benchmarks.common.workers import Workers
from benchmarks.corpus.model import Expected, Span
from benchmarks.quality.scenarios.pair_files import Pair, PairFile, PlacedPair, _stored_id, expected_of
from benchmarks.quality.scoring.passages import PassageScore, score_of, span_of
from benchmarks.quality.scoring.result import PairsResult, PassagesResult
from matcher.explanation.explain import compare_texts

if TYPE_CHECKING:
    from sqlalchemy import Engine

FOUND_FLOOR: Final = 0.98
LEFT_ALONE_FLOOR: Final = 0.99


def pairs_results(file: PairFile, named: Mapping[str, bool]) -> Iterator[PairsResult]:
    """One result a label. `named`: by the probe's id, whether the other side of its pair was named."""
    by_label: dict[str, list[Pair]] = {}
    for pair in file.pairs:
        by_label.setdefault(pair.label, []).append(pair)
    for label, pairs in by_label.items():
        expected = expected_of(label)
        is_copy = expected is Expected.COPY
        failed = tuple(pair.id for pair in pairs if named[f"{_stored_id(file, pair)}/asked"] is not is_copy)
        yield PairsResult(
            file=file.name,
            label=label,
            expected=expected,
            pairs=len(pairs),
            as_expected=len(pairs) - len(failed),
            floor=FOUND_FLOOR if is_copy else LEFT_ALONE_FLOOR,
            failed=failed,
        )


def placed_result(name: str, pairs: Iterable[PlacedPair], workers: Workers) -> PassagesResult:
    """Compares the two texts of each pair, without the store. Raises WorkFailed."""
    listed = list(pairs)
    total, missed = PassageScore(), []
    for number, found in workers.map(_compare, listed):
        total = total.plus(score_of(listed[number].passages, found))
        if not found:
            missed.append(listed[number].id)
    return PassagesResult(name, len(listed), tuple(sorted(missed)), total)


def _compare(_engine: "Engine", pair: PlacedPair) -> list[Span]:
    """In a process of the benchmark."""
    judgement = compare_texts(pair.copy, pair.source).judgement
    return [span_of(item) for item in judgement.passages if not item.is_boilerplate]
