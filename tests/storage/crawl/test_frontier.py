"""The frontier: addresses are met, claimed, visited, and due again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from storage.crawl import frontier, politeness, site_profile
from storage.records.crawl import Claim, FoundUrl, Learned, PageEventKind, Politeness, Tier, UrlKind, UrlState, Visit
from storage.records.pages import Declared
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.takedowns import page_presence
from storage.types import DateOrigin, FoundBy, Precision
from tests.support.factories import an_article, save, text_of

NOW = datetime.now(UTC)


@pytest.fixture
def site_id(session: Session) -> int:
    return sites.add_site(session, SiteSettings("a", ("http://a.example/",), ("a.example",))).id


def found(number: int, **fields: object) -> FoundUrl:
    return replace(FoundUrl(f"http://a.example/{number}", number), **fields)  # type: ignore[arg-type]  # a test's fields


def urls_of(claims: list[Claim]) -> list[str]:
    return [claim.url for claim in claims]


def visited(claim: Claim, *, due_at: datetime, state: UrlState = UrlState.SEEN, tier: Tier = Tier.REVISIT) -> Visit:
    return Visit(claim.id, claim.url, claim.kind, state, tier, NOW, due_at)


def claimed(session: Session, site_id: int, limit: int = 10) -> list[Claim]:
    return frontier.claim(session, site_id, run_id=1, limit=limit)


def test_an_address_is_added_once_and_claimed_by_one(session: Session, site_id: int) -> None:
    assert frontier.add_urls(session, site_id, [found(1), found(2)]) == 2
    assert frontier.add_urls(session, site_id, [found(2), found(3)]) == 1

    first, second = claimed(session, site_id, 2), claimed(session, site_id, 2)

    assert urls_of(first) == ["http://a.example/1", "http://a.example/2"]
    assert urls_of(second) == ["http://a.example/3"]
    assert claimed(session, site_id) == []


def test_entries_come_before_lists_before_new_pages_before_known_ones(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1), found(2, kind=UrlKind.LIST), found(3)])
    frontier.adopt(session, site_id, [(found(4), None, None)])
    frontier.open_frontier(session, site_id, [found(3)])

    assert [claim.tier for claim in claimed(session, site_id)] == [Tier.ENTRY, Tier.LIST, Tier.NEW, Tier.REVISIT]


def test_a_visited_address_is_due_again_at_its_time(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1), found(2)])
    one, two = claimed(session, site_id)
    later = NOW + timedelta(days=1)
    frontier.settle(session, visited(one, due_at=later))
    frontier.settle(session, visited(two, due_at=NOW - timedelta(seconds=1)))

    assert urls_of(claimed(session, site_id)) == [two.url]
    assert frontier.next_due(session, site_id) == later


def test_what_a_dead_run_had_claimed_is_free_for_the_next(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1)])
    claimed(session, site_id)
    assert claimed(session, site_id) == []

    frontier.open_frontier(session, site_id, [])

    assert [claim.attempts for claim in claimed(session, site_id)] == [2]


def test_what_was_at_hand_when_several_runs_died_waits_until_others_are_done(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1)])
    for _ in range(frontier.SUSPECT_ATTEMPTS):
        frontier.open_frontier(session, site_id, [])
        assert len(claimed(session, site_id)) == 1

    frontier.open_frontier(session, site_id, [])

    assert claimed(session, site_id) == []


def test_a_claim_that_got_lost_comes_back_after_its_time(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1)])
    claimed(session, site_id)
    session.execute(text("UPDATE frontier_url SET leased_until = now() - interval '1 second'"))

    assert len(claimed(session, site_id)) == 1


def test_a_sitemap_that_says_changed_makes_a_known_page_due(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1)])
    (claim,) = claimed(session, site_id)
    frontier.settle(session, visited(claim, due_at=NOW + timedelta(days=30)))

    frontier.add_urls(session, site_id, [found(1, modified_at=NOW - timedelta(days=1))])
    assert claimed(session, site_id) == []
    frontier.add_urls(session, site_id, [found(1, modified_at=NOW + timedelta(minutes=1))])
    (again,) = claimed(session, site_id)
    frontier.settle(session, visited(again, due_at=NOW + timedelta(days=30)))
    frontier.add_urls(session, site_id, [found(1, modified_at=NOW + timedelta(minutes=1))])
    assert claimed(session, site_id) == []


def test_what_a_feed_says_is_believed_over_a_link_and_the_first_to_say_it(session: Session, site_id: int) -> None:
    said = [Declared(NOW - timedelta(days=days), Precision.DAY, DateOrigin.FEED) for days in (1, 2)]
    frontier.add_urls(session, site_id, [found(1)])
    frontier.add_urls(session, site_id, [found(1, found_by=FoundBy.FEED, declared=said[0])])
    frontier.add_urls(session, site_id, [found(1, found_by=FoundBy.SITEMAP, declared=said[1])])

    (claim,) = claimed(session, site_id)
    assert (claim.found_by, claim.declared) == (FoundBy.FEED, said[0])


def test_another_spelling_of_what_is_gone_gets_its_chance(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1)])
    (claim,) = claimed(session, site_id)
    later = NOW + timedelta(days=30)
    frontier.settle(session, visited(claim, due_at=later, state=UrlState.GONE))

    frontier.add_urls(session, site_id, [found(1)])
    assert claimed(session, site_id) == []
    frontier.add_urls(session, site_id, [replace(found(1), url="http://a.example/1/")])
    assert urls_of(claimed(session, site_id)) == ["http://a.example/1/"]


def test_one_address_is_claimed_only_where_nobody_was(session: Session, site_id: int) -> None:
    first = frontier.claim_one(session, site_id, found(1), run_id=1)
    assert first is not None
    assert frontier.claim_one(session, site_id, found(1), run_id=1) is None
    frontier.settle(session, visited(first, due_at=NOW))
    assert frontier.claim_one(session, site_id, found(1), run_id=1) is None


def test_an_entry_is_due_once_in_a_run(session: Session, site_id: int) -> None:
    began = NOW - timedelta(minutes=1)
    frontier.add_entry(session, site_id, found(1, kind=UrlKind.SITEMAP), since=began)
    (claim,) = claimed(session, site_id)
    frontier.settle(session, visited(claim, due_at=NOW + timedelta(days=1), tier=Tier.ENTRY))

    frontier.add_entry(session, site_id, found(1, kind=UrlKind.SITEMAP), since=began)
    assert claimed(session, site_id) == []
    frontier.add_entry(session, site_id, found(1, kind=UrlKind.SITEMAP), since=NOW + timedelta(minutes=1))
    assert len(claimed(session, site_id)) == 1


def test_asked_to_revisit_everything_is_due(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1)])
    (claim,) = claimed(session, site_id)
    frontier.settle(session, visited(claim, due_at=NOW + timedelta(days=30)))

    frontier.open_frontier(session, site_id, [], revisit=True)

    assert len(claimed(session, site_id)) == 1


def test_sites_do_not_see_each_others_addresses(session: Session, site_id: int) -> None:
    other = sites.add_site(session, SiteSettings("b", ("http://b.example/",), ("b.example",))).id
    frontier.add_urls(session, site_id, [found(1)])

    assert claimed(session, other) == []
    assert frontier.next_due(session, other) is None
    assert len(claimed(session, site_id)) == 1


def test_traps_are_remembered_for_a_while(session: Session, site_id: int) -> None:
    frontier.remember_trap(session, site_id, "a.example/0", until=NOW + timedelta(days=1))
    frontier.remember_trap(session, site_id, "a.example/0/0", until=NOW - timedelta(days=1))

    assert frontier.traps(session, site_id, limit=10) == ["a.example/0"]


def test_a_page_that_goes_and_comes_back_leaves_both_on_record(session: Session) -> None:
    article = an_article("gone", text_of(1))
    save(session, article)
    url = article.url
    assert not page_presence.record_seen(session, url, NOW)
    assert page_presence.record_gone(session, url, NOW, reason="status 404")
    assert not page_presence.record_gone(session, url, NOW, reason="status 404")
    assert page_presence.record_seen(session, url, NOW + timedelta(days=1))

    kinds = [event.kind for event in page_presence.events_of_page(session, url)]
    assert kinds == [PageEventKind.GONE, PageEventKind.BACK]


def test_manners_are_the_defaults_until_they_are_set(session: Session, site_id: int) -> None:
    assert politeness.get_politeness(session, site_id) == Politeness()
    chosen = Politeness(byte_budget=10, obey_noindex=True)
    politeness.set_politeness(session, site_id, chosen)
    assert politeness.get_politeness(session, site_id) == chosen


def test_a_part_of_another_page_is_visited_with_that_page(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1), found(2)])
    at_hand, free = claimed(session, site_id)
    frontier.free(session, free.id)

    frontier.absorb(session, site_id, [found(1), found(2), found(3)], until=NOW + timedelta(days=120))

    states = {number: frontier.known(session, site_id, number) for number in (1, 2, 3)}
    assert [state.state for state in states.values() if state] == [UrlState.NEW, UrlState.ALIAS, UrlState.ALIAS]
    assert claimed(session, site_id) == []
    # Nor when all is requested again; claims in progress are left alone.
    frontier.open_frontier(session, site_id, [], revisit=True)
    assert urls_of(claimed(session, site_id)) == [at_hand.url]


def test_a_list_is_due_when_the_page_before_it_has_news(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1, kind=UrlKind.LIST), found(2)])
    later = NOW + timedelta(days=9)
    for claim in claimed(session, site_id):
        frontier.settle(session, visited(claim, due_at=later))

    frontier.make_due(session, site_id, 1)
    frontier.make_due(session, site_id, 2)  # an article is not one

    assert urls_of(claimed(session, site_id)) == ["http://a.example/1"]


def test_the_lists_of_a_site_are_told_newest_first(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(number, kind=UrlKind.LIST) for number in (1, 2, 3)] + [found(4)])
    for number, claim in enumerate(claimed(session, site_id)):
        visit = visited(claim, due_at=NOW)
        frontier.settle(session, replace(visit, at=NOW + timedelta(minutes=number)))

    assert frontier.lists(session, site_id, limit=2) == ["http://a.example/3", "http://a.example/2"]


def test_what_was_learned_of_a_site_is_kept_and_replaced(session: Session, site_id: int) -> None:
    assert site_profile.get_learned(session, site_id) == Learned()
    for marks in ({-5, 2**63 - 1}, {7}):
        site_profile.set_learned(session, site_id, marks=marks, list_shapes=["a.example/tag/0"])
        session.expire_all()
        assert site_profile.get_learned(session, site_id) == Learned(frozenset(marks), frozenset({"a.example/tag/0"}))


def test_a_visit_that_goes_on_keeps_its_claim(session: Session, site_id: int) -> None:
    frontier.add_urls(session, site_id, [found(1), found(2)])
    one, two = claimed(session, site_id)
    session.execute(text("UPDATE frontier_url SET leased_until = now() - interval '1 minute'"))

    frontier.renew(session, one.id)

    assert urls_of(claimed(session, site_id)) == [two.url]
    frontier.free(session, one.id)
    frontier.renew(session, one.id)  # what was given back is nobody's
    assert urls_of(claimed(session, site_id)) == [one.url]
