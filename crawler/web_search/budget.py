"""When a query may be asked: budgets of sites and services, rests of services that failed, visits of articles. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from crawler.web_search.service import Fault

VISITS: Final = (timedelta(0), timedelta(days=1), timedelta(days=7), timedelta(days=30))
"""After its publication, an article is asked about on the day, after a day, a week and a month."""
NOT_AGAIN_WITHIN: Final = timedelta(hours=20)
"""The time of a query: asked again earlier, a service would say the same and be paid twice. Less than a day, so that a
visit a day later is not missed by minutes.
"""
FIRST_REST: Final = timedelta(minutes=1)
LONGEST_REST: Final = timedelta(hours=6)
LONGEST_ASKED_REST: Final = timedelta(days=32)
"""A service may say that its quota begins again next month."""
UNTIL_SOMEBODY_ACTS: Final = frozenset({Fault.KEY_REFUSED, Fault.REDIRECT, Fault.REFUSED})
QUOTA_REST: Final = timedelta(hours=6)
CAPTCHA_REST: Final = timedelta(hours=1)


class Limit(StrEnum):
    """A limit that is reached."""

    QUERIES_A_DAY = "queries-a-day"
    QUERIES_A_MONTH = "queries-a-month"
    MONEY_A_MONTH = "money-a-month"


@dataclass(frozen=True, slots=True)
class Budget:
    """None: no limit. 0: nothing is asked. Days and months are those of the installation's time zone."""

    queries_a_day: int | None = None
    queries_a_month: int | None = None
    money_a_month: float | None = None


UNLIMITED: Final = Budget()


@dataclass(frozen=True, slots=True)
class Spent:
    """What was booked so far, answered or not."""

    queries_today: int = 0
    queries_this_month: int = 0
    money_this_month: float = 0.0


def reached_limit(budget: Budget, spent: Spent, price: float) -> Limit | None:
    """Return the limit that one more query of this price would exceed; None if it may be asked."""
    if budget.queries_a_day is not None and spent.queries_today >= budget.queries_a_day:
        return Limit.QUERIES_A_DAY
    if budget.queries_a_month is not None and spent.queries_this_month >= budget.queries_a_month:
        return Limit.QUERIES_A_MONTH
    # Prices are fractions of cents: a sum of floats may be off by some billionths.
    if budget.money_a_month is not None and spent.money_this_month + price > budget.money_a_month + 1e-9:
        return Limit.MONEY_A_MONTH
    return None


def rest_after(fault: Fault, failures: int, retry_after_s: float) -> timedelta:
    """Return how long a service is left alone after `failures` failures in a row, the last of this kind.

    At least as long as the service asks for. Doubled with each failure, up to LONGEST_REST.
    """
    asked = min(timedelta(seconds=max(0.0, min(retry_after_s, 1e9))), LONGEST_ASKED_REST)
    if fault in UNTIL_SOMEBODY_ACTS:
        return max(asked, LONGEST_REST)
    least = {Fault.OUT_OF_QUOTA: QUOTA_REST, Fault.CAPTCHA: CAPTCHA_REST}.get(fault, FIRST_REST)
    return max(asked, min(LONGEST_REST, least * (1 << min(max(failures, 1) - 1, 20))))


def next_visit(published: datetime, done: int, visits: Sequence[timedelta] = VISITS) -> datetime | None:
    """Return when an article is to be asked about next, after `done` visits; None after the last one."""
    return published + visits[done] if done < len(visits) else None


def visits_passed(published: datetime, now: datetime, visits: Sequence[timedelta] = VISITS) -> int:
    """Return how many visits are due by now: one visit stands for all that were missed before it."""
    return sum(published + wait <= now for wait in visits)
