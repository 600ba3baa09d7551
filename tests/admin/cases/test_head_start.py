"""Who was first, in a sentence: by which clock, by how much, and when nothing tells."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from flask_babel import force_locale

from admin.cases.head_start import First, HeadStart, delay_in_words, head_start
from storage.engine import make_engine
from storage.matches.direction_reasons import Reason, ReasonCode
from storage.records.matches import HitRecord
from storage.types import DateOrigin
from tests.admin.passages.test_sources import hit
from tests.support.desk_client import make_app

OURS, THEIRS = "https://a.example/2", "https://a.example/1"
AT = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def chinese() -> Iterator[None]:
    app = make_app(make_engine("postgresql+psycopg2://nowhere/none"))
    with app.test_request_context("/"), force_locale("zh"):
        yield


def dated(first: str, other: str, apart: timedelta) -> Reason:
    return Reason(
        ReasonCode.DATED,
        page=first,
        other=other,
        at="2026-03-01 08:00 UTC",
        later="later",
        at_exact=AT.isoformat(),
        later_exact=(AT + apart).isoformat(),
        at_precision="minute",
        later_precision="minute",
    )


def told(found: HitRecord, *reasons: str, confidence: float = 0.9, ours: int = 2) -> HeadStart:
    origins = {OURS: DateOrigin.JSON_LD, THEIRS: DateOrigin.VISIBLE}
    return head_start(replace(found, reasons=reasons, confidence=confidence), ours, origins)


FOUND = hit(1, (0, 40))


def test_the_date_of_our_page_says_how_many_hours_and_where_it_stands() -> None:
    said = told(FOUND, dated(OURS, THEIRS, timedelta(hours=20)))

    assert said == HeadStart(First.OURS, ("我方早 20 小时（取自页面结构化数据）",), 0.9)


def test_a_clock_that_says_otherwise_stands_beside_it() -> None:
    served = Reason(ReasonCode.SERVED_DAYS, page=THEIRS, other=OURS, count=50)

    said = told(FOUND, dated(OURS, THEIRS, timedelta(hours=3)), served)

    assert said.who is First.OURS
    assert said.clocks[1] == "对方早 50 天（服务器时间）"


def test_where_our_page_is_the_copy_theirs_was_first() -> None:
    said = told(FOUND, Reason(ReasonCode.SEEN_HOURS, page=OURS, other=THEIRS, count=5), ours=1)

    assert (said.who, said.clocks) == (First.THEIRS, ("对方早 5 小时（首次发现）",))


def test_clocks_that_agree_share_a_sentence() -> None:
    served = Reason(ReasonCode.SERVED_HOURS, page=OURS, other=THEIRS, count=26)

    said = told(FOUND, dated(OURS, THEIRS, timedelta(hours=26, minutes=5)), served)

    assert said.clocks == ("我方早 26 小时（取自页面结构化数据、服务器时间）",)


def test_other_reasons_and_plain_sentences_are_no_clocks() -> None:
    said = told(FOUND, "an old sentence", Reason(ReasonCode.ORIGINAL_SITE, page=OURS))

    assert (said.who, said.clocks) == (First.OURS, ())


def test_with_no_confidence_nobody_was_first() -> None:
    assert told(FOUND, Reason(ReasonCode.NOTHING), confidence=0.5).who is First.UNKNOWN


def test_a_date_without_its_exact_form_is_left_to_the_list_of_reasons() -> None:
    assert told(FOUND, Reason(ReasonCode.DATED, page=OURS, other=THEIRS, at="x", later="y")).clocks == ()


@pytest.mark.parametrize(
    ("delay", "words"),
    [
        (timedelta(), "同日"),
        (timedelta(seconds=-30), "同日"),
        (timedelta(minutes=50), "晚 50 分钟"),
        (timedelta(hours=20), "晚 20 小时"),
        (timedelta(days=-3), "早 3 天"),
    ],
)
def test_the_delay_of_a_copy_is_said_in_words(delay: timedelta, words: str) -> None:
    assert delay_in_words(delay) == words
