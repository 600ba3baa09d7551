"""Control limits: the normal range of a site's measures, from its own history. Pure.

Medians and median absolute deviations: a few odd dates, such as the first crawl with all old articles, change nothing.
Counts and shares are transformed so that their random variance is constant (square root, arc sine).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from math import asin, exp, log, pi, sin, sqrt
from statistics import median
from typing import Final

from storage.records.monitoring import Band, Measure, SiteDayFigures

DEVIATIONS: Final = 4.0
"""Deviation that raises an alarm: by chance about once in 15,000 dates, if dates were alike."""

AT_THE_END: Final = frozenset({Measure.ARTICLES, Measure.WEEK})

_TO_SIGMA: Final = 1.4826
"""From the median absolute deviation to the standard deviation of a normal distribution."""

HISTORY_DAYS: Final = 70
"""Ten of each weekday."""
YOUNG_DAYS: Final = 14
"""A site with fewer dates with runs is not judged."""
SAME_WEEKDAY: Final = 6
"""From this number on, a date is compared with the same weekday; before, with working days or weekends."""
SAME_SORT: Final = {False: 8, True: 4}
"""Least number of working days, or weekend days, for that."""
WEEK: Final = 7
WEEKS: Final = 6
RUN_DAYS_OF_A_WEEK: Final = 5
"""A week with runs on fewer dates is not judged."""

FEW: Final = 4
"""A few values say little about their spread: the band is widened by this divided by their number, which about
doubles it with four values.
"""

COUNT_STEP: Final = 2
"""Articles must also be less than half, or more than double: news is seasonal."""
FEWEST_READ: Final = 20
"""Least pages or requests of a date for a share."""
SHARE_STEP: Final = 0.1
"""Least rise of a share: with thousands of pages, the random variance alone allows for nothing."""
FEWEST_ARTICLES: Final = 8
"""Least articles of a date for a mean length."""
LENGTH_STEP: Final = 4 / 3
"""Articles must also be longer by a third or shorter by a quarter."""
FARTHEST_LENGTH: Final = 100.0
"""However much lengths vary, a hundredth or a hundredfold of the normal one is an alarm."""
_SATURDAY: Final = 5


def judge(
    measure: Measure, history: Sequence[SiteDayFigures], day: SiteDayFigures, *, is_over: bool
) -> tuple[float, Band] | None:
    """Return the value of `measure` on a date and its band; None if the date or the history has too little data.

    `history`: earlier dates in any order. Measures that count articles wait for the end of the date (`is_over`).
    """
    earlier = [one for one in history if day.day - timedelta(HISTORY_DAYS) <= one.day < day.day and one.runs]
    if len(earlier) < YOUNG_DAYS or not day.runs or (measure in AT_THE_END and not is_over):
        return None
    return _JUDGES[measure](earlier, day)


def same_days(history: Iterable[SiteDayFigures], day: date) -> list[SiteDayFigures]:
    """The dates that `day` is compared with: the same weekday, else working days or weekends; none if too few."""
    known = list(history)
    alike = [one for one in known if one.day.weekday() == day.weekday()]
    if len(alike) >= SAME_WEEKDAY:
        return alike
    is_weekend = day.weekday() >= _SATURDAY
    alike = [one for one in known if (one.day.weekday() >= _SATURDAY) == is_weekend]
    return alike if len(alike) >= SAME_SORT[is_weekend] else []


def band_of_counts(history: Sequence[int], *, spread: float | None = None) -> Band:
    """Return the band of a count. `spread`: the deviation of the square roots (`_root`) of such counts, if it is known
    from more data than these.
    """
    level, own_spread = _middle([_root(count) for count in history])
    reach = DEVIATIONS * max(1.0, own_spread if spread is None else spread)
    usual = float(median(history))
    low = min(_unroot(level - reach), usual / COUNT_STEP)
    return Band(usual, low if low > 0 else None, max(_unroot(level + reach), usual * COUNT_STEP))


def band_of_shares(history: Sequence[tuple[int, int]], counted: int) -> Band:
    """Return the band of a share of `counted`, with its random variance; it has no lower bound. Each of the history:
    count and total.
    """
    level, spread = _middle([_angle(part, whole) for part, whole in history])
    usual = median(part / whole for part, whole in history)
    high = _unangle(level + DEVIATIONS * sqrt(1 / counted + spread**2))
    return Band(usual, None, max(high, usual + SHARE_STEP))


def band_of_lengths(history: Sequence[tuple[float, int]], counted: int) -> Band:
    """Return the band of a mean over `counted` articles. Each of the history: the mean, and its number of articles."""
    level, spread = _middle([log(mean) for mean, _ in history])
    usually = median(count for _, count in history)
    reach = DEVIATIONS * spread * sqrt(max(1.0, usually / counted))
    reach = min(max(reach, log(LENGTH_STEP)), log(FARTHEST_LENGTH))
    return Band(exp(level), exp(level - reach), exp(level + reach))


def _articles(history: Sequence[SiteDayFigures], day: SiteDayFigures) -> tuple[float, Band] | None:
    """Return the band of comparable dates; its spread is that of all dates, each relative to those comparable to it."""
    dates = [day.day + timedelta(ahead) for ahead in range(WEEK)]
    by_weekday = {one.weekday(): alike for one in dates if (alike := same_days(history, one))}
    if day.day.weekday() not in by_weekday:
        return None
    levels = {weekday: median(_root(one.articles) for one in days) for weekday, days in by_weekday.items()}
    comparable = [one for one in history if one.day.weekday() in levels]
    _, spread = _middle([_root(one.articles) - levels[one.day.weekday()] for one in comparable])
    alike = by_weekday[day.day.weekday()]
    return float(day.articles), band_of_counts([one.articles for one in alike], spread=spread)


def _empty(history: Sequence[SiteDayFigures], day: SiteDayFigures) -> tuple[float, Band] | None:
    return _share(history, day, lambda one: (one.empty, one.empty + one.read))


def _failed(history: Sequence[SiteDayFigures], day: SiteDayFigures) -> tuple[float, Band] | None:
    return _share(history, day, lambda one: (one.failed, one.failed + one.answered))


def _share(
    history: Iterable[SiteDayFigures], day: SiteDayFigures, parts: Callable[[SiteDayFigures], tuple[int, int]]
) -> tuple[float, Band] | None:
    part, whole = parts(day)
    known = [(few, many) for few, many in map(parts, history) if many >= FEWEST_READ]
    if whole < FEWEST_READ or len(known) < YOUNG_DAYS:
        return None
    return part / whole, band_of_shares(known, whole)


def _length(history: Iterable[SiteDayFigures], day: SiteDayFigures) -> tuple[float, Band] | None:
    known = [(one.chars / one.articles, one.articles) for one in history if _has_lengths(one)]
    if not _has_lengths(day) or len(known) < YOUNG_DAYS:
        return None
    return day.chars / day.articles, band_of_lengths(known, day.articles)


def _has_lengths(day: SiteDayFigures) -> bool:
    return day.articles >= FEWEST_ARTICLES and day.chars > 0


def _week(history: Sequence[SiteDayFigures], day: SiteDayFigures) -> tuple[float, Band] | None:
    """Return the seven days up to `day` compared with the weeks before."""
    by_day = {one.day: one.articles for one in (*history, day)}
    ends = [day.day - timedelta(WEEK * back) for back in range(HISTORY_DAYS // WEEK)]
    this_week, *earlier = [_sum_of_week(by_day, end) for end in ends]
    known = [count for count in earlier if count is not None]
    if this_week is None or len(known) < WEEKS:
        return None
    return float(this_week), band_of_counts(known)


def _sum_of_week(by_day: Mapping[date, int], last: date) -> int | None:
    found = [by_day[day] for back in range(WEEK) if (day := last - timedelta(back)) in by_day]
    return sum(found) if len(found) >= RUN_DAYS_OF_A_WEEK else None


def _middle(values: Sequence[float]) -> tuple[float, float]:
    """Return the median, and the deviation of values from it."""
    middle = median(values)
    return middle, _TO_SIGMA * (1 + FEW / len(values)) * median(abs(value - middle) for value in values)


def _root(count: int) -> float:
    """Anscombe's transformation: random counts then have a deviation of one, whatever their number."""
    return 2 * sqrt(count + 3 / 8)


def _unroot(value: float) -> float:
    return max(0.0, (max(0.0, value) / 2) ** 2 - 3 / 8)


def _angle(part: int, whole: int) -> float:
    """The arc sine transformation: a random share of `whole` then has a variance of 1/`whole`, whatever the share."""
    return 2 * asin(sqrt((part + 3 / 8) / (whole + 3 / 4)))


def _unangle(value: float) -> float:
    return sin(min(value, pi) / 2) ** 2


_JUDGES: Final[Mapping[Measure, Callable[[Sequence[SiteDayFigures], SiteDayFigures], tuple[float, Band] | None]]] = {
    Measure.ARTICLES: _articles,
    Measure.WEEK: _week,
    Measure.EMPTY: _empty,
    Measure.FAILED: _failed,
    Measure.LENGTH: _length,
}
OF_DAYS: Final = tuple(_JUDGES)
"""Measures judged by date; those of a single run are judged during the run."""
