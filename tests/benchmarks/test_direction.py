"""What is said to be sure about who was first is right as often as it says, also where much is against it."""

import pytest

from benchmarks.parameters.direction import Rates, reliability, simulate

PAIRS = 3_000


@pytest.mark.parametrize(
    "rates",
    [
        Rates(),
        Rates(crawled_late=1.0),
        Rates(crawled_late=1.0, copier_lies=0.3),
        Rates(date_missing=0.7, imported=0.5),
        Rates(credit_linked=0.0, credit_named=0.0, voice=0.0),
        Rates(credit_linked=0.0, credit_named=0.0, original_role=0.0, copier_lies=0.2),
    ],
    ids=["usual", "any order of visits", "many liars", "few dates", "nobody credits", "watched sites only"],
)
def test_nine_in_ten_are_right_of_those_stated_at_nine_in_ten(rates: Rates) -> None:
    unsure, sure = reliability(simulate(PAIRS, seed=7, rates=rates), bins=(0.5, 0.9, 1.0))

    assert sure.pairs > PAIRS / 30  # a judge who is never sure would pass otherwise
    assert sure.share_right >= 0.9
    assert unsure.share_right < sure.share_right


def test_the_surer_the_statement_the_more_often_it_is_right() -> None:
    shares = [found.share_right for found in reliability(simulate(PAIRS, seed=3), bins=(0.5, 0.6, 0.8, 0.9, 0.95, 1.0))]

    assert shares == sorted(shares)


def test_the_same_seed_gives_the_same_pairs() -> None:
    assert simulate(50, seed=1) == simulate(50, seed=1) != simulate(50, seed=2)
