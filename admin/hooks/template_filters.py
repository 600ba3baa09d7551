"""Template filters for numbers, dates and crawled strings."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from flask import Flask
from flask_babel import format_decimal
from jinja2 import pass_context
from jinja2.runtime import Context

from admin.identity.dates import ago, last_day, moment, when
from admin.identity.time_zone import viewer_zone
from admin.identity.user_agent import browser_name
from admin.web.labels import gap, joined, label, semicolon
from admin.web.rendering.invisible_characters import fitting, indented, marked, pieces, shortened
from admin.web.rendering.safe_links import is_linkable
from storage.records.differences import sum_differences
from storage.records.matches import Passage

_MOST_SHARE_SHOWN: Final = 99


def percent(share: float) -> str:
    """Whole percent; 100% and 0% only for exact values."""
    if share <= 0:
        return "0%"
    if share >= 1:
        return "100%"
    return f"{min(round(share * 100), _MOST_SHARE_SHOWN)}%" if share * 100 >= 1 else "<1%"


def points(score: float) -> str:
    """A score out of 100; 100 only for an exact 1."""
    return percent(score).removesuffix("%")


def number(value: int) -> str:
    return str(format_decimal(value))


def all_differences(passages: Sequence[Passage]) -> list[tuple[str, int]]:
    """Changed characters by kind of difference, all kinds, most frequent first; boilerplate is not counted."""
    sums = sum_differences(passage.differences for passage in passages if not passage.is_boilerplate)
    return sorted(sums.items(), key=lambda item: -item[1])


def disguise(passages: Sequence[Passage]) -> list[tuple[str, int]]:
    """The kinds of difference that occur."""
    return [(name, count) for name, count in all_differences(passages) if count]


def upper_first(words: str) -> str:
    """For words that begin a line of their own."""
    return words[:1].upper() + words[1:]


@pass_context
def _label(_context: Context, code: str | StrEnum | None, table: str) -> str:
    """The label of a code. Takes the context so that Jinja evaluates it for each request: constant expressions are
    folded once, in the language of the first request.
    """
    return label(code, table)


def init_app(app: Flask) -> None:
    filters = (
        ago,
        all_differences,
        browser_name,
        percent,
        number,
        when,
        disguise,
        fitting,
        indented,
        is_linkable,
        last_day,
        joined,
        marked,
        moment,
        pieces,
        points,
        shortened,
        upper_first,
    )
    app.jinja_env.filters.update({function.__name__: function for function in filters})
    app.jinja_env.filters["label"] = _label
    app.jinja_env.globals.update(gap=gap, semicolon=semicolon)
    app.context_processor(lambda: {"time_zone": viewer_zone()})
