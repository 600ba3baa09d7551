"""Queries and results of a sweep as Arrow batches and Parquet files."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from matcher.batch.index import Index
from matcher.batch.model import LookedUp, Near, Sharing

PartT = TypeVar("PartT", Near, Sharing)

ASKED: Final = pa.schema([("text", pa.int64()), ("body", pa.string())])

_SHARING: Final = {
    "texts": pa.list_(pa.int64()),
    "rarity": pa.list_(pa.float64()),
    "ends": pa.list_(pa.int64()),
    "keys": pa.list_(pa.int32()),
    "cut": pa.int64(),
    "known": pa.list_(pa.int32()),
    "often": pa.list_(pa.int64()),
}
_NEAR: Final = {"texts": pa.list_(pa.int64()), "distances": pa.list_(pa.int16()), "cut": pa.int64()}
_PARTS: Final = {"near": _NEAR, "seeds": _SHARING, "slices": _SHARING}

FOUND: Final = pa.schema(
    [
        ("text", pa.int64()),
        *((f"{part}_{name}", kind) for part, columns in _PARTS.items() for name, kind in columns.items()),
    ]
)
"""A text id and its results: the fields of `LookedUp`, one column each."""


def answered(index: Index, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yields a batch of `FOUND` for each batch of `ASKED`, without texts that the index does not hold."""
    for batch in batches:
        rows = zip(batch["text"].to_pylist(), batch["body"].to_pylist(), strict=True)
        asked = [(text_id, one) for text_id, body in rows if (one := index.asked_by(text_id, body))]
        yield to_batch([text_id for text_id, _ in asked], list(index.look_up([one for _, one in asked])))


def to_batch(text_ids: Sequence[int], found: Sequence[LookedUp]) -> pa.RecordBatch:
    columns = [pa.array(text_ids, pa.int64())]
    for part, names in _PARTS.items():
        own = [getattr(one, part) for one in found]
        columns += [pa.array([getattr(some, name) for some in own], kind) for name, kind in names.items()]
    return pa.record_batch(columns, schema=FOUND)


def from_table(table: pa.Table) -> dict[int, LookedUp]:
    """The results in a table made by `to_batch`, by text id."""
    columns = {name: table[name].combine_chunks() for name in table.column_names}

    def part(kind: type[PartT], name: str, row: int) -> PartT:
        cells = {column: columns[f"{name}_{column}"][row] for column in _PARTS[name]}
        cut = cells.pop("cut").as_py()
        return kind(cut=cut, **{column: cell.values.to_numpy(zero_copy_only=False) for column, cell in cells.items()})

    return {
        columns["text"][row].as_py(): LookedUp(
            part(Near, "near", row), part(Sharing, "seeds", row), part(Sharing, "slices", row)
        )
        for row in range(len(table))
    }


def write_asked(path: Path, bodies: Iterable[dict[int, str]]) -> None:
    """Writes a file of queries; each of `bodies` is a row group."""
    with pq.ParquetWriter(path, ASKED, compression="zstd") as writer:
        for some in bodies:
            writer.write_table(pa.table({"text": list(some), "body": list(some.values())}, schema=ASKED))


def read_found(folder: Path, first: int, last: int) -> dict[int, LookedUp]:
    """The results for the text ids from `first` to `last`."""
    return from_table(pq.read_table(folder, filters=[("text", ">=", first), ("text", "<=", last)], schema=FOUND))
