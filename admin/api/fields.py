"""Marshmallow fields and helpers that several resources share: storable texts, cursors, pieces of lists."""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final, Protocol, TypeVar

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from admin.web.url_converters import LARGEST_KEY, as_key
from storage.postgres.text import storable

SHOWN: Final = 50
MOST_SHOWN: Final = 200


class RequestSchema(Schema):
    """A request; unknown fields are refused, not dropped silently."""

    class Meta:
        unknown = RAISE


class Words(fields.String):
    """A text. Characters that Postgres cannot store (NUL, lone surrogates) are replaced one for one."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        return storable(super()._deserialize(value, attr, data, **kwargs))


class Moment(fields.AwareDateTime):
    """A time with its zone, converted to UTC: Postgres rejects offsets of most of a day."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        found = super()._deserialize(value, attr, data, **kwargs)
        try:
            return found.astimezone(UTC)
        except OverflowError as error:
            raise ValidationError("Not a time that can be looked up.") from error


def words(most: int, *, least: int = 0, required: bool = False, about: str = "", **more: Any) -> Words:
    length = validate.Length(min=least or None, max=most)
    return Words(required=required, validate=[length], metadata={"description": about} if about else {}, **more)


def one_of(enum: type[StrEnum], *, about: str = "", required: bool = False) -> fields.String:
    choices = validate.OneOf([member.value for member in enum])
    metadata = {"description": about} if about else {}
    return fields.String(required=required, validate=choices, metadata=metadata)


def key(*, required: bool = False, about: str = "") -> fields.Integer:
    """The key of a row."""
    metadata = {"description": about} if about else {}
    return fields.Integer(
        strict=True, required=required, validate=validate.Range(min=1, max=LARGEST_KEY), metadata=metadata
    )


def share(about: str) -> fields.Float:
    return fields.Float(validate=validate.Range(min=0, max=1), metadata={"description": about})


class Cursor(fields.String):
    """Where a piece of a list begins: opaque to clients; the key below which the list continues."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        cursor = super()._deserialize(value, attr, data, **kwargs)
        try:
            found = as_key(base64.urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)).decode())
        except (binascii.Error, ValueError):
            found = None
        if found is None:
            raise ValidationError("Not a cursor of this list: take `next` as it is.")
        return found


class PieceQuery(RequestSchema):
    """Which piece of a list."""

    limit = fields.Integer(
        load_default=SHOWN,
        validate=validate.Range(min=1, max=MOST_SHOWN),
        metadata={"description": "Most entries of a piece."},
    )
    cursor = Cursor(
        load_default=None,
        metadata={"description": "`next` of the previous piece; omitted for the first one."},
    )


class Numbered(Protocol):
    @property
    def id(self) -> int: ...


_Item = TypeVar("_Item", bound=Numbered)


def piece(found: Sequence[_Item], limit: int, shape: Callable[[_Item], Any] | None = None) -> dict[str, Any]:
    """A piece of a list with the cursor of the next.

    `found`: up to `limit` + 1 records, newest first. `shape` makes of a record what the schema of the answer dumps;
    without it that is the record itself.
    """
    shown = found[:limit]
    cursor = base64.urlsafe_b64encode(str(shown[-1].id).encode()).decode().rstrip("=") if shown else None
    items = shown if shape is None else [shape(one) for one in shown]
    return {"items": items, "next": cursor if len(found) > limit else None}


def pieces_of(item: type[Schema], name: str) -> type[Schema]:
    """The schema of a piece of a list of such items."""
    members: dict[str, Any] = {
        "items": fields.List(fields.Nested(item), required=True),
        "next": fields.String(
            required=True, allow_none=True, metadata={"description": "The cursor of what follows; null at the end."}
        ),
    }
    return type(name, (Schema,), members)


def shape(record: object, *same: str, **renamed: str) -> dict[str, Any]:
    """Members of a record by their own names, and by others where they are called differently: `site="site_name"`."""
    return {name: attrgetter(path)(record) for name, path in (dict(zip(same, same, strict=True)) | renamed).items()}


def words_of(params: Mapping[str, Any], enums: Mapping[str, type[StrEnum]]) -> dict[str, Any]:
    """`params` with the values of enum fields as members of their enums."""
    return {name: enums[name](value) if name in enums else value for name, value in params.items()}
