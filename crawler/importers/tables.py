"""Tables: CSV and similar, with the names of the columns in the first row."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Final, cast

from crawler.extraction.html.charset import decode
from crawler.importers.model import BadRecord
from crawler.outcomes.refusals import Refusal

MAX_COLUMNS: Final = 200
SAMPLE: Final = 65_536
_DELIMITERS: Final = ",\t;|"
_NAMES: Final = frozenset({"url", "text", "html", "title", "author", "published_at", "site", "id"})
_OTHER_NAMES: Final = {"link": "url", "address": "url", "content": "text", "body": "text", "date": "published_at"}


@dataclass(frozen=True, slots=True)
class Row:
    """A row by its columns' names, or what is wrong with it. `number` counts from 1, without the first row."""

    number: int
    fields: dict[str, object]
    problem: str = ""


def rows(file: IO[bytes], *, max_row_bytes: int) -> Iterator[Row]:
    """The rows of a table in whatever encoding and with whatever delimiter. Raises BadRecord if it is no table."""
    sample = file.read(SAMPLE)
    decoded = decode(sample)
    if decoded is None:
        raise BadRecord("not a text in any known encoding", Refusal.UNDECODABLE)
    # The mark at the beginning is of no column's name.
    encoding = "utf-8-sig" if decoded.encoding.replace("_", "-") == "utf-8" else decoded.encoding
    text = io.TextIOWrapper(cast("IO[bytes]", _Rejoined(sample, file)), encoding=encoding, errors="replace", newline="")
    lines = _Lines(text, longest=max_row_bytes)
    delimiter = _delimiter(decoded.text)
    # A field may be as long as a row; the library's own bound is 128 KB.
    csv.field_size_limit(max_row_bytes)
    names = _names(lines, delimiter)
    number = 0
    while True:
        reader = csv.reader(lines, delimiter=delimiter)
        try:
            for values in reader:
                if values:
                    number += 1
                    yield _row(number, names, values)
            return
        except (csv.Error, _LineTooLong) as error:
            # The reader is lost inside the row; a new one begins with the next line.
            number += 1
            yield Row(number, {}, f"not a row: {error}")


def _names(lines: "_Lines", delimiter: str) -> list[str]:
    try:
        first = next(csv.reader(lines, delimiter=delimiter), [])
    except (csv.Error, _LineTooLong) as error:
        raise BadRecord(f"its first row cannot be read: {error}") from error
    if len(first) > MAX_COLUMNS:
        raise BadRecord(f"it has {len(first):,} columns; {MAX_COLUMNS} are the most", Refusal.TOO_LARGE)
    lowered = [name.strip("\ufeff \t").lower().replace(" ", "_") for name in first]
    names = [_OTHER_NAMES.get(name, name) for name in lowered]
    if not {"text", "html"} & set(names):
        known = ", ".join(sorted(_NAMES))
        raise BadRecord(f"its first row names neither text nor html; columns that are read: {known}")
    return names


def _row(number: int, names: list[str], values: list[str]) -> Row:
    if len(values) > len(names):
        return Row(number, {}, f"it has {len(values):,} columns, the first row {len(names)}")
    fields: dict[str, object] = {}
    for name, value in zip(names, values, strict=False):
        if name in _NAMES and value and name not in fields:
            fields[name] = value
    return Row(number, fields)


def _delimiter(sample: str) -> str:
    first = sample.lstrip("\ufeff").partition("\n")[0]
    return max(_DELIMITERS, key=first.count)


class _LineTooLong(Exception):
    pass


class _Lines:
    """The lines of a text. Skips a line that is too long, and raises _LineTooLong."""

    def __init__(self, text: IO[str], *, longest: int) -> None:
        self._text = text
        self._longest = longest

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._text.readline(self._longest)
        if not line:
            raise StopIteration
        if len(line) < self._longest or line.endswith("\n"):
            return line
        while (rest := self._text.readline(self._longest)) and not rest.endswith("\n"):
            pass
        raise _LineTooLong(f"longer than {self._longest:,} characters")


class _Rejoined(io.RawIOBase):
    """A stream with its beginning put back."""

    def __init__(self, start: bytes, rest: IO[bytes]) -> None:
        self._start = start
        self._rest = rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self._start:
            taken = self._start if size < 0 else self._start[:size]
            self._start = self._start[len(taken) :]
            return taken
        return self._rest.read(size)

    read1 = read
