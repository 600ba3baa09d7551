"""Dates as pages state them."""

from datetime import UTC, date, datetime

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.metadata.dates import page_date
from crawler.extraction.metadata.european_dates import day_first
from crawler.extraction.metadata.one_date import date_in
from storage.records.pages import Declared
from storage.time_zones import zone_named
from storage.types import DateOrigin, Precision

NOW = datetime(2026, 11, 21, 6, 0, tzinfo=UTC)
ZONE = zone_named("Asia/Shanghai")
SHOWN = DateOrigin.VISIBLE


def at(day: int, hour: int = 16, minute: int = 0, second: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, second, tzinfo=UTC)


STATED = [
    ("2026年11月2日 08:30", at(2, 0, 30), Precision.MINUTE),
    ("2026-11-02 08:30:07", at(2, 0, 30, 7), Precision.SECOND),
    ("2026-11-02T08:30:00+09:00", at(1, 23, 30), Precision.SECOND),
    ("2026-11-02T00:30:00.123Z", at(2, 0, 30), Precision.SECOND),
    ("Mon, 02 Nov 2026 08:30:00 GMT", at(2, 8, 30), Precision.SECOND),
    ("2026年11月2日下午3:05", at(2, 7, 5), Precision.MINUTE),
    ("2026/11/2", at(1), Precision.DAY),
    ("20261102", at(1), Precision.DAY),
    ("3小时前", at(21, 3), Precision.DAY),
    ("5分钟前", at(21, 5, 55), Precision.MINUTE),
    ("昨天 21:05", at(20, 13, 5), Precision.MINUTE),
    ("前天", at(18), Precision.DAY),
    ("2026年11月2日（星期一）08:30", at(2, 0, 30), Precision.MINUTE),
    ("民國115年11月2日", at(1), Precision.DAY),
    ("二〇二六年十一月二日", at(1), Precision.DAY),
    ("二○二六年十一月十二日", at(11), Precision.DAY),
    ("半小时前", at(21, 5, 30), Precision.DAY),
    ("两天前", at(19, 6), Precision.DAY),
    ("刚刚", at(21, 6), Precision.MINUTE),
    ("November 2, 2026 at 8:30 pm", at(2, 12, 30), Precision.MINUTE),
    ("Posted on Nov. 2nd, 2026", at(1), Precision.DAY),
    ("2 Nov 2026 12:05 AM", at(1, 16, 5), Precision.MINUTE),
    ("3 hours ago", at(21, 3), Precision.DAY),
    ("Yesterday at 21:05", at(20, 13, 5), Precision.MINUTE),
]


@pytest.mark.parametrize(("text", "moment", "precision"), STATED)
def test_a_date_is_read_in_the_sites_time_zone(text: str, moment: datetime, precision: Precision) -> None:
    assert date_in(text, SHOWN, zone=ZONE, now=NOW) == Declared(moment, precision, SHOWN)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2027-01-01",
        "1970-01-01",
        "2026-02-30",
        "9" * 5_000,
        "版本 3.2.1",
        "电话 2026",
        "USA Today",
        "Mayor 2, 2026",
    ],
)
def test_what_is_no_date_of_publishing_is_none(text: str) -> None:
    assert date_in(text, SHOWN, zone=ZONE, now=NOW) is None


@pytest.mark.parametrize("text", ["1 " * 50_000, "2026-11-02 " * 9_000, "一" * 99_999, "jan " * 25_000, "12:" * 30_000])
def test_hostile_texts_are_read_in_time(text: str) -> None:
    date_in(text, SHOWN, zone=ZONE, now=NOW)


@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    found = date_in(text, SHOWN, zone=ZONE, now=NOW)
    assert found is None or (found.at is not None and found.at.tzinfo is UTC)


def declared(markup: str, *, lines: tuple[str, ...] = (), url: str = "http://example.com/a") -> Declared:
    return page_date(lxml.html.fromstring(markup), iter(lines), url=url, zone=ZONE, now=NOW).declared


JSON_LD = '<script type="application/ld+json">{"@graph":[{"datePublished":"2026-11-02T08:30:00+08:00"}]}</script>'
META = '<meta property="article:published_time" content="2026-11-03 08:30">'
TIME = '<time datetime="2026-11-04">4日</time>'


