"""Tables as CSV, JSON and XLSX, written row by row to a file on disk.

A crawled title may begin with `=`, which a spreadsheet would run as a formula. CSV puts an apostrophe in front, XLSX
marks the cell as text; JSON has no formulas.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import IO, Final, TypeAlias

from openpyxl import Workbook
from openpyxl.cell import Cell as SheetCell
from openpyxl.cell import WriteOnlyCell
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from admin.exports.formula_guard import defused
from admin.web.downloads import xml_text

Cell: TypeAlias = str | int | float | bool | datetime | None
Row: TypeAlias = Sequence[Cell]

MOST_COUNTED: Final = 10_000
"""Rows beyond the bound that are counted; counting reads them, so it is bounded too."""
LONGEST_CELL: Final = 32_767
"""In characters: a cell of a spreadsheet."""
WIDEST_COLUMN: Final = 60
_WIDTH: Final = 18

_TAKEN_FOR_MORE: Final = ("=", "#")
"""First characters that openpyxl takes for a formula or an error code."""
_NOT_UTF8: Final = re.compile("[\ud800-\udfff]")


def _nothing(_beyond: int, _is_least: bool) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table to write. `keys` name the columns for programs, `words` for people in their language."""

    title: str
    keys: tuple[str, ...]
    words: tuple[str, ...]
    rows: Iterable[Row]
    about: Mapping[str, str]
    """Facts about the file: when it was made, which filters were set."""
    bound: int
    cut_words: Callable[[int, bool], str] = _nothing
    """Text for rows left out: given their number, and whether it is a lower bound."""
    is_cut: bool = False
    """Whether the query had left out rows, of unknown number."""
    countable: int = MOST_COUNTED
    """Rows beyond the bound that are counted; with more, the count is a lower bound."""


def write_csv(table: Table, file: IO[bytes]) -> None:
    """UTF-8 with a byte order mark, without which Excel misreads Chinese."""
    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
    writer = csv.writer(text)
    writer.writerow(table.words)
    rows = _Bounded(table)
    for row in rows:
        writer.writerow([_csv_cell(value) for value in row])
    if rows.is_cut:
        writer.writerow([rows.cut_words])
    text.flush()
    text.detach()


def write_json(table: Table, file: IO[bytes]) -> None:
    """One object. `left_out`: whether there are more rows; `left_out_rows`: how many, up to a bound."""
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
    text.write(f'{{"about": {_json(dict(table.about))}, "rows": [')
    rows = _Bounded(table)
    for number, row in enumerate(rows):
        text.write(",\n" if number else "\n")
        text.write(_json(dict(zip(table.keys, map(_json_value, row), strict=True))))
    facts = {"left_out": rows.is_cut, "left_out_rows": rows.beyond, "left_out_is_least": rows.is_least}
    text.write(f'\n], {_json(facts)[1:-1]}, "bound": {table.bound}}}\n')
    text.flush()
    text.detach()


def write_xlsx(table: Table, file: IO[bytes]) -> None:
    """One sheet with the rows, and one with the facts about them."""
    book = Workbook(write_only=True)
    book.properties.creator = ""  # else the metadata name the library
    sheet = book.create_sheet(_sheet_title(table.title))
    sheet.freeze_panes = "A2"
    for number in range(len(table.words)):
        sheet.column_dimensions[_letters(number)].width = _WIDTH
    sheet.append([_xlsx_text(sheet, words) for words in table.words])
    rows = _Bounded(table)
    for row in rows:
        sheet.append([_xlsx_cell(sheet, value) for value in row])
    if rows.is_cut:
        sheet.append([_xlsx_text(sheet, rows.cut_words)])
    about = book.create_sheet("About")
    about.column_dimensions["A"].width = _WIDTH
    about.column_dimensions["B"].width = WIDEST_COLUMN
    for name, value in table.about.items():
        about.append([_xlsx_text(about, name), _xlsx_text(about, value)])
    if rows.is_cut:
        about.append([_xlsx_text(about, rows.cut_words)])
    book.save(file)


WRITERS: Final[Mapping[str, tuple[str, Callable[[Table, IO[bytes]], None]]]] = {
    "csv": ("text/csv; charset=utf-8", write_csv),
    "json": ("application/json", write_json),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", write_xlsx),
}
"""By file extension: content type and writer."""


class _Bounded:
    """The rows up to the bound; afterwards it knows how many more there were, up to a bound of its own."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rows = iter(table.rows)
        self._left = table.bound
        self.beyond = 0

    @property
    def is_cut(self) -> bool:
        return self._table.is_cut or self.beyond > 0

    @property
    def is_least(self) -> bool:
        """Whether more than `beyond` rows may have been left out."""
        return self._table.is_cut or self.beyond >= self._table.countable

    @property
    def cut_words(self) -> str:
        return self._table.cut_words(self.beyond, self.is_least)

    def __iter__(self) -> "_Bounded":
        return self

    def __next__(self) -> Row:
        row = next(self._rows)
        if not self._left:
            self.beyond = 1 + sum(1 for _ in islice(self._rows, self._table.countable - 1))
            raise StopIteration
        self._left -= 1
        return row


def _csv_cell(value: Cell) -> str | int | float:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, str):
        return defused(value.replace("\0", ""))
    return value


def _json_value(value: Cell) -> Cell:
    return value.isoformat() if isinstance(value, datetime) else value


def _json(value: object) -> str:
    return _NOT_UTF8.sub("\ufffd", json.dumps(value, ensure_ascii=False))


def _xlsx_cell(sheet: WriteOnlyWorksheet, value: Cell) -> object:
    if isinstance(value, datetime):
        # Cells have no time zones; the second sheet names the zone.
        return value.replace(tzinfo=None, microsecond=0)
    return _xlsx_text(sheet, value) if isinstance(value, str) else value


def _xlsx_text(sheet: WriteOnlyWorksheet, text: str) -> SheetCell | str:
    clean = xml_text(text)[:LONGEST_CELL]
    if not clean.startswith(_TAKEN_FOR_MORE):
        return clean
    cell = WriteOnlyCell(sheet, clean)
    cell.data_type = "s"
    return cell


def _sheet_title(words: str) -> str:
    return re.sub(r"[\\/?*\[\]:]", " ", words)[:31] or "1"


def _letters(number: int) -> str:
    """A, B, … Z, AA: the name of a column, counted from 0."""
    return (_letters(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)  # noqa: PLR2004  # letters
