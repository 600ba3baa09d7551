"""Terms by law, with the working days of two countries."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin.letters.terms import CountedFrom, Term, TermKind, next_date, terms_of
from admin.letters.working_days import CountedDay, WorkCalendar, after_working_days, end_of_term, is_working_day
from storage.records.correspondence.letter_answers import AnswerRecord, NoticeLaw
from storage.records.correspondence.letters import ReplyKind

CHINA, UNITED_STATES = WorkCalendar.CHINA, WorkCalendar.UNITED_STATES
FEDERAL_2026 = ("01-01", "01-19", "02-16", "05-25", "06-19", "07-03", "09-07", "10-12", "11-11", "11-26", "12-25")
"""As the Office of Personnel Management lists them; 4 July is a Saturday."""


def answer(kind: ReplyKind, law: NoticeLaw, **dates: date) -> AnswerRecord:
    known: dict[str, Any] = {"dated": None, "received": date(2026, 6, 1), "provider_received": None} | dates
    return AnswerRecord(1, 1, kind, "x", law, noted_at=datetime(2026, 6, 1, tzinfo=UTC), noted_by="lin", **known)


def test_chinese_working_days_know_the_weekends_that_are_worked() -> None:
    assert not is_working_day(date(2026, 10, 7), CHINA)
    assert is_working_day(date(2026, 10, 10), CHINA)  # a Saturday
    assert not is_working_day(date(2026, 10, 11), CHINA)
    assert after_working_days(date(2026, 9, 30), 2, CHINA) == CountedDay(date(2026, 10, 9), is_confirmed=True)


def test_a_term_that_ends_on_a_rest_day_ends_on_the_next_working_day() -> None:
    assert end_of_term(date(2026, 10, 4), CHINA) == CountedDay(date(2026, 10, 8), is_confirmed=True)
    assert end_of_term(date(2026, 6, 11), CHINA) == CountedDay(date(2026, 6, 11), is_confirmed=True)


def test_beyond_the_table_a_day_is_unconfirmed() -> None:
    assert end_of_term(date(2099, 10, 1), CHINA) == CountedDay(date(2099, 10, 1), is_confirmed=False)
    assert end_of_term(date(2099, 10, 3), CHINA) == CountedDay(date(2099, 10, 5), is_confirmed=False)
    assert not end_of_term(date(1990, 10, 1), CHINA).is_confirmed


def test_federal_holidays_are_those_of_the_law() -> None:
    days = (date(2026, 1, 1) + timedelta(days=number) for number in range(365))
    free = [f"{day:%m-%d}" for day in days if day.weekday() < 5 and not is_working_day(day, UNITED_STATES)]

    assert tuple(free) == FEDERAL_2026
    assert not is_working_day(date(2021, 12, 31), UNITED_STATES)  # for 1 January 2022, a Saturday
    assert is_working_day(date(2020, 6, 19), UNITED_STATES)  # before the law of 2021


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(1, 60), st.sampled_from(WorkCalendar))
def test_as_many_working_days_lie_behind_as_were_counted(start: date, count: int, calendar: WorkCalendar) -> None:
    found = after_working_days(start, count, calendar).day

    passed = [start + timedelta(days=number + 1) for number in range((found - start).days)]
    assert sum(is_working_day(day, calendar) for day in passed) == count
    assert is_working_day(found, calendar)


@pytest.mark.parametrize("count", [0, -1, 1_001])
def test_a_count_that_no_law_has_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="working days"):
        after_working_days(date(2026, 6, 1), count, CHINA)


def test_the_end_of_the_calendar_is_no_crash() -> None:
    with pytest.raises(ValueError, match="end of the calendar"):
        after_working_days(date.max, 1, CHINA)
    assert terms_of(date.max, NoticeLaw.CHINA, [])[0].last == date.max
    assert terms_of(date.max, NoticeLaw.DMCA, [])[0].last == date.max


def test_the_addressee_s_term_is_counted_by_the_calendar_of_the_law() -> None:
    assert terms_of(date(2026, 10, 4), NoticeLaw.CHINA, []) == [
        Term(TermKind.ANSWER, last=date(2026, 10, 8), is_moved=True)
    ]
    assert terms_of(date(2026, 11, 26), NoticeLaw.DMCA, []) == [
        Term(TermKind.ANSWER, last=date(2026, 11, 27), is_moved=True)
    ]
    assert terms_of(date(2026, 10, 4), NoticeLaw.DSA, []) == [Term(TermKind.ANSWER, last=date(2026, 10, 4))]
    assert terms_of(None, NoticeLaw.CHINA, []) == []


def test_a_counter_notice_under_the_dmca_runs_ten_to_fourteen_business_days() -> None:
    came = answer(ReplyKind.COUNTER_NOTICE, NoticeLaw.DMCA, provider_received=date(2026, 11, 20))

    assert terms_of(None, NoticeLaw.DMCA, [came]) == [
        Term(TermKind.RESTORED, date(2026, 12, 7), date(2026, 12, 11), CountedFrom.PROVIDER)
    ]
    assert next_date(terms_of(None, NoticeLaw.DMCA, [came])) == date(2026, 12, 7)


def test_an_unknown_day_of_receipt_is_replaced_by_the_earliest_known_one_and_said() -> None:
    dated = answer(ReplyKind.COUNTER_NOTICE, NoticeLaw.DMCA, dated=date(2026, 5, 29))
    bare = answer(ReplyKind.COUNTER_NOTICE, NoticeLaw.DMCA)

    assert [term.counted_from for one in (dated, bare) for term in terms_of(None, NoticeLaw.DMCA, [one])] == [
        CountedFrom.DATED,
        CountedFrom.RECEIVED,
    ]


def test_chinese_services_restore_at_once_and_no_date_is_made_up() -> None:
    came = answer(ReplyKind.COUNTER_NOTICE, NoticeLaw.CHINA)

    found = terms_of(date(2026, 6, 11), NoticeLaw.CHINA, [came])

    assert found == [Term(TermKind.RESTORED_AT_ONCE)]
    assert next_date(found) is None


@pytest.mark.parametrize(
    ("dated", "until"),
    [
        (date(2026, 1, 31), date(2026, 7, 31)),
        (date(2026, 8, 31), date(2027, 2, 28)),
        (date(2027, 8, 30), date(2028, 2, 29)),
    ],
)
def test_a_refusal_under_the_dsa_can_be_complained_about_for_six_months(dated: date, until: date) -> None:
    came = answer(ReplyKind.REFUSED, NoticeLaw.DSA, dated=dated)

    assert terms_of(None, NoticeLaw.DSA, [came]) == [
        Term(TermKind.COMPLAINT, last=until, counted_from=CountedFrom.DATED)
    ]


@pytest.mark.parametrize("kind", [ReplyKind.COMPLIED, ReplyKind.OTHER])
@pytest.mark.parametrize("law", list(NoticeLaw))
def test_other_answers_start_no_term(kind: ReplyKind, law: NoticeLaw) -> None:
    assert terms_of(date(2026, 6, 11), law, [answer(kind, law)]) == []
