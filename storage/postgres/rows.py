"""Rows as records, by the names of their columns and never by their order.

A record is a frozen dataclass. `columns_of` returns the columns of a select, each labelled by the field it fills;
`record_of` reads a row, or a mapped object, by these names. A field that is itself a record is filled by columns whose
labels begin with its name: `declared_at` is `at` of the field `declared`.

Values are converted if the driver's type differs from the field's: lists become tuples and frozen sets, strings become
members of their enum, buffers become bytes.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from operator import attrgetter, itemgetter
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy import ColumnElement, FromClause, Label, Result, Row, ScalarResult, inspect

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")

_Columns = list[Label[Any]]
_Reader = Callable[[Any, Mapping[str, Any]], T]
"""Takes a row or an object, and the values of further fields."""
_COLLECTIONS: Final = (tuple, frozenset)
_SHAPES: Final = 1_024
"""Cached pairs of record and shape of rows; there are some hundred."""


def columns_of(record: "type[DataclassInstance]", *tables: Any, **given: Any) -> _Columns:
    """Return the columns for a record, labelled by its fields.

    A field takes the expression `given` under its name, else the column of this name from the first of `tables`
    (models, aliases, subqueries) that has one. For a field that is a record, give the result of `columns_of` for that
    record. Raises TypeError if a field has no column, or an expression no field.

        select(*columns_of(FeedRecord, FeedToken, SavedView, view=SavedView.name))
    """
    columns: _Columns = []
    for name in _hints(record):
        found = given.pop(name) if name in given else _column(tables, name)
        if found is None:
            message = f"no column for {record.__name__}.{name}"
            raise TypeError(message)
        if isinstance(found, list):
            columns += [column.label(f"{name}_{column.name}") for column in found]
        else:
            columns.append(found.label(name))
    if given:
        message = f"{record.__name__} has no field {', '.join(given)}"
        raise TypeError(message)
    return columns


def record_of(record: type[T], source: object, /, **known: Any) -> T:
    """Return the record of a row or a mapped object. `known`: values of fields that are not read from it.

    Raises TypeError for a field that is in neither and has no default.
    """
    read: _Reader[T] = _reader(record, _shape(source), frozenset(known))
    return read(source, known)


def records_of(record: type[T], rows: Iterable[Any]) -> list[T]:
    """Return the records of rows of one select."""
    # Fetched at once: row by row, a result takes three times as long.
    found = rows.all() if isinstance(rows, Result | ScalarResult) else list(rows)
    if not found:
        return []
    read: _Reader[T] = _reader(record, _shape(found[0]), frozenset())
    return [read(row, {}) for row in found]


def record_or_none(record: type[T], result: Result[Any]) -> T | None:
    """Return the record of a result's single row; None without a row."""
    row = result.one_or_none()
    return None if row is None else record_of(record, row)


def _shape(source: object) -> Hashable:
    """Return the labels of a row; the class of a mapped object."""
    return source._fields if isinstance(source, Row) else type(source)  # type: ignore[return-value]  # both are


def _column(tables: Iterable[Any], name: str) -> ColumnElement[Any] | None:
    for table in tables:
        if isinstance(table, FromClause):
            found: ColumnElement[Any] | None = table.c.get(name)
        else:
            found = getattr(table, name) if name in inspect(table).mapper.column_attrs else None
        if found is not None:
            return found
    return None


@lru_cache(maxsize=_SHAPES)
def _hints(record: "type[DataclassInstance]") -> Mapping[str, Any]:
    hints = get_type_hints(record)
    return {field.name: hints[field.name] for field in fields(record)}


@lru_cache(maxsize=_SHAPES)
def _reader(record: type[T], shape: Hashable, known: frozenset[str], prefix: str = "") -> "_Reader[T]":
    """Return a reader for sources of one shape; the names are resolved here, once per shape."""
    read: list[str] = []
    labels: list[tuple[str, Callable[[Any], Any] | None]] = []
    nested: list[tuple[int, _Reader[Any]]] = []
    for field in fields(record):
        label, hint = prefix + field.name, _hints(record)[field.name]
        if field.name in known:
            continue
        if label in shape if isinstance(shape, tuple) else hasattr(shape, label):
            labels.append((label, _conversion(hint)))
        elif is_dataclass(hint):
            part: _Reader[Any] = _reader(hint, shape, frozenset(), f"{label}_")  # type: ignore[arg-type]  # it is a class
            nested.append((len(read), part))
        elif field.default is MISSING and field.default_factory is MISSING:
            message = f"nothing named {label} for {record.__name__}"
            raise TypeError(message)
        else:
            continue
        read.append(field.name)
    conversions = [(position, convert) for position, (_, convert) in enumerate(labels) if convert is not None]
    take = _taker([label for label, _ in labels], shape)
    is_whole = read == list(_hints(record))

    def make(source: Any, given: Mapping[str, Any]) -> T:
        values = take(source)
        for position, convert in conversions:
            if values[position] is not None:
                values[position] = convert(values[position])
        for position, part in nested:
            values.insert(position, part(source, {}))
        return record(*values) if is_whole else record(**dict(zip(read, values, strict=True)), **given)

    return make


def _taker(labels: list[str], shape: Hashable) -> Callable[[Any], list[Any]]:
    """Return a getter of the values of these labels, in this order, from a row or an object."""
    keys: list[Any] = [shape.index(label) for label in labels] if isinstance(shape, tuple) else labels
    getter = itemgetter if isinstance(shape, tuple) else attrgetter
    if len(keys) > 1:
        several = getter(*keys)
        return lambda source: list(several(source))
    each = [getter(key) for key in keys]
    return lambda source: [get(source) for get in each]


def _conversion(hint: Any) -> Callable[[Any], Any] | None:
    """Return the converter to this type; None if the driver returns it already."""
    if get_origin(hint) in (Union, UnionType):
        present = set(get_args(hint)) - {NoneType}
        hint = present.pop() if len(present) == 1 else None
    collection = get_origin(hint)
    if collection in _COLLECTIONS:
        convert = _conversion(get_args(hint)[0])
        return collection if convert is None else lambda values: collection(map(convert, values))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {member.value: member for member in hint}.__getitem__  # a fifth of the time that calling the enum takes
    return bytes if hint is bytes else None
