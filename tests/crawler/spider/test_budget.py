"""How much one run may fetch: pages and bytes, and what counts as one."""

import pytest

from crawler.spider.budget import Budget
from storage.records.crawl import Claim, History, Tier, UrlKind, UrlState
from storage.records.pages import Declared
from storage.types import FoundBy


def a_claim(kind: UrlKind) -> Claim:
    return Claim(
        *(1, "http://a.example/", kind, UrlState.NEW, Tier.NEW, 0, 0, None, None, FoundBy.SPIDER, Declared()),
        *(History(), None),
    )


def test_pages_are_counted_when_they_are_handed_out_and_given_back_when_nothing_was_fetched() -> None:
    budget = Budget(3)
    budget.took([a_claim(UrlKind.ARTICLE), a_claim(UrlKind.LIST), a_claim(UrlKind.SITEMAP), a_claim(UrlKind.FEED)])
    assert (budget.pages_left, budget.is_spent) == (1, False)

    budget.took_part()
    assert (budget.pages_left, budget.is_spent) == (0, True)

    budget.gave_back(a_claim(UrlKind.SITEMAP))
    assert budget.is_spent
    budget.gave_back(a_claim(UrlKind.ARTICLE))
    assert (budget.pages_left, budget.is_spent) == (1, False)


@pytest.mark.parametrize(("most", "is_spent"), [(None, False), (101, False), (100, True), (99, True)])
def test_bytes_are_bounded_where_the_site_says_so(most: int | None, *, is_spent: bool) -> None:
    budget = Budget(1_000, most)
    budget.fetched(60)
    budget.fetched(40)

    assert budget.is_spent is is_spent
