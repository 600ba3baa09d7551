"""Control limits of a site: young sites are not judged, weekends are compared with weekends, chance is no alarm."""

import math
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.monitoring.control_limits import (
    OF_DAYS,
    YOUNG_DAYS,
    band_of_counts,
    band_of_lengths,
    band_of_shares,
    judge,
)
from storage.records.monitoring import Measure, SiteDayFigures

MONDAY = date(2026, 3, 2)
USUAL = SiteDayFigures(MONDAY, runs=288, answered=300, failed=3, read=90, empty=6, articles=30, chars=30 * 800)


def days(count: int, change: Callable[[SiteDayFigures], SiteDayFigures] = lambda day: day) -> list[SiteDayFigures]:
    """So many days from a Monday on, each a little different and the same each time."""
    chance = random.Random(7)  # noqa: S311  # repeatable, nothing secret
    made = []
    for number in range(count):
        articles = 27 + chance.randrange(7)
        day = replace(
            USUAL,
            day=MONDAY + timedelta(number),
            articles=articles,
            chars=articles * (770 + chance.randrange(60)),
            empty=4 + chance.randrange(5),
            failed=1 + chance.randrange(4),
        )
        made.append(change(day))
    return made


def quiet_weekends(day: SiteDayFigures) -> SiteDayFigures:
    return replace(day, articles=2, chars=1_600) if day.day.weekday() >= 5 else day


def outside(history: list[SiteDayFigures], day: SiteDayFigures, *, is_over: bool = True) -> set[Measure]:
    found = {measure: judge(measure, history, day, is_over=is_over) for measure in OF_DAYS}
    return {measure for measure, judged in found.items() if judged is not None and not judged[1].holds(judged[0])}


GOING_BLIND = {
    "redesigned": (replace(USUAL, read=9, empty=87, articles=1, chars=700), {Measure.EMPTY, Measure.ARTICLES}),
    "shut out": (
        replace(USUAL, answered=2, failed=298, read=0, empty=0, articles=0, chars=0),
        {Measure.FAILED, Measure.ARTICLES},
    ),
    "cut to teasers": (replace(USUAL, chars=30 * 120), {Measure.LENGTH}),
    "menus for articles": (replace(USUAL, chars=30 * 4_000), {Measure.LENGTH}),
    "tag pages for articles": (replace(USUAL, articles=400, chars=400 * 800), {Measure.ARTICLES, Measure.WEEK}),
    "as ever": (USUAL, set()),
}  # fmt: skip


@pytest.mark.parametrize("name", GOING_BLIND)
def test_what_goes_blind_leaves_its_band(name: str) -> None:
    day, expected = GOING_BLIND[name]
    history = days(56)

    assert outside(history, replace(day, day=MONDAY + timedelta(56))) == expected


def test_a_young_site_is_not_judged() -> None:
    history = days(YOUNG_DAYS - 1)
    dead = replace(USUAL, day=MONDAY + timedelta(YOUNG_DAYS - 1), answered=0, failed=300, read=0, empty=90, articles=0)

    assert [judge(measure, history, dead, is_over=True) for measure in OF_DAYS] == [None] * len(OF_DAYS)


def test_a_day_without_runs_says_nothing_of_the_site() -> None:
    idle = SiteDayFigures(MONDAY + timedelta(56))
    assert [judge(measure, days(56), idle, is_over=True) for measure in OF_DAYS] == [None] * len(OF_DAYS)


@pytest.mark.parametrize("weeks", [3, 8])
def test_a_weekend_is_compared_with_weekends(weeks: int) -> None:
    history = days(7 * weeks + 5, quiet_weekends)
    saturday = replace(USUAL, day=MONDAY + timedelta(7 * weeks + 5), articles=2, chars=1_600)

    assert outside(history, saturday) == set()
    assert Measure.ARTICLES in outside(history[:-5], replace(saturday, day=MONDAY + timedelta(7 * weeks)))


def test_before_a_day_is_over_its_articles_are_not_counted() -> None:
    morning = replace(USUAL, day=MONDAY + timedelta(56), articles=0, chars=0, read=0, empty=0)

    assert outside(days(56), morning, is_over=False) == set()
    assert Measure.ARTICLES in outside(days(56), morning)


def test_a_site_that_publishes_seldom_is_judged_by_its_weeks() -> None:
    history = [replace(day, articles=1, chars=800, read=3, empty=0) for day in days(63)]
    silent = [replace(day, articles=0, chars=0, day=day.day + timedelta(63)) for day in history[:7]]

    assert outside(history, silent[0]) == set(), "one day without its one article is nothing"
    assert outside(history + silent[:6], silent[6]) == {Measure.WEEK}


def test_a_few_odd_days_move_no_band() -> None:
    first_crawl = [
        replace(day, articles=9_000, chars=7_000_000) if number < 3 else day for number, day in enumerate(days(56))
    ]
    plain = judge(Measure.ARTICLES, days(56), replace(USUAL, day=MONDAY + timedelta(56)), is_over=True)
    with_it = judge(Measure.ARTICLES, first_crawl, replace(USUAL, day=MONDAY + timedelta(56)), is_over=True)

    assert plain is not None
    assert with_it is not None
    assert with_it[1].usual == pytest.approx(plain[1].usual, rel=0.1)


def test_chance_alone_raises_hardly_any_alarm() -> None:
    """Twenty sites of a hundred days, whose articles come by chance and whose days differ by a fifth besides."""
    raised = judged = 0
    for seed in range(20):
        chance = random.Random(seed)  # noqa: S311  # repeatable, nothing secret
        history: list[SiteDayFigures] = []
        for number in range(100):
            day = _by_chance(MONDAY + timedelta(number), chance)
            judged += len(history) >= YOUNG_DAYS
            raised += bool(outside(history, day))
            history.append(day)

    assert judged == 1_720
    assert raised <= 6


def _by_chance(day: date, chance: random.Random) -> SiteDayFigures:
    rate = 20 * (0.3 if day.weekday() >= 5 else 1.0) * math.exp(chance.gauss(0, 0.2))
    articles = sum(chance.random() < rate / 200 for _ in range(200))
    lengths = [round(math.exp(chance.gauss(6.7, 0.7))) for _ in range(articles)]
    empty, failed = (sum(chance.random() < share for _ in range(80)) for share in (0.08, 0.02))
    return SiteDayFigures(day, 288, 300, failed, 80 + articles, empty, articles, sum(lengths))


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=70))
def test_a_band_of_counts_holds_what_is_usual(history: list[int]) -> None:
    band = band_of_counts(history)
    assert band.holds(band.usual)
    assert band.low is None or 0 < band.low <= band.usual
    assert band.high is not None


@given(
    st.lists(st.integers(1, 1_000).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))), min_size=1),
    st.integers(1, 1_000),
)
def test_a_band_of_shares_has_room_above_what_is_usual(history: list[tuple[int, int]], counted: int) -> None:
    band = band_of_shares(history, counted)
    assert band.low is None
    assert band.high is not None
    assert band.high >= band.usual


@given(st.lists(st.tuples(st.floats(1, 1e6), st.integers(1, 1_000)), min_size=1), st.integers(1, 1_000))
def test_a_band_of_lengths_holds_what_is_usual(history: list[tuple[float, int]], counted: int) -> None:
    assert band_of_lengths(history, counted).holds(band_of_lengths(history, counted).usual)
