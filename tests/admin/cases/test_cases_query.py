"""What the list of cases is asked for, and the small sums behind the pictures (pure)."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin.analysis.confidence_interval import share_of
from admin.cases.query import FIELDS, Asker, CaseQuery, parse_case_query
from admin.cases.tabs import TABS, Tab
from admin.passages.excerpts import SHOWN_CHARS, SHOWN_PASSAGES, Excerpt, excerpts
from admin.retellings.query import parse_retelling_query
from admin.web.rendering.bar_charts import HALF, SHOWN_DAYS, day_bars, shares
from storage.analytics.reviewer_agreement import SCORE_BANDS
from storage.cases.lists.filters import CaseFilter, CaseOrder
from storage.desk.dashboard import DayOfDecisions
from storage.records.differences import DifferenceType
from storage.records.matches import Passage
from storage.types import CaseKind, CaseQueue, CaseState, Credit, Dismissal, Severity, Verdict

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ASKER = Asker(7, NOW, ZONE)


def parsed(**arguments: str) -> CaseQuery:
    return parse_case_query(arguments, ASKER)


def test_nothing_asked_is_what_waits_for_a_decision_newest_first() -> None:
    query = parsed()

    assert (query.where, query.tab, query.order, query.page) == (TABS[Tab.WAITING], Tab.WAITING, CaseOrder.NEWEST, 1)
    assert (query.fields, query.not_understood, query.narrows, query.uses_rare_filters) == ({}, (), False, False)


def test_what_is_so_anyway_is_not_repeated_in_addresses() -> None:
    assert parsed(tab="waiting", sort="newest", severity="grave").fields == {"severity": "grave"}
    assert parsed(tab="all", sort="oldest").fields == {"tab": "all", "sort": "oldest"}
    assert parse_retelling_query({"tab": "open", "site": "县报"}).fields == {"site": "县报"}


def test_every_filter_is_understood() -> None:
    asked = {
        **{"tab": "all", "text": " 老桥\0 ", "site": "县报", "owner": "抄写公司", "state": "notified", "kind": "near"},
        **{"credit": "none", "severity": "grave", "share": "30%", "from": "2026-05-01", "until": "2026-05-31"},
        **{"assignee": "@me", "overdue": "1", "breach": "1", "verdict": "wrong", "because": "quotation", "band": "2"},
        **{"sort": "deadline", "page": "4", "unheard": "of"},
    }
    query = parsed(**asked)

    assert query.where == CaseFilter(
        queue=CaseQueue.COPIED,
        states=frozenset({CaseState.NOTIFIED}),
        site="县报",
        owner="抄写公司",
        kind=CaseKind.NEAR,
        credit=Credit.NONE,
        severity=Severity.GRAVE,
        min_share=0.3,
        opened_from=datetime(2026, 5, 1, tzinfo=ZONE),
        opened_before=datetime(2026, 6, 1, tzinfo=ZONE),
        assignee_id=7,
        overdue_at=NOW,
        breach=True,
        verdict=Verdict.WRONG,
        because=Dismissal.QUOTATION,
        min_score=SCORE_BANDS[2],
        below_score=SCORE_BANDS[3],
        text="老桥",
    )
    assert (query.order, query.page, query.not_understood) == (CaseOrder.DEADLINE, 4, ())
    assert query.fields == {name: value for name, value in asked.items() if name in FIELDS} | {"text": "老桥"}
    assert query.narrows
    assert query.uses_rare_filters


def test_what_means_nothing_is_named_and_filters_nothing() -> None:
    nonsense = {
        **{
            "tab": "x",
            "state": "lost",
            "kind": "x",
            "credit": "x",
            "severity": "x",
            "share": "101",
            "from": "1.5.2026",
        },
        **{
            "until": "9999-12-31",
            "since": "2026-01-01",
            "assignee": "-1",
            "verdict": "?",
            "because": "?",
            "band": "99",
        },
        "sort": "random",
    }
    query = parsed(**nonsense, page="x")

    assert query.where == TABS[Tab.WAITING]
    assert set(query.not_understood) == set(nonsense)
    assert (query.fields, query.page) == ({}, 1)


def test_a_moment_survives_the_way_through_an_address() -> None:
    at = datetime(2026, 5, 4, 8, 30, tzinfo=ZONE)

    assert parsed(since=at.isoformat()).where.opened_from == at
    assert parsed(since=at.isoformat().replace("+", " ")).where.opened_from == at, "a plus sign means a space there"
    assert parsed(since=at.isoformat(), **{"from": "2026-01-01"}).where.opened_from == at


def test_a_moment_is_asked_of_the_database_in_utc() -> None:
    """It knows no zones that are most of a day away."""
    found = parsed(since="2026-03-01T12:00:00+22:33").where.opened_from

    assert found is not None
    assert found == datetime(2026, 3, 1, tzinfo=UTC) - timedelta(hours=10, minutes=33)
    assert found.utcoffset() == timedelta(0)
    assert parsed(since="0001-01-01T00:00:00+23:00").not_understood == ("since",)


def test_whose_cases() -> None:
    assert parsed(assignee="@nobody").where.unassigned
    assert parsed(assignee="12").where.assignee_id == 12


@given(st.dictionaries(st.sampled_from([*FIELDS, "page"]), st.text(max_size=300)))
def test_no_query_string_breaks_it(arguments: dict[str, str]) -> None:
    query = parse_case_query(arguments, ASKER)

    assert set(query.fields) | set(query.not_understood) <= set(FIELDS)
    assert set(query.fields).isdisjoint(query.not_understood)
    assert all("\0" not in value for value in query.fields.values())


def test_of_nothing_decided_the_share_is_anything() -> None:
    assert (share_of(0, 0).low, share_of(0, 0).high, share_of(0, 0).value) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("right", "decided", "low", "high"), [(8, 10, 0.4902, 0.9433), (10, 10, 0.7225, 1.0), (0, 20, 0.0, 0.1611)]
)
def test_the_interval_is_wilsons(right: int, decided: int, low: float, high: float) -> None:
    share = share_of(right, decided)

    assert share.low == pytest.approx(low, abs=1e-4)
    assert share.high == pytest.approx(high, abs=1e-4)


@given(st.integers(1, 10_000), st.data())
def test_the_interval_holds_the_share_and_shrinks_with_the_count(decided: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, decided))
    share, more = share_of(right, decided), share_of(10 * right, 10 * decided)

    assert 0.0 <= share.low <= share.value + 1e-12
    assert share.value - 1e-12 <= share.high <= 1.0
    assert more.high - more.low < share.high - share.low


def test_every_day_has_its_bars_and_the_largest_fills_its_half() -> None:
    today = date(2026, 6, 1)
    found = [DayOfDecisions(today, 3, 1, 1), DayOfDecisions(today - timedelta(days=1), 0, 4, 0)]
    bars = day_bars(found, today)

    assert (len(bars), bars[0].decisions.day) == (SHOWN_DAYS, today - timedelta(days=SHOWN_DAYS - 1))
    last, before = bars[-1], bars[-2]
    assert (last.up_height, last.up_y, last.down_height) == (HALF, 0.0, HALF / 4)
    assert (before.up_height, before.down_height) == (0.0, HALF)
    assert bars[0].up_height == bars[0].down_height == 0.0
    assert [bar.up_height for bar in day_bars([], today)] == [0.0] * SHOWN_DAYS


def test_bars_are_shares_of_the_longest() -> None:
    assert shares([2, 4, 0]) == [0.5, 1.0, 0.0]
    assert shares([0, 0]) == [0.0, 0.0]
    assert shares([]) == []


def words(excerpt: Excerpt) -> tuple[str, str]:
    return "".join(part.text for part in excerpt.left), "".join(part.text for part in excerpt.right)


def test_a_glance_shows_the_longest_passages_in_order_and_no_boilerplate() -> None:
    text = "甲" * 10 + "乙" * 30 + "丙" * 20 + "丁" * 40 + "戊" * 50
    edges = [(0, 10, False), (10, 40, False), (40, 60, False), (60, 100, False), (100, 150, True)]
    found = excerpts(text, text, [Passage(a, b, a, b, 1.0, is_boilerplate=plain) for a, b, plain in edges])

    assert len(found) == SHOWN_PASSAGES
    assert [words(one)[0][0] for one in found] == ["乙", "丙", "丁"]
    assert not any(one.is_cut for one in found)


def test_a_long_passage_is_cut_on_both_sides_alike_and_without_made_up_differences() -> None:
    text = "".join(chr(0x4E00 + number * 7 % 5_000) for number in range(1_000))
    (found,) = excerpts(text, text, [Passage(0, 1_000, 0, 1_000, 1.0)])

    assert found.is_cut
    assert words(found) == (text[:SHOWN_CHARS], text[:SHOWN_CHARS])
    assert {part.difference for part in found.left} == {DifferenceType.SAME}


def test_a_difference_is_shown_on_both_sides() -> None:
    (found,) = excerpts("老桥修好了人又多", "老桥修好啦人又多", [Passage(0, 8, 0, 8, 0.9)])

    changed = [part for part in found.left if part.difference is not DifferenceType.SAME]
    assert [(part.text, part.other) for part in changed] == [("了", "啦")]
    assert words(found) == ("老桥修好了人又多", "老桥修好啦人又多")


def test_no_passages_no_glance() -> None:
    assert excerpts("甲", "甲", []) == []
