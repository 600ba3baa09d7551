"""The budget rule, the rests of failing services, and the visits of an article."""

from datetime import UTC, datetime, timedelta

import pytest

from crawler.web_search.budget import (
    LONGEST_ASKED_REST,
    LONGEST_REST,
    Budget,
    Limit,
    Spent,
    next_visit,
    reached_limit,
    rest_after,
    visits_passed,
)
from crawler.web_search.service import Fault

PUBLISHED = datetime(2026, 3, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("budget", "spent", "limit"),
    [
        (Budget(), Spent(10**6, 10**7, 1e6), None),
        (Budget(queries_a_day=3), Spent(2), None),
        (Budget(queries_a_day=3), Spent(3), Limit.QUERIES_A_DAY),
        (Budget(queries_a_day=0), Spent(), Limit.QUERIES_A_DAY),
        (Budget(queries_a_month=9), Spent(0, 9), Limit.QUERIES_A_MONTH),
        (Budget(money_a_month=0.03), Spent(2, 2, 0.01 + 0.01), None),
        (Budget(money_a_month=0.03), Spent(3, 3, 0.01 + 0.01 + 0.01), Limit.MONEY_A_MONTH),
        (Budget(money_a_month=0), Spent(), Limit.MONEY_A_MONTH),
    ],
)
def test_a_query_may_be_asked_while_no_limit_is_reached(budget: Budget, spent: Spent, limit: Limit | None) -> None:
    assert reached_limit(budget, spent, price=0.01) is limit


def test_ten_thousand_prices_of_a_tenth_of_a_cent_are_ten() -> None:
    spent = Spent(money_this_month=sum([0.001] * 9_999))
    assert reached_limit(Budget(money_a_month=10), spent, price=0.001) is None


def test_a_free_query_may_be_asked_when_the_money_is_spent() -> None:
    assert reached_limit(Budget(money_a_month=1), Spent(money_this_month=1), price=0) is None


def test_rests_double_up_to_a_bound_and_are_never_shorter_than_asked_for() -> None:
    rests = [rest_after(Fault.BUSY, failures, 0) for failures in (1, 2, 3, 60)]
    assert rests == [timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=4), LONGEST_REST]
    assert rest_after(Fault.BUSY, 1, 7_200) == timedelta(hours=2)
    assert rest_after(Fault.BUSY, 1, 9e99) == LONGEST_ASKED_REST
    assert rest_after(Fault.KEY_REFUSED, 1, 0) == LONGEST_REST
    assert rest_after(Fault.CAPTCHA, 1, -5) == timedelta(hours=1)


def test_an_article_is_visited_on_publishing_after_a_day_a_week_and_a_month() -> None:
    days = [(next_visit(PUBLISHED, done) or PUBLISHED) - PUBLISHED for done in range(4)]
    assert [wait.days for wait in days] == [0, 1, 7, 30]
    assert next_visit(PUBLISHED, 4) is None
    assert [visits_passed(PUBLISHED, PUBLISHED + timedelta(days=day)) for day in (-1, 0, 1, 8, 400)] == [0, 1, 2, 3, 4]
