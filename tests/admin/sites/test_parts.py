"""Parts of the pages of sites: typed addresses, names, the strip of days, times of a log, schedules (pure)."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin.sites.log_times import times_in_zone
from admin.sites.schedule_choice import CHOICES, NEVER, OTHER, chosen
from admin.sites.typed_address import LONGEST_NAME, meant_addresses, name_of_site
from admin.sites.visit_strip import DAYS, DayState, strip_of
from storage.jobs.schedule_rules import Rule
from storage.monitoring.recent_days import DayOfVisits

TODAY = date(2026, 11, 23)
SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("daily.example", ("https://daily.example", "http://daily.example")),
        ("http://daily.example/a", ("http://daily.example/a",)),
        ("127.0.0.1:8941", ("https://127.0.0.1:8941", "http://127.0.0.1:8941")),
        ("localhost:80/x", ("https://localhost:80/x", "http://localhost:80/x")),
        ("http://intranet/", ("http://intranet/",)),
        ("中文.example", ("https://中文.example", "http://中文.example")),
        ("没有网址", ()), ("", ()), ("two words.example", ()), ("javascript:alert(1)", ()), ("file:///etc/passwd", ()),
        ("import:///a", ()), ("mailto:a@b.example", ()), (".", ()), ("https://", ()), ("http://[::1", ()),
    ],
)  # fmt: skip
def test_an_address_is_read_as_people_type_it(text: str, addresses: tuple[str, ...]) -> None:
    assert meant_addresses(text) == addresses


@given(st.text(max_size=60))
def test_no_text_breaks_the_reading_of_addresses_or_names(text: str) -> None:
    assert all(one.startswith(("http://", "https://")) for one in meant_addresses(text) if "://" not in text)
    assert 0 < len(name_of_site(text, "daily.example")) <= LONGEST_NAME


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("临江日报_首页", "临江日报"), ("首页 - 临江日报", "临江日报"), ("Home | County Daily", "County Daily"),
        ("临江日报-权威新闻", "临江日报"), ("Well-known Daily", "Well-known Daily"), ("", "daily.example"),
        ("首页", "daily.example"), ("<script>alert(1)</script>", "daily.example"), ("长" * 61, "daily.example"),
        ("县报 · 首页", "daily.example"),
    ],
)  # fmt: skip
def test_a_site_is_named_by_its_title_unless_the_name_is_taken(title: str, name: str) -> None:
    assert name_of_site(title, "www.daily.example", taken={"县报"}) == name


def test_the_strip_has_a_mark_a_day_and_today_is_the_last() -> None:
    found = [
        DayOfVisits(TODAY, runs=2, answered=30, failed=1),
        DayOfVisits(TODAY - timedelta(days=1), runs=1, answered=0, failed=9),
        DayOfVisits(TODAY - timedelta(days=2), runs=1, answered=3, failed=4),
        DayOfVisits(TODAY - timedelta(days=DAYS), runs=1, answered=5, failed=0),
        DayOfVisits(TODAY + timedelta(days=1), runs=1, answered=5, failed=0),
    ]

    strip = strip_of(found, TODAY)

    assert [one.day for one in strip] == [TODAY - timedelta(days=back) for back in range(29, -1, -1)]
    assert [one.state for one in strip[-4:]] == [DayState.NONE, DayState.FAILING, DayState.FAILING, DayState.OK]
    assert {one.state for one in strip[:-3]} == {DayState.NONE}


@pytest.mark.parametrize("hours", [-8, 0, 5.75, 8])
def test_times_of_a_log_are_shown_in_the_zone_of_the_viewer_wherever_it_was_written(hours: float) -> None:
    begun = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
    there = timezone(timedelta(hours=hours))
    lines = [(begun + timedelta(seconds=after)).astimezone(there) for after in (3, 40_000)]
    text = "".join(f"{at:%Y-%m-%d %H:%M:%S},123 INFO scrapy: 2026-11-23 00:00:00 stays\n" for at in lines)

    shown = times_in_zone(text, begun, SHANGHAI)

    assert shown.splitlines()[0].startswith("2026-11-23 17:00:03,123 INFO")
    assert shown.splitlines()[1].startswith("2026-11-24 04:06:40,123 INFO")
    assert shown.count("2026-11-23 00:00:00 stays") == 2


@pytest.mark.parametrize(
    "text",
    ["", "no time\n", '{"time": "2026-11-23T09:00:00Z"}\n', "2026-99-99 99:99:99,1 x\n", "1999-01-01 00:00:00,1 x"],
)
def test_a_log_whose_zone_cannot_be_told_stays_as_it_is(text: str) -> None:
    assert times_in_zone(text, datetime(2026, 11, 23, 9, tzinfo=UTC), SHANGHAI) == text


def test_every_choice_of_a_schedule_is_a_rule_and_every_other_rule_is_shown_as_such() -> None:
    for rule in CHOICES:
        if rule not in (NEVER, OTHER):
            Rule.parse(rule)
            assert chosen(rule) == (rule, "")
    assert chosen(None) == chosen("") == (NEVER, "")
    assert chosen("0 3 * * *") == (OTHER, "0 3 * * *")
