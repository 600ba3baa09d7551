"""Exports of lists: the rows that match the filters, as CSV, JSON or XLSX.

A list is exported by an entry in `admin.export_lists` and one line in its template: `parts.exports(name, fields)`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from flask import Blueprint, Response, abort, request
from flask_babel import format_decimal, get_timezone
from flask_babel import gettext as _

from admin.exports.writers import MOST_COUNTED, WRITERS, Cell, Table
from admin.identity.audit import note_export
from admin.identity.dates import local_day, local_time
from admin.web.db_session import database
from admin.web.downloads import spooled
from admin.web.labels import label

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

MOST_ROWS: Final = 50_000
"""Rows of one file. 50,000 hits took 50 s as CSV and 120 s as XLSX on two cores with a load of twenty."""
LONGEST_FILTER: Final = 400
FORMATS: Final = tuple(WRITERS)

_Row = TypeVar("_Row")
Arguments = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Column(Generic[_Row]):
    """A column. `labels`: label table for values that are codes; people get the label, programs the code."""

    key: str
    words: object
    """Heading for people, translated when rendered."""
    value: Callable[[_Row], Cell]
    labels: str = ""


@dataclass(frozen=True, slots=True)
class Rows(Generic[_Row]):
    """`is_cut`: the query itself left rows out."""

    rows: Iterable[_Row]
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class ExportList(Generic[_Row]):
    """An export. `rows` returns the rows for a query string in the order of the list, up to the given number."""

    name: str
    words: object
    columns: tuple[Column[_Row], ...]
    rows: "Callable[[Session, Arguments, int], Rows[_Row]]"


def blueprint(lists: Iterable[ExportList[Any]]) -> Blueprint:
    """The blueprint of the exports, at /exports/NAME.FORMAT with the filters of the list as query string."""
    offered = {one.name: one for one in lists}
    exports = Blueprint("exports", __name__, url_prefix="/exports")

    # Not `name` and `kind`: filters have these names.
    @exports.get("/<list_name>.<file_kind>")
    def download(list_name: str, file_kind: str) -> Response:
        if list_name not in offered or file_kind not in WRITERS:
            abort(404)
        arguments = {key: value.replace("\0", "")[:LONGEST_FILTER] for key, value in request.args.items()}
        filters = ", ".join(f"{name}={value}" for name, value in arguments.items() if value)
        note_export("list.export", list_name, file_kind, query=filters)
        return answer(offered[list_name], file_kind, arguments, database())

    return exports


def answer(
    wanted: ExportList[_Row], kind: str, arguments: Arguments, session: "Session", *, bound: int = MOST_ROWS
) -> Response:
    """The rows that match `arguments` as a download."""
    found = wanted.rows(session, arguments, bound + MOST_COUNTED)
    return table_answer(_table(wanted, found, arguments, bound, kind), kind, wanted.name)


def table_answer(table: Table, kind: str, name: str) -> Response:
    """A table as a download named `name` and the date."""
    content_type, write = WRITERS[kind]
    return spooled(partial(write, table), f"{name}-{local_day(datetime.now(UTC)):%Y%m%d}.{kind}", content_type)


def _table(wanted: ExportList[_Row], found: Rows[_Row], arguments: Arguments, bound: int, kind: str) -> Table:
    zone = get_timezone()
    made = datetime.now(UTC).astimezone(zone)
    filtered = _("Filter")
    about = {
        _("List"): str(wanted.words),
        _("Created"): made.isoformat(sep=" ", timespec="seconds"),
        _("Times in"): str(zone),
        **{f"{filtered}: {name}": value for name, value in arguments.items() if value and name != "page"},
    }
    return Table(
        title=str(wanted.words),
        keys=tuple(column.key for column in wanted.columns),
        words=tuple(str(column.words) for column in wanted.columns),
        rows=([_cell(column, row, kind) for column in wanted.columns] for row in found.rows),
        about=about,
        cut_words=_cut_words,
        bound=bound,
        is_cut=found.is_cut,
    )


def _cut_words(beyond: int, is_least: bool) -> str:
    if not beyond:
        return str(_("More rows match than were checked. Narrow the filters to get the rest."))
    count = format_decimal(beyond)
    if is_least:
        return str(_("At least %(count)s more rows match. Narrow the filters to get them.", count=count))
    return str(_("Matching rows not in this file: %(count)s. Narrow the filters to get them.", count=count))


def _cell(column: Column[_Row], row: _Row, kind: str) -> Cell:
    value = column.value(row)
    if isinstance(value, datetime):
        return local_time(value)
    return label(value, column.labels) if column.labels and kind != "json" and isinstance(value, str) else value
