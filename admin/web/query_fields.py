"""The filters of a list, read from a query string (pure)."""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Final, TypeVar

LONGEST_TEXT: Final = 200
LONGEST_NUMBER: Final = 9
"""In digits."""

_Word = TypeVar("_Word", bound=StrEnum)


class QueryFields:
    """The values of the fields `names`. Each method reads one; names of invalid values are collected in `wrong`."""

    def __init__(self, arguments: Mapping[str, str], names: Iterable[str]) -> None:
        cleaned = {
            name: arguments[name].replace("\0", "").strip()[:LONGEST_TEXT] for name in names if name in arguments
        }
        self.asked = {name: value for name, value in cleaned.items() if value}
        self.wrong: list[str] = []
        self.page = _digits(arguments.get("page", ""), 10**LONGEST_NUMBER - 1) or 1

    def text(self, name: str) -> str | None:
        return self.asked.get(name)

    def one_of(self, name: str, known: Collection[str]) -> str | None:
        value = self.asked.get(name)
        if value in known:
            return value
        self._refuse(name)
        return None

    def word(self, name: str, words: type[_Word]) -> _Word | None:
        value = self.one_of(name, set(words))
        return None if value is None else words(value)

    def word_or(self, name: str, words: type[_Word], default: _Word) -> _Word:
        """`default`, if no other is asked for, is not repeated by links."""
        found = self.word(name, words) or default
        if found is default:
            self.asked.pop(name, None)
        return found

    def number(self, name: str, most: int) -> int | None:
        """A whole number up to `most`, also written with a percent sign."""
        found = _digits(self.asked.get(name, "").removesuffix("%").strip(), most)
        if found is None:
            self._refuse(name)
        return found

    def day(self, name: str, zone: tzinfo, *, days_later: int = 0) -> datetime | None:
        """The first moment of a date such as 2026-03-01 in `zone`, or of one some days later."""
        try:
            day = date.fromisoformat(self.asked[name]) + timedelta(days=days_later)
            return datetime(day.year, day.month, day.day, tzinfo=zone)
        except (KeyError, ValueError, OverflowError):
            self._refuse(name)
            return None

    def moment(self, name: str) -> datetime | None:
        """A time with its UTC offset, as UTC."""
        try:
            # A plus sign in a URL means a space.
            found = datetime.fromisoformat(self.asked[name].replace(" ", "+"))
            # Postgres rejects offsets of most of a day.
            at = None if found.tzinfo is None else found.astimezone(UTC)
        except (KeyError, ValueError, OverflowError):
            at = None
        if at is None:
            self._refuse(name)
        return at

    def understood(self) -> dict[str, str]:
        return {name: value for name, value in self.asked.items() if name not in self.wrong}

    def _refuse(self, name: str) -> None:
        if name in self.asked:
            self.wrong.append(name)


def _digits(text: str, most: int) -> int | None:
    is_number = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
    return int(text) if is_number and int(text) <= most else None
