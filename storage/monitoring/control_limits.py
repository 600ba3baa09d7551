"""What is usual for a site, told by its own history, and whether a day is not (pure).

Medians and their absolute deviations: a few odd days, such as the first crawl with all its old articles, move nothing.
Counts and shares are compared where their chance alone is the same everywhere (square root, arc sine).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from math import asin, exp, log, pi, sin, sqrt
from statistics import median
from typing import Final

from storage.records.monitoring import Band, Measure, SiteDayFigures

DEVIATIONS: Final = 4.0
"""How far out a value is an alarm: by chance about once in 15,000 days, were days alike."""

AT_THE_END: Final = frozenset({Measure.ARTICLES, Measure.WEEK})

_TO_SIGMA: Final = 1.4826
"""From the median absolute deviation to the standard deviation of a bell curve."""

HISTORY_DAYS: Final = 70
"""Ten of each weekday."""
YOUNG_DAYS: Final = 14
"""A site with fewer days of runs is not judged."""
SAME_WEEKDAY: Final = 6
"""From as many on, a day is compared with those of its weekday; before, with working days or with weekends."""
SAME_SORT: Final = {False: 8, True: 4}
"""As many working days, or days of weekends, are needed before."""
WEEK: Final = 7
WEEKS: Final = 6
RUN_DAYS_OF_A_WEEK: Final = 5
"""A week with runs on fewer days says nothing."""

FEW: Final = 4
"""How far values are apart is little known by a few: the reach grows by this part of their number, which is as good as
doubled by four of them.
"""

COUNT_STEP: Final = 2
"""Articles have to be less than half, or more than double, besides: the news has its seasons."""
FEWEST_READ: Final = 20
"""Pages or requests of a day below which their share says nothing."""
SHARE_STEP: Final = 0.1
"""A share has to rise by this much besides: with thousands of pages, chance alone allows for nothing."""
FEWEST_ARTICLES: Final = 8
"""Of a day whose mean length says something."""
LENGTH_STEP: Final = 4 / 3
"""Articles have to be longer or shorter by a third or a quarter besides."""
FARTHEST_LENGTH: Final = 100.0
"""However much lengths differ, a hundredth or a hundredfold of the usual one is an alarm."""
_SATURDAY: Final = 5


def judge(
    measure: Measure, history: Sequence[SiteDayFigures], day: SiteDayFigures, *, is_over: bool
) -> tuple[float, Band] | None:
    """The value of `measure` on a day and its band; None where the day, or what is known of earlier ones, says too
    little. `history` are earlier days in any order. What counts articles waits for the end of the day (`is_over`).
    """
    earlier = [one for one in history if day.day - timedelta(HISTORY_DAYS) <= one.day < day.day and one.runs]
    if len(earlier) < YOUNG_DAYS or not day.runs or (measure in AT_THE_END and not is_over):
        return None
    return _JUDGES[measure](earlier, day)


def same_days(history: Iterable[SiteDayFigures], day: date) -> list[SiteDayFigures]:
    """Days that `day` is to be compared with: of its weekday, else working days or weekends; none where too few."""
    known = list(history)
    alike = [one for one in known if one.day.weekday() == day.weekday()]
    if len(alike) >= SAME_WEEKDAY:
        return alike
    is_weekend = day.weekday() >= _SATURDAY
    alike = [one for one in known if (one.day.weekday() >= _SATURDAY) == is_weekend]
    return alike if len(alike) >= SAME_SORT[is_weekend] else []


def band_of_counts(history: Sequence[int], *, spread: float | None = None) -> Band:
    """Of a number of things that come by themselves. `spread`: how far the square roots (`_root`) of such numbers are
    apart, where more is known of it than these say.
    """
    level, own_spread = _middle([_root(count) for count in history])
    reach = DEVIATIONS * max(1.0, own_spread if spread is None else spread)
    usual = float(median(history))
    low = min(_unroot(level - reach), usual / COUNT_STEP)
    return Band(usual, low if low > 0 else None, max(_unroot(level + reach), usual * COUNT_STEP))


def band_of_shares(history: Sequence[tuple[int, int]], counted: int) -> Band:
    """Of a share among `counted` that may rise by chance alone; it has no lower bound. Each of the history: how many,
    of how many.
    """
    level, spread = _middle([_angle(part, whole) for part, whole in history])
    usual = median(part / whole for part, whole in history)
    high = _unangle(level + DEVIATIONS * sqrt(1 / counted + spread**2))
    return Band(usual, None, max(high, usual + SHARE_STEP))


def band_of_lengths(history: Sequence[tuple[float, int]], counted: int) -> Band:
    """Of a mean over `counted` articles. Each of the history: the mean, and of how many."""
    level, spread = _middle([log(mean) for mean, _ in history])
    usually = median(count for _, count in history)
    reach = DEVIATIONS * spread * sqrt(max(1.0, usually / counted))
    reach = min(max(reach, log(LENGTH_STEP)), log(FARTHEST_LENGTH))
    return Band(exp(level), exp(level - reach), exp(level + reach))


def _articles(history: Sequence[SiteDayFigures], day: SiteDayFigures) -> tuple[float, Band] | None:
    """Beside days like it; how far days are apart is told by all of them, each beside those like itself."""
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
    """The seven days up to `day` beside the weeks before."""
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
    """The median, and how far values are from it."""
    middle = median(values)
    return middle, _TO_SIGMA * (1 + FEW / len(values)) * median(abs(value - middle) for value in values)


def _root(count: int) -> float:
    """Anscombe's: of counts that come by chance it differs by one, however many they are."""
    return 2 * sqrt(count + 3 / 8)


def _unroot(value: float) -> float:
    return max(0.0, (max(0.0, value) / 2) ** 2 - 3 / 8)


def _angle(part: int, whole: int) -> float:
    """Of `whole` by chance it differs by the root of one in `whole`, whatever the share."""
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
"""What is judged day by day; what one run does is judged while it goes."""