def test_the_surest_statement_wins() -> None:
    everything = f"<html><head>{META}{JSON_LD}</head><body>{TIME}</body></html>"
    assert declared(everything) == Declared(at(2, 0, 30), Precision.SECOND, DateOrigin.JSON_LD)
    assert declared(f"<html>{META}{TIME}</html>").origin is DateOrigin.META
    assert declared(f"<html>{TIME}</html>") == Declared(at(3), Precision.DAY, DateOrigin.VISIBLE)


def test_a_line_that_says_what_it_dates_comes_before_others() -> None:
    found = declared("<p>x</p>", lines=("2026-11-09", "发布时间：2026-11-02 08:30"))
    assert found == Declared(at(2, 0, 30), Precision.MINUTE, DateOrigin.VISIBLE)


def test_a_day_without_a_year_is_the_last_such_day() -> None:
    assert declared("<p>x</p>", lines=("作者：林岸 11-02 08:30",)).at == at(2, 0, 30)
    assert declared("<p>x</p>", lines=("12月2日 08:30",)).at == datetime(2025, 12, 2, 0, 30, tzinfo=UTC)
    assert declared("<p>x</p>", lines=("比分 11-02",)) == Declared()


def test_a_title_that_begins_with_today_is_no_date() -> None:
    assert declared("<p>x</p>", lines=("今天我们聊聊渡口", "昨天的江")) == Declared()


def test_the_address_is_the_last_resort() -> None:
    assert declared("<p>x</p>", url="http://example.com/2026/11/02/a") == Declared(at(1), Precision.DAY, DateOrigin.URL)


def test_broken_json_is_passed_over() -> None:
    assert declared(f"<html><script type='application/ld+json'>{{</script>{META}</html>").origin is DateOrigin.META
    deep = "[" * 100_000
    assert declared(f"<html><script type='application/ld+json'>{deep}</script>{META}</html>").origin is DateOrigin.META


@pytest.mark.parametrize(
    "text",
    [
        "21.03.2026", "21. 3. 2026", "21. März 2026", "21 mars 2026", "21 de marzo de 2026", "21 marzo 2026",
        "21 de março de 2026", "21 mrt. 2026", "21 marca 2026",
    ],
)  # fmt: skip
def test_the_forms_of_europe_are_read(text: str) -> None:
    found = day_first(text, UTC)
    assert found is not None
    assert found[0] == datetime(2026, 3, 21, tzinfo=UTC)


@pytest.mark.parametrize("text", ["1.2.3.2026", "31.02.2026", "21 boats 2026", "32. März 2026", "version 21.13.2026"])
def test_what_is_no_date_in_europe_is_none(text: str) -> None:
    assert day_first(text, UTC) is None


def page_day(body: str, head: str = "", url: str = "https://a.example/x", zone: str = "Europe/Berlin") -> str:
    paragraph = "<p>The ferry crossed the wide river before dawn, and the captain wrote down what he saw.</p>"
    page = (
        f"<html lang='de'><head><title>A ferry</title>{head}</head><body><article><h1>A ferry</h1>{body}{paragraph * 8}"
    )
    found = extract(
        page.encode(), url=url, content_type="text/html", fetched_at=datetime(2026, 11, 1, tzinfo=UTC), time_zone=zone
    )
    assert isinstance(found, Article), found
    return found.day.isoformat() if found.day else ""


@pytest.mark.parametrize(
    "line",
    [
        "<span itemprop='datePublished'>18.03.2020 13:15 Uhr</span>",
        "<abbr class='published' title='2020-03-18T14:12:32+0100'>gestern</abbr>",
        "<p class='post-date'>18. März 2020</p>",
        "<p>18. März 2020, Jane Doe</p>",
        "<p class='date'>18/03/2020</p>",
        "<p class='date'>18.03.20 | 18:19</p>",
        "<p>18 марта 2020</p>",
        "<p>18 de marzo de 2020</p>",
        "<p>marzo 18, 2020</p>",
        "<p>18 marca 2020</p>",
        "<p>18. maaliskuuta 2020</p>",
        "<p>2020年3月18日</p>",
        "<time datetime='2020-03-18T22:10:00-05:00'>yesterday</time>",
        "<p>Mi., 18.03.2020 - 14:45</p>",
        "<p>März 2020</p><p>18.03.2020 - 10:15</p>",
        "<p>18.03.2020 – The ferry crossed the wide river before dawn, and the captain wrote it down for us.</p>",
        "<p>Port Ida, 18 March 2020 – The ferry crossed the wide river, and the captain wrote it down for us.</p>",
    ],
)
def test_the_day_below_a_headline_is_read_in_many_forms(line: str) -> None:
    assert page_day(line) == "2020-03-18"


