"""Files of pairs of texts, read and made into probes."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.corpus.articles import language_of
from benchmarks.corpus.model import Expected, Probe, Span, Stored

PAIR_SITES: Final = 10
"""Sites of the stored sides of one file."""


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
    passages: tuple[Span, ...]


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


def _placed(item: Mapping[str, int], copy: str, source: str) -> Span:
    found = Span(item["copy_start"], item["copy_end"], "", item["source_start"], item["source_end"])
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
