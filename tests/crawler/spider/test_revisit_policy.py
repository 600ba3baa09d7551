"""Revisit times of a crawl."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.outcomes.refusals import Refusal
from crawler.spider import revisit_policy
from crawler.spider.revisit_policy import RHYTHMS, Answer
from storage.records.crawl import Claim, History, Tier, UrlKind, UrlState
from storage.records.pages import Declared
from storage.types import FoundBy

NOW = datetime(2026, 11, 21, tzinfo=UTC)
HOUR_S = 3600.0


def claim(*, kind: UrlKind = UrlKind.LIST, state: UrlState = UrlState.SEEN, attempts: int = 1,
          history: History = History(), visited_at: datetime | None = NOW) -> Claim:  # fmt: skip  # noqa: B008  # frozen
    return Claim(
        *(1, "http://a.example/", kind, state, Tier.NEW, 0, attempts, '"tag"', None, FoundBy.SPIDER, Declared()),
        *(history, visited_at),
    )


def waits_of(kind: UrlKind, *, changed: bool, visits: int) -> list[timedelta]:
    """How long a crawl waits after each of some visits that all, or none, bring news."""
    at, waits, visited = NOW, [], claim(kind=kind, state=UrlState.NEW, visited_at=None)
    for _ in range(visits):
        visit = revisit_policy.read(visited, Answer("http://a.example/", at), kind=kind, changed=changed)
        waits.append(visit.due_at - at)
        visited = claim(kind=kind, history=visit.history, visited_at=at)
        at = visit.due_at
    return waits


def test_what_never_changes_is_visited_ever_more_seldom_up_to_a_bound() -> None:
    waits = waits_of(UrlKind.ARTICLE, changed=False, visits=14)
    assert waits[0] == RHYTHMS[UrlKind.ARTICLE].first
    assert waits == sorted(waits)
    assert waits[-1] == RHYTHMS[UrlKind.ARTICLE].most


def test_what_always_changes_is_visited_ever_more_often_down_to_a_bound() -> None:
    waits = waits_of(UrlKind.LIST, changed=True, visits=12)
    assert waits[0] == RHYTHMS[UrlKind.LIST].first
    assert waits == sorted(waits, reverse=True)
    assert waits[-1] == RHYTHMS[UrlKind.LIST].least


def test_a_list_that_fell_asleep_is_noticed_within_a_few_visits() -> None:
    busy = History(visits=12, changes=12, observed_s=12 * HOUR_S)
    at, visited = NOW, claim(history=busy, visited_at=NOW - timedelta(hours=1))
    waits = []
    for _ in range(8):
        visit = revisit_policy.read(visited, Answer("http://a.example/", at), kind=UrlKind.LIST, changed=False)
        waits.append(visit.due_at - at)
        visited, at = claim(history=visit.history, visited_at=at), visit.due_at
    assert waits[-1] > 3 * waits[0]


@given(st.integers(0, 12), st.integers(0, 12), st.floats(0, 1e9), st.sampled_from(UrlKind))
def test_every_wait_keeps_to_its_bounds(visits: int, changes: int, observed_s: float, kind: UrlKind) -> None:
    wait = revisit_policy.interval(revisit_policy.RHYTHMS[kind], History(visits, min(changes, visits), observed_s))
    assert RHYTHMS[kind].least <= wait <= RHYTHMS[kind].most


def test_the_first_visit_tells_nothing_about_change() -> None:
    first = claim(state=UrlState.NEW, visited_at=None)
    assert revisit_policy.observed(first, changed=True, at=NOW) == History()


def test_what_may_pass_is_tried_again_later_and_later_and_keeps_what_is_known() -> None:
    once = revisit_policy.refused(claim(attempts=1), Refusal.TIMEOUT, at=NOW)
    thrice = revisit_policy.refused(claim(attempts=3), Refusal.TIMEOUT, at=NOW)
    assert once.due_at < thrice.due_at
    assert (once.state, once.etag) == (UrlState.SEEN, '"tag"')
    assert (
        revisit_policy.refused(claim(attempts=99), Refusal.TIMEOUT, at=NOW).due_at
        == NOW + revisit_policy.LONGEST_BACK_OFF
    )


def test_a_page_that_was_never_seen_stays_new_when_its_server_fails() -> None:
    visit = revisit_policy.refused(claim(state=UrlState.NEW), Refusal.UNREACHABLE, at=NOW)
    assert (visit.state, visit.tier) == (UrlState.NEW, Tier.NEW)


@pytest.mark.parametrize(("refusal", "state"), [(Refusal.GONE, UrlState.GONE), (Refusal.WRONG_TYPE, UrlState.REFUSED)])
def test_what_is_gone_or_no_page_forgets_its_validators(refusal: Refusal, state: UrlState) -> None:
    visit = revisit_policy.refused(claim(kind=UrlKind.ARTICLE), refusal, at=NOW)
    assert (visit.state, visit.etag, visit.tier) == (state, None, Tier.REVISIT)