def test_a_time_in_utc_has_the_day_that_the_page_shows() -> None:
    stated = "<meta property='article:published_time' content='2020-03-19T02:25:00Z'>"
    assert page_day("", stated) == "2020-03-19"
    assert page_day("<p>March 18, 2020 9:25pm</p>", stated) == "2020-03-18"
    assert page_day("", stated, url="https://a.example/2020/03/18/x") == "2020-03-18"
    assert page_day("<p>March 1, 2020</p>", stated) == "2020-03-19"
    assert page_day("<p>18/03/2020 21:25</p>", stated) == "2020-03-18"
    assert page_day("<p>03/04/2020</p>", stated) == "2020-03-19"
    midnight = "<meta property='article:published_time' content='2020-03-18T23:00:00Z'>"
    assert page_day("", midnight) == "2020-03-19"


def test_a_date_in_a_sentence_is_none_of_publishing() -> None:
    story = (
        "<p>On Monday, 3 March 2020, the ferry crossed the wide river before dawn, "
        "and the captain wrote down what he saw on the other bank.</p>"
    )
    assert page_day(story) == ""


def test_dates_of_comments_are_not_the_articles() -> None:
    assert page_day("<div class='comments'><time datetime='2020-03-18'>x</time></div>") == ""


def test_dates_in_scripts_and_day_first_addresses_are_the_last_resort() -> None:
    assert page_day("", '<script>window.x = {"publishedAt": "2020-03-18T10:00:00Z"}</script>') == "2020-03-18"
    assert page_day("", url="https://a.example/18-03-2020-x") == "2020-03-18"
    assert page_day("", url="https://a.example/2020/3/18/x") == "2020-03-18"
    assert page_day("<p>Version 18.03.20b of 1/2</p>") == ""


def test_dates_of_other_things_come_after_the_articles() -> None:
    other = '{"@type": "SoftwareApplication", "datePublished": "2015-01-16"}'
    head = f"<script type='application/ld+json'>{other}</script>"
    assert page_day("", head) == "2015-01-16"
    assert page_day("", head + "<meta property='article:published_time' content='2020-03-18'>") == "2020-03-18"


@pytest.mark.parametrize(
    "line",
    [
        "<p>Hofheim am Taunus | Wiesbaden, 11. November 2021</p>",
        "<p>11. November 2021. Die Fähre fuhr am Morgen über den breiten Fluss, und der Kapitän schrieb es auf.</p>",
        "<p>11.11.2021 • Verband , Presse</p>",
        "<div class='date'>Kultur, 11.11.21</div>",
        "<p class='time'>Aktuelle Zeit: 14.10.2022, 12:18</p><p>Registriert: 18.09.2008</p><p>11.11.2021, 05:42</p>",
        "<nav class='navtop'><time datetime='2022-10-14'>14. Oktober 2022</time></nav><p>Berlin, 11.11.2021 –</p>",
    ],
)
def test_a_day_is_told_from_that_of_the_visit_and_of_other_things(line: str) -> None:
    assert page_day(line) == "2021-11-11"


def test_the_one_day_that_a_page_says_it_was_published_on_is_read_wherever_it_is() -> None:
    root, other = lxml.html.fromstring("<p>x</p>"), "Letzte Änderung: 12.12.2021"
    for said in (
        "Erschienen am: 11.11.2021",
        "„Die Fähre“ wurde am 11. November 2021 um 23:03 Uhr gepostet und abgelegt.",
    ):
        once, twice = (other, said, said), (other, said, "Erschienen am: 10.11.2021")
        found = page_date(root, iter(()), url="https://a.example/x", zone=ZONE, now=NOW, everywhere=once)
        assert found.day == date(2021, 11, 11)
        several = page_date(root, iter(()), url="https://a.example/x", zone=ZONE, now=NOW, everywhere=twice)
        assert several.day is None


def test_a_time_in_utc_has_the_day_of_the_clock_that_the_page_shows() -> None:
    head = "<meta property='article:published_time' content='2022-05-04T02:41:00Z'>"
    lead = "<p>Die Fähre fuhr am Morgen über den breiten Fluss, und der Kapitän schrieb auf, was er sah.</p>"
    assert page_day(f"{lead}<p>Ida Au 3/5/2022 22:41</p>", head) == "2022-05-03"
    assert page_day(f"{lead}<p>Ida Au 3/5/2022 22:40</p>", head) == "2022-05-04"
