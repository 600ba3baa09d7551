"""Numbers as parameters of commands, within what the database stores."""

from math import isnan
from typing import Any, Final

import click

MOST_ROWS: Final = 1_000_000_000
"""Of any list: far more than there are, and less than Postgres counts to."""

ROWS: Final = click.IntRange(1, MOST_ROWS)


class NumberRange(click.FloatRange):
    """A number between two bounds. Unlike click's, it refuses “nan”, which no comparison finds outside of them."""

    name = "number range"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number
