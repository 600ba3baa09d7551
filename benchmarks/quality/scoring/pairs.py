"""Real pairs of texts: one side stands in the store among all articles, the other is asked."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.common.workers import Workers
from benchmarks.quality.corpus.corpus import language_of
from benchmarks.quality.corpus.model import Expected, Probe, Stored
from benchmarks.quality.scoring.passages import PassageScore, Placed, score_of
from benchmarks.quality.scoring.result import PairsResult, PassagesResult
from matcher.explanation.explain import compare_texts

if TYPE_CHECKING:
    from sqlalchemy import Engine

FOUND_FLOOR: Final = 0.98
LEFT_ALONE_FLOOR: Final = 0.99
PAIR_SITES: Final = 10
"""Sites that the stored sides of one file stand on."""
NEGATIVE: Final = "negative"
"""A label with this word in it says that the pair is no copy; any other that it is one."""


class PairsNotReadable(Exception):
    """A file of pairs cannot be used; the message names file, line and fault."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`asked` is compared, `stored` is in the store. `id` is unique in its file."""

    id: str
    label: str
    asked: str
    stored: str


@dataclass(frozen=True, slots=True)
class PairFile:
    name: str
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class PlacedPair:
    """Two texts with the passages of the first that come from the second."""

    id: str
    copy: str
    source: str
    passages: tuple[Placed, ...]


def read_pairs(path: Path) -> PairFile:
    """A file of `{"id", "label", "text_a", "text_b"}` a line, `.gz` too: text_a is asked, text_b stored.

    Raises PairsNotReadable.
    """
    pairs = []
    for number, record in _records(path):
        fields = [record.get(name) for name in ("id", "label", "text_a", "text_b")]
        if not all(isinstance(field, str) and field.strip() for field in fields):
            raise PairsNotReadable(f"{path}, line {number}: id, label, text_a and text_b must be texts, none empty")
        pairs.append(Pair(*map(str, fields)))
    if len({pair.id for pair in pairs}) < len(pairs):
        raise PairsNotReadable(f"{path}: two pairs have the same id")
    return PairFile(path.name.partition(".")[0], tuple(pairs))


def read_placed(pairs: Path, documents: Path) -> tuple[PlacedPair, ...]:
    """Pairs with known passages. `documents`: `{"id", "text"}` a line; `pairs`: `{"id", "copy", "source", "passages"}`
    with the ids of two documents and passages of `copy_start`, `copy_end`, `source_start`, `source_end`.

    Raises PairsNotReadable.
    """
    texts = {str(record.get("id")): str(record.get("text", "")) for _, record in _records(documents)}
    placed = []
    for number, record in _records(pairs):
        try:
            copy, source = texts[str(record["copy"])], texts[str(record["source"])]
            passages = tuple(_placed(item, copy, source) for item in _list(record["passages"]))
        except (KeyError, TypeError, ValueError) as error:
            raise PairsNotReadable(f"{pairs}, line {number}: {type(error).__name__} {error}") from error
        placed.append(PlacedPair(str(record.get("id", number)), copy, source, passages))
    return tuple(placed)


def _placed(item: Mapping[str, int], copy: str, source: str) -> Placed:
    found = Placed(item["copy_start"], item["copy_end"], "", item["source_start"], item["source_end"])
    if not 0 <= found.start < found.end <= len(copy) or not 0 <= found.source_start < found.source_end <= len(source):
        raise ValueError("a passage is empty or outside its text")
    return found


def _list(value: object) -> list[Mapping[str, int]]:
    if not isinstance(value, list):
        raise TypeError('"passages" is not a list')
    return value


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise PairsNotReadable(f"{path}, line {number}: not a JSON object")
                yield number, record
    except (OSError, EOFError, ValueError) as error:
        raise PairsNotReadable(f"{path} cannot be read: {error}") from error


def expected_of(label: str) -> Expected:
    return Expected.INNOCENT if NEGATIVE in label.lower() else Expected.COPY


def stored_sides(file: PairFile) -> Iterator[Stored]:
    for number, pair in enumerate(file.pairs):
        yield Stored(_stored_id(file, pair), pair.stored, site=f"pairs-{file.name}-{number % PAIR_SITES}")


def pair_probes(file: PairFile) -> Iterator[Probe]:
    for pair in file.pairs:
        yield Probe(
            id=f"{_stored_id(file, pair)}/asked",
            family=file.name,
            language=language_of(pair.asked),
            text=pair.asked,
            expected=expected_of(pair.label),
            sources=frozenset({_stored_id(file, pair)}),
        )


def _stored_id(file: PairFile, pair: Pair) -> str:
    return f"pair/{file.name}/{pair.id}"


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


def _compare(_engine: "Engine", pair: PlacedPair) -> list[Placed]:
    """In a process of the benchmark."""
    judgement = compare_texts(pair.copy, pair.source).judgement
    return [
        Placed(item.left_start, item.left_end, "", item.right_start, item.right_end)
        for item in judgement.passages
        if not item.is_boilerplate
    ]
