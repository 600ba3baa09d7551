"""Records as rows: the values of a row, and an upsert."""

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
    """Return the values of a row: the fields of `record` that `table` has columns for, and those `given`, which
    precede.

    Tuples become lists, as required for arrays.
    """
    columns = inspect(table).mapper.column_attrs
    own = {field.name: getattr(record, field.name) for field in fields(record) if field.name in columns}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in own.items()} | given


def upsert(session: Session, table: type[Base], key: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Insert the row of this key, or update the existing one with these values."""
    statement = insert(table).values(**key, **values)
    session.execute(statement.on_conflict_do_update(index_elements=list(key), set_=dict(values)))
