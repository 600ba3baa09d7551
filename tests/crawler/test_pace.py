"""Politeness of a crawl: delays and pauses."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.orm import Session

from crawler.extraction.html.robots_meta import directives
from crawler.network import pace
from crawler.network.pace import LONGEST_DELAY_S, LONGEST_HOLD_S, Pace, crawl_delay_s, hold_s, is_open, next_delay
from storage.crawl import host_rate_limit, politeness
from storage.engine import make_engine, transaction
from storage.records.crawl import Politeness
from storage.sites import sites
from storage.time_zones import zone_named
from tests.fake_web import requests_so_far, served
from tests.flow.test_crawl import add_site, crawl, stored
from zhiwen.cli import zhiwen

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def web() -> Iterator[str]:
    with served() as base:
        yield base


def test_a_slow_server_is_asked_more_slowly_at_once_and_a_fast_one_faster_by_and_by() -> None:
    slower = next_delay(1.0, latency_s=10.0, answered_well=True, least_s=1.0)
    assert slower == 5.0
    assert 1.0 < next_delay(slower, latency_s=0.1, answered_well=True, least_s=1.0) < slower


def test_an_error_page_shortens_no_delay() -> None:
    assert next_delay(5.0, latency_s=0.001, answered_well=False, least_s=1.0) == 5.0


@given(st.floats(0, 1e4), st.floats(0, 1e4), st.booleans(), st.floats(0, 3600))
def test_no_delay_is_shorter_than_the_site_s(delay_s: float, latency_s: float, well: bool, least_s: float) -> None:
    assert next_delay(delay_s, latency_s=latency_s, answered_well=well, least_s=least_s) >= least_s


def test_robots_may_ask_for_more_up_to_a_bound() -> None:
    polite = Pace(1.0)
    polite.least("a.example", crawl_delay_s(7))
    assert polite.delay_s("a.example") == 7.0
    assert polite.delay_s("b.example") == 1.0
    assert crawl_delay_s(86_400) == LONGEST_DELAY_S
    assert crawl_delay_s(None) == crawl_delay_s(-3) == 0.0


def test_a_host_is_left_alone_as_long_as_it_says_or_ever_longer() -> None:
    assert hold_s("120", refusals=1, now=NOW) == 120.0
    assert hold_s(format_datetime(NOW + timedelta(seconds=90), usegmt=True), refusals=1, now=NOW) == 90.0
    assert hold_s(None, refusals=3, now=NOW) == 2 * hold_s(None, refusals=2, now=NOW)
    for written in (None, "", "soon", "-5", "1e9", "Mon, 99 Foo 2026"):
        assert hold_s(written, refusals=1, now=NOW) == pace.FIRST_HOLD_S
    assert hold_s("999999999", refusals=99, now=NOW) == LONGEST_HOLD_S


@pytest.mark.parametrize(
    ("start", "end", "hour", "is_it"),
    [(1, 6, 3, True), (1, 6, 6, False), (22, 6, 23, True), (22, 6, 5, True), (22, 6, 12, False)],
)
def test_a_window_may_span_midnight_and_is_of_the_site_s_zone(start: int, end: int, hour: int, is_it: bool) -> None:
    zone = zone_named("Asia/Shanghai")
    now = datetime(2026, 11, 21, hour, tzinfo=zone).astimezone(UTC)
    assert is_open(time(start), time(end), now=now, zone=zone) is is_it
    assert is_open(None, None, now=now, zone=zone)


def test_turns_taken_together_are_as_if_each_had_been_taken_by_itself(session: Session) -> None:
    # Long beside what a busy machine may lose between two statements.
    delays = [4000.0, 0.0, 1000.0, 1600.0]

    alone = [host_rate_limit.take_turn(session, "a.example", delay_s=delay_s) for delay_s in delays]
    together = host_rate_limit.take_turns(session, "b.example", delays)

    assert together == pytest.approx(alone, abs=300.0)
    assert together == pytest.approx([0.0, 4000.0, 4000.0, 5000.0], abs=300.0)
    assert host_rate_limit.take_turn(session, "b.example", delay_s=0.0) == pytest.approx(6600.0, abs=300.0)


def test_turns_taken_together_begin_after_a_pause(session: Session) -> None:
    host_rate_limit.take_turn(session, "a.example", delay_s=0.0)
    host_rate_limit.hold_off(session, "a.example", until=datetime.now(UTC) + timedelta(seconds=1000))

    first, second = host_rate_limit.take_turns(session, "a.example", [5.0, 5.0])

    assert 900 < first <= 1000
    assert second == pytest.approx(first + 5.0)


def test_two_processes_take_turns_at_one_host(session: Session) -> None:
    waits = [host_rate_limit.take_turn(session, "a.example", delay_s=1000.0) for _ in range(3)]
    assert [round(wait_s, -3) for wait_s in waits] == [0, 1000, 2000]
    assert host_rate_limit.take_turn(session, "b.example", delay_s=1000.0) == 0.0


def test_a_host_that_asked_for_a_pause_is_asked_by_nobody(session: Session) -> None:
    host_rate_limit.take_turn(session, "a.example", delay_s=0.0)
    assert host_rate_limit.count_refusal(session, "a.example") == 1
    host_rate_limit.hold_off(session, "a.example", until=datetime.now(UTC) + timedelta(seconds=1000))
    assert host_rate_limit.count_refusal(session, "a.example") == 1  # still the same pause
    assert host_rate_limit.take_turn(session, "a.example", delay_s=0.0) > 900
    session.execute(text("UPDATE host_turn SET held_until = now() - interval '1 second', next_at = now()"))
    assert host_rate_limit.count_refusal(session, "a.example") == 2
    host_rate_limit.answers_again(session, "a.example")
    assert host_rate_limit.count_refusal(session, "a.example") == 1


@pytest.mark.parametrize(
    ("body", "header", "words"),
    [
        (b'<META content="noindex,nofollow" NAME=robots>', None, {"noindex", "nofollow"}),
        (b"<meta name='robots' content='none'>", None, {"none", "noindex"}),
        (b'<meta name="description" content="noindex">', None, set()),
        (b"", "noarchive", {"noarchive"}),
        (b"", "otherbot: noindex", set()),
        (b"<meta " * 50_000, None, set()),
    ],
)
def test_what_a_page_asks_of_robots_is_read(body: bytes, header: str | None, words: set[str]) -> None:
    assert directives(body, header) == words


def test_a_server_that_asks_for_a_pause_gets_it_and_is_asked_again(clean_database_url: str, web: str) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/asking",), allow=("/asking", "/busy", "/hidden", "/shown"))

    run = crawl(clean_database_url)

    assert run.counters["hosts/asked-too-much"] == 1
    assert requests_so_far(web)["/busy"] == 2
    assert set(stored(clean_database_url)) == {"/busy", "/hidden", "/shown"}


def test_a_site_s_politeness_is_kept(clean_database_url: str, web: str) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/asking",), allow=("/asking", "/hidden", "/shown"))
    shut = (datetime.now(zone_named("Asia/Shanghai")) + timedelta(hours=2)).time()
    opens_later = Politeness(window_start=shut, window_end=(datetime.combine(NOW, shut) + timedelta(hours=1)).time())
    set_manners(clean_database_url, opens_later)
    assert crawl(clean_database_url).exit_reason == "outside-window"
    assert requests_so_far(web) == {}

    set_manners(clean_database_url, Politeness(byte_budget=1))
    # One page was read, and with it the bound; what it led to and the sitemap are left.
    assert crawl(clean_database_url).counters["refused/budget"] == 3

    set_manners(clean_database_url, replace(Politeness(), obey_noindex=True))
    assert crawl(clean_database_url).counters["refused/not-to-be-kept"] == 1
    assert set(stored(clean_database_url)) == {"/shown"}


def set_manners(database_url: str, chosen: Politeness) -> None:
    engine = make_engine(database_url)
    with transaction(engine) as session:
        politeness.set_politeness(session, sites.list_sites(session)[0].id, chosen)
    engine.dispose()


def test_manners_are_set_and_shown_on_the_command_line(clean_database_url: str, web: str, tmp_path: Path) -> None:
    add_site(clean_database_url, web, name="copier")
    environment = {"DATABASE_URL": clean_database_url, "ZHIWEN_HOME": str(tmp_path)}

    def asked(*options: str) -> str:
        done = CliRunner().invoke(zhiwen, ["site", "politeness", "copier", *options], env=environment)
        return " ".join(done.output.split())

    assert "window │ always" in asked()
    shown = asked("--window", "22:00-06:30", "--max-megabytes", "5", "--noindex", "obey")
    assert "22:00-06:30" in shown
    assert "noindex │ obey" in shown
    assert "megabytes a run │ 5" in asked("--window", "always")
    assert "is not a window" in asked("--window", "at night")
