"""The soak: its web is repeatable and served as it is, and its balance misses nothing."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.common.report import as_markdown
from benchmarks.disguises.texts import DISGUISES
from benchmarks.soak.balance import Balance, balance_of
from benchmarks.soak.load import Sample
from benchmarks.soak.report import report_of
from benchmarks.soak.run import SoakResult
from benchmarks.soak.server import answer, serving
from benchmarks.soak.world import SHARES, World
from storage.analytics.ledger import Ledger
from storage.types import SiteRole

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ACTS = 300


def a_world(seed: int = 3, acts: int = ACTS) -> World:
    world = World(seed)
    for number in range(acts):
        world.act(NOW + timedelta(seconds=number))
    return world


@pytest.fixture(scope="module")
def world() -> World:
    return a_world()


def addresses_of(world: World) -> dict[str, str]:
    return {name: f"http://{number}.example" for number, name in enumerate(world.sites)}


def test_the_same_seed_makes_the_same_acts_and_another_one_others(world: World) -> None:
    again, other = a_world(), a_world(4)

    assert (again.planted, again.acts) == (world.planted, world.acts)
    assert {name: site.pages for name, site in again.sites.items()} == {n: s.pages for n, s in world.sites.items()}
    assert other.planted != world.planted


def test_everything_happens_and_copies_stand_on_watched_sites(world: World) -> None:
    assert sum(world.acts.values()) == ACTS
    assert all(world.acts[kind] > 0 for kind in SHARES)
    assert {one.disguise for one in world.planted} == set(DISGUISES)
    assert {world.sites[one.copy[0]].role for one in world.planted} == {SiteRole.WATCHED}
    assert {world.sites[one.source[0]].role for one in world.planted} == {SiteRole.ORIGINAL}
    assert sum(len(site.removed) for site in world.sites.values()) == world.acts["remove"]


def test_a_site_lists_what_stands_on_it_and_answers_nothing_for_what_went() -> None:
    world = a_world(acts=60)
    site = max(world.sites.values(), key=lambda one: len(one.removed))
    here, gone = next(iter(site.pages)), next(iter(site.removed))

    found = [answer(world, site.name, "http://a.example", path) for path in (here, "/feed.xml", "/sitemap.xml")]
    page, feed, sitemap = (one.body.decode() if one else "" for one in found)

    assert site.pages[here].text.split("\n")[0] in page
    assert f"<link>http://a.example{here}</link>" in feed
    assert f"<loc>http://a.example{here}</loc>" in sitemap
    assert gone not in feed + sitemap
    assert answer(world, site.name, "http://a.example", gone) is None
    assert site.asked == {here}


def test_every_site_has_an_address_of_its_own(world: World) -> None:
    with serving(world) as addresses:
        assert set(addresses) == set(world.sites)
        assert len(set(addresses.values())) == len(world.sites)


def all_stored(world: World) -> Ledger:
    """Everything that was ever there was stored and compared, and what went is known to be gone."""
    addresses = addresses_of(world)
    pages: dict[str, tuple[int, bool]] = {}
    for site in world.sites.values():
        for path in site.ever:
            pages[addresses[site.name] + path] = (len(pages), path in site.removed)
    ids = {url: number for url, (number, _) in pages.items()}
    pairs = [sorted(ids[addresses[site] + path] for site, path in (one.copy, one.source)) for one in world.planted]
    return Ledger(pages, {}, frozenset((low, high) for low, high in pairs), 0, 0, 0, 0, 0, len(pages))


def test_where_all_is_stored_and_found_the_balance_holds(world: World) -> None:
    balance = balance_of(world, addresses_of(world), all_stored(world))

    assert balance.holds
    assert (balance.stored, balance.found) == (balance.published, balance.planted)
    assert balance.kept_alive == ()


def without(stored: Ledger, url: str) -> Ledger:
    return replace(stored, pages={known: page for known, page in stored.pages.items() if known != url})


def test_a_page_that_is_nowhere_is_lost_unless_it_was_refused_or_gone_before_anybody_asked(world: World) -> None:
    addresses, stored = addresses_of(world), all_stored(world)
    site = next(site for site in world.sites.values() if site.pages and site.removed)
    here, gone = (addresses[site.name] + next(iter(paths)) for paths in (site.pages, site.removed - site.asked))

    lost = balance_of(world, addresses, without(stored, here))
    refused = balance_of(world, addresses, replace(without(stored, here), refused={here: "list-page"}))
    unseen = balance_of(world, addresses, without(stored, gone))

    assert (lost.holds, lost.lost) == (False, (here,))
    assert (refused.holds, refused.refused) == (True, {"list-page": 1})
    assert (unseen.holds, unseen.unseen) == (True, 1)


def test_a_copy_without_a_match_is_missed_and_named(world: World) -> None:
    balance = balance_of(world, addresses_of(world), replace(all_stored(world), pairs=frozenset()))

    assert (balance.found, len(balance.missed)) == (0, balance.planted)
    assert balance.missed[0].startswith(f"{world.planted[0].disguise}: ")


@pytest.mark.parametrize("wrong", ["twice", "without_fingerprint", "waiting"])
def test_what_is_stored_twice_or_half_or_not_compared_breaks_the_balance(world: World, wrong: str) -> None:
    stored = replace(all_stored(world), **{wrong: 1})  # type: ignore[arg-type]

    assert not balance_of(world, addresses_of(world), stored).holds


def test_the_report_shows_the_balance_and_what_was_taken_up(world: World) -> None:
    balance: Balance = balance_of(world, addresses_of(world), replace(all_stored(world), pairs=frozenset()))
    samples = tuple(Sample(15.0 * n, 100, 80, 50, 60, 12, 40, 9, 1.0, 2.0, n, 0, 0) for n in range(9))
    result = SoakResult("1", "3.11", "m", 2, 1.0, 3, 5.0, 60.0, dict(world.acts), 9.0, 0, samples, balance)

    report = report_of(result)
    text = as_markdown(report)

    assert f"| published | {balance.published} |" in text
    assert "| memory of the worker, MB | 100 | 100 | 100 |" in text
    assert f"* {balance.missed[0]}" in text
    assert isinstance(report.value, dict)
    assert report.value["balance"]["holds"] is True
