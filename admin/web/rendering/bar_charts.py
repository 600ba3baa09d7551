"""Small bar charts as numbers for SVG (pure): templates draw, nothing is computed there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from storage.desk.dashboard import DayOfDecisions

SHOWN_DAYS: Final = 30
_STEP: Final = 10.0
"""Width of a day in units of the drawing."""
_GAP: Final = 2.0
HALF: Final = 50.0
"""Height of each half of the chart of decisions."""


@dataclass(frozen=True, slots=True)
class DayBars:
    """One day: confirmed and licensed cases above the line, dismissed ones below it."""

    decisions: DayOfDecisions
    x: float
    width: float
    up_y: float
    up_height: float
    down_height: float


def day_bars(found: Sequence[DayOfDecisions], today: date) -> list[DayBars]:
    """One bar for each of the last SHOWN_DAYS days, also those without decisions; the largest half fills its height."""
    by_day = {one.day: one for one in found}
    days = [today - timedelta(days=back) for back in range(SHOWN_DAYS - 1, -1, -1)]
    decided = [by_day.get(day, DayOfDecisions(day, 0, 0, 0)) for day in days]
    most = max((max(one.confirmed + one.licensed, one.dismissed) for one in decided), default=0) or 1
    bars = []
    for number, one in enumerate(decided):
        up = HALF * (one.confirmed + one.licensed) / most
        x, width = number * _STEP + _GAP / 2, _STEP - _GAP
        bars.append(DayBars(one, x, width, round(HALF - up, 2), round(up, 2), round(HALF * one.dismissed / most, 2)))
    return bars


def shares(counts: Sequence[int]) -> list[float]:
    """Each count as a share of the largest, 0…1."""
    most = max(counts, default=0)
    return [count / most if most else 0.0 for count in counts]
