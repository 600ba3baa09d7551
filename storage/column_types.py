"""Types of columns, and how their values are written in SQL."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Dialect, Enum, TypeDecorator

_SIGN_BIT = 1 << 63
_WRAP = 1 << 64


def to_signed(value: int) -> int:
    """Convert an unsigned 64-bit number to signed, with the same bits, so that XOR and bit_count agree."""
    if not 0 <= value < _WRAP:
        message = f"{value} does not fit in 64 unsigned bits"
        raise ValueError(message)
    return value - _WRAP if value >= _SIGN_BIT else value


def to_unsigned(value: int) -> int:
    return value + _WRAP if value < 0 else value


def array_literal(numbers: Iterable[int]) -> str:
    """Return an array as one literal: Postgres would parse each of nine hundred parameters as an expression."""
    return "{" + ",".join(map(str, numbers)) + "}"


class Unsigned64(TypeDecorator[int]):
    """64 unsigned bits in a signed bigint: half of all simhashes would overflow otherwise."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        return None if value is None else to_signed(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> int | None:
        return None if value is None else to_unsigned(int(value))


def word(enum: type[StrEnum], *, check: str | None = None) -> Enum:
    """Return a column type that holds the values of `enum` as text with a check constraint: a native type is hard to
    change.


    `check` names the constraint where a table has two columns of one enum.
    """
    return Enum(
        enum,
        native_enum=False,
        create_constraint=True,
        length=24,
        values_callable=lambda members: [member.value for member in members],
        name=check or enum.__name__.lower(),
    )
