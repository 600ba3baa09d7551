"""Records as rows: the values that a record gives a table, and a row that is there once."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import inspect
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.base import Base

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def values_of(table: type[Base], record: "DataclassInstance", /, **given: Any) -> dict[str, Any]:
    """The values of a row: the fields of `record` that `table` has columns for, and those `given`, which go first.

    Tuples become lists, as arrays are written.
    """
    columns = inspect(table).mapper.column_attrs
    own = {field.name: getattr(record, field.name) for field in fields(record) if field.name in columns}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in own.items()} | given


def upsert(session: Session, table: type[Base], key: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Adds the row of this key, or gives the one that is there these values."""
    statement = insert(table).values(**key, **values)
    session.execute(statement.on_conflict_do_update(index_elements=list(key), set_=dict(values)))
