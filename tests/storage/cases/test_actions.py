"""What people do with cases, and what is remembered of it: undo, notices, notes, saved lists, visits, numbers."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from storage.analytics import reviewer_agreement
from storage.analytics.reviewer_agreement import SCORE_BANDS, Decisions, Tally
from storage.cases import actions, findings
from storage.cases.actions import NewNotice
from storage.crawl import health, runs
from storage.desk import dashboard, saved_views
from storage.desk.dashboard import Waiting, waiting
from storage.desk.saved_views import TooManyViews
from storage.engine import make_engine, transaction
from storage.errors import ChangedMeanwhile, MoveNotAllowed, NothingToUndo, NotKnown
from storage.records.cases import Actor
from storage.records.pages import Declared
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import CaseEventKind, CaseState, Credit, DateOrigin, Dismissal, NoticeChannel, Precision, Severity
from tests.support.case_actions import a_case, a_finding, a_page, a_reviewer, move, set_columns
from tests.support.factories import a_site

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def lin(session: Session) -> Actor:
    return a_reviewer(session)


def last_id(session: Session, case_id: int) -> int:
    last = actions.last_decision(session, case_id)
    assert last is not None
    return last.id


def test_the_last_decision_can_be_undone_and_that_is_an_event_of_its_own(session: Session, lin: Actor) -> None:
    case_id = a_case(session, 1)
    assert actions.last_decision(session, case_id) is None
    move(session, case_id, CaseState.DISMISSED, lin, because=Dismissal.QUOTATION)
    event_id = last_id(session, case_id)

    assert actions.undo_decision(session, case_id, event_id, actor=lin) is CaseState.NEW

    case = actions.get_case(session, case_id)
    assert (case.state, case.dismissed_because) == (CaseState.NEW, None)
    undone = actions.history(session, case_id)[-1]
    assert (undone.kind, undone.actor, undone.details) == (CaseEventKind.UNDONE, "lin", {"event": event_id})
    assert actions.last_decision(session, case_id) is None
    with pytest.raises(NothingToUndo):
        actions.undo_decision(session, case_id, event_id, actor=lin)


def test_of_two_who_decide_at_once_one_is_refused(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        case_id, people = a_case(session, 1), [a_reviewer(session, name) for name in ("lin", "wang")]

    def decided(person: Actor) -> str:
        try:
            with transaction(engine) as session:
                actions.move_case(session, case_id, CaseState.CONFIRMED, expected=CaseState.NEW, actor=person)
        except MoveNotAllowed:
            return "refused"
        return person.name

    with ThreadPoolExecutor(2) as pool:
        outcomes = set(pool.map(decided, people))

    with transaction(engine) as session:
        moved = [event.actor for event in actions.history(session, case_id) if event.kind is CaseEventKind.MOVED]
    engine.dispose()
    assert outcomes == {"refused", *moved}
    assert len(moved) == 1


def test_undoing_a_review_gives_the_dismissal_its_reason_back(session: Session, lin: Actor) -> None:
    case_id = a_case(session, 1)
    move(session, case_id, CaseState.DISMISSED, lin, because=Dismissal.COMMON_WORDING)
    move(session, case_id, CaseState.REVIEWING, lin)

    actions.undo_decision(session, case_id, last_id(session, case_id), actor=lin)

    case = actions.get_case(session, case_id)
    assert (case.state, case.dismissed_because) == (CaseState.DISMISSED, Dismissal.COMMON_WORDING)


def test_only_the_move_that_the_person_saw_is_undone(session: Session, lin: Actor) -> None:
    case_id = a_case(session, 1)
    move(session, case_id, CaseState.REVIEWING, lin)
    seen = last_id(session, case_id)
    move(session, case_id, CaseState.CONFIRMED, lin)

    with pytest.raises(NothingToUndo):
        actions.undo_decision(session, case_id, seen, actor=lin)
    with pytest.raises(NotKnown):
        actions.undo_decision(session, case_id + 1, seen, actor=lin)
    assert actions.get_case(session, case_id).state is CaseState.CONFIRMED


def test_a_reason_is_kept_for_a_dismissal_alone(session: Session, lin: Actor) -> None:
    case_id = a_case(session, 1)
    move(session, case_id, CaseState.CONFIRMED, lin, because=Dismissal.QUOTATION)

    assert actions.get_case(session, case_id).dismissed_because is None


def test_a_notice_moves_the_case_and_says_to_whom_how_and_until_when(session: Session, lin: Actor) -> None:
    case_id = a_case(session, 1)
    move(session, case_id, CaseState.CONFIRMED, lin)
    notice = NewNotice("法务部\0", NoticeChannel.MAIL, NOW, NOW + timedelta(days=7))

    actions.notify_case(session, case_id, notice, expected=CaseState.CONFIRMED, actor=lin)
    actions.notify_case(session, case_id, notice, expected=CaseState.NOTIFIED, actor=lin)

    case, (first, second) = actions.get_case(session, case_id), actions.notices(session, case_id)
    assert (case.state, case.deadline) == (CaseState.NOTIFIED, NOW + timedelta(days=7))
    assert (first.recipient, first.channel, first.sent_at, first.replied_at) == ("法务部\ufffd", "mail", NOW, None)
    actions.record_reply(session, case_id, second.id, "已删除", NOW, actor=lin)
    assert [one.reply for one in actions.notices(session, case_id)] == ["", "已删除"]
    kinds = [event.kind for event in actions.history(session, case_id)]
    assert kinds[-3:] == [CaseEventKind.NOTIFIED, CaseEventKind.NOTIFIED, CaseEventKind.REPLIED]
    with pytest.raises(NotKnown):
        actions.record_reply(session, case_id, second.id + 1, "?", NOW, actor=lin)


def test_a_notice_on_a_case_that_moved_meanwhile_is_refused(session: Session, lin: Actor) -> None:
    case_id = a_case(session, 1)
    notice = NewNotice("法务部", NoticeChannel.FORM, NOW)

    for expected in (CaseState.CONFIRMED, CaseState.NOTIFIED, CaseState.NEW):
        with pytest.raises(MoveNotAllowed):
            actions.notify_case(session, case_id, notice, expected=expected, actor=lin)
    assert actions.notices(session, case_id) == []


def test_undoing_a_notice_gives_the_deadline_before_it_back(session: Session, lin: Actor) -> None:
    case_id, before = a_case(session, 1), NOW + timedelta(days=3)
    move(session, case_id, CaseState.CONFIRMED, lin)
    actions.set_deadline(session, case_id, before, actor=lin)
    notice = NewNotice("法务部", NoticeChannel.MAIL, NOW, NOW + timedelta(days=7))
    for expected in (CaseState.CONFIRMED, CaseState.NOTIFIED):
        actions.notify_case(session, case_id, notice, expected=expected, actor=lin)

    actions.undo_decision(session, case_id, last_id(session, case_id), actor=lin)

    assert (actions.get_case(session, case_id).deadline, actions.notices(session, case_id)) == (before, [])


def test_undoing_a_notice_of_a_former_version_gives_back_what_was_last_set(session: Session, lin: Actor) -> None:
    case_id, before = a_case(session, 1), NOW + timedelta(days=3)
    move(session, case_id, CaseState.CONFIRMED, lin)
    actions.set_deadline(session, case_id, before, actor=lin)
    notice = NewNotice("法务部", NoticeChannel.MAIL, NOW, NOW + timedelta(days=7))
    actions.notify_case(session, case_id, notice, expected=CaseState.CONFIRMED, actor=lin)
    session.execute(text("UPDATE case_event SET details = details - 'deadline_before'"))
    session.expire_all()

    actions.undo_decision(session, case_id, last_id(session, case_id), actor=lin)

    assert actions.get_case(session, case_id).deadline == before


def test_undoing_a_move_without_a_notice_or_with_a_later_deadline_leaves_the_deadline(
    session: Session, lin: Actor
) -> None:
    case_id, by_hand = a_case(session, 1), NOW + timedelta(days=3)
    move(session, case_id, CaseState.CONFIRMED, lin)
    actions.set_deadline(session, case_id, by_hand, actor=lin)
    move(session, case_id, CaseState.NOTIFIED, lin)
    actions.undo_decision(session, case_id, last_id(session, case_id), actor=lin)
    assert actions.get_case(session, case_id).deadline == by_hand

    notice = NewNotice("法务部", NoticeChannel.MAIL, NOW, NOW + timedelta(days=7))
    actions.notify_case(session, case_id, notice, expected=CaseState.CONFIRMED, actor=lin)
    actions.set_deadline(session, case_id, by_hand + timedelta(days=1), actor=lin)
    actions.undo_decision(session, case_id, last_id(session, case_id), actor=lin)

    assert actions.get_case(session, case_id).deadline == by_hand + timedelta(days=1)


def test_undoing_a_notice_forgets_it_and_its_deadline(session: Session, lin: Actor) -> None:
    case_id = a_case(session, 1)
    move(session, case_id, CaseState.CONFIRMED, lin)
    notice = NewNotice("法务部", NoticeChannel.MAIL, NOW, NOW)
    actions.notify_case(session, case_id, notice, expected=CaseState.CONFIRMED, actor=lin)

    actions.undo_decision(session, case_id, last_id(session, case_id), actor=lin)

    assert (actions.get_case(session, case_id).deadline, actions.notices(session, case_id)) == (None, [])


def test_notes_that_somebody_else_has_changed_are_not_written_over(session: Session, lin: Actor) -> None:
    case_id = a_case(session, 1)
    actions.note_case(session, case_id, "一\n二", expected="", actor=lin)
    actions.note_case(session, case_id, "三", expected="一\r\n二\n", actor=lin)

    with pytest.raises(ChangedMeanwhile):
        actions.note_case(session, case_id, "四", expected="一", actor=lin)
    assert actions.get_case(session, case_id).notes == "三"


def test_a_list_is_kept_under_its_name_for_oneself_or_for_all(session: Session, lin: Actor) -> None:
    other = a_reviewer(session, "wang")
    saved_views.save_view(session, lin.account_id, name="严重", query="severity=grave", is_shared=False)
    saved_views.save_view(session, lin.account_id, name="严重", query="severity=grave&tab=all", is_shared=True)
    saved_views.save_view(session, other.account_id, name="我的", query="assignee=%40me", is_shared=False)

    seen = [(view.owner, view.name, view.query) for view in saved_views.views_for(session, other.account_id)]
    assert seen == [("wang", "我的", "assignee=%40me"), ("lin", "严重", "severity=grave&tab=all")]
    (view,) = saved_views.views_for(session, lin.account_id)
    assert not saved_views.remove_view(session, other.account_id, view.id), "only one's own"
    assert saved_views.remove_view(session, lin.account_id, view.id)
    assert saved_views.views_for(session, lin.account_id) == []


def test_there_is_an_end_to_saved_lists(session: Session, lin: Actor) -> None:
    for number in range(saved_views.MOST_VIEWS):
        saved_views.save_view(session, lin.account_id, name=f"{number}", query="", is_shared=False)

    saved_views.save_view(session, lin.account_id, name="0", query="tab=all", is_shared=False)
    with pytest.raises(TooManyViews):
        saved_views.save_view(session, lin.account_id, name="more", query="", is_shared=False)


def test_a_visit_ends_when_nobody_has_been_there_for_a_while(session: Session, lin: Actor) -> None:
    def at(minutes: float) -> datetime | None:
        return dashboard.note_visit(session, lin.account_id, NOW + timedelta(minutes=minutes))

    assert [at(0), at(29), at(58)] == [None, None, None]
    assert at(58 + 31) == NOW + timedelta(minutes=58)
    assert at(58 + 45) == NOW + timedelta(minutes=58), "still the same visit"


def test_decisions_are_counted_where_and_how_they_were_right(session: Session, lin: Actor) -> None:
    site = a_site(session, "抄写网")
    ours = a_page(session, "ours", 1)
    theirs = a_page(session, "https://抄写网.example/1", 2, site_id=site.id)
    (first,) = findings.keep_findings(session, [a_finding(ours, theirs)])
    second, third = a_case(session, 3, credit=Credit.LINKED), a_case(session, 4)
    a_case(session, 5)
    fourth = a_case(session, 6)
    for case_id, score in ((first, 0.95), (second, 1.0), (third, 0.5), (fourth, 0.5)):
        set_columns(session, case_id, score=score)
    move(session, first, CaseState.CONFIRMED, lin)
    move(session, second, CaseState.DISMISSED, lin, because=Dismissal.QUOTATION)
    move(session, third, CaseState.DISMISSED, lin, because=Dismissal.NOT_WORTH_IT)
    move(session, fourth, CaseState.DISMISSED, lin, because=Dismissal.NOT_A_COPY)

    last = len(SCORE_BANDS) - 2
    assert reviewer_agreement.decisions(session) == Decisions(
        in_all=Tally(None, 3, 1, lawful=1),
        by_kind=[Tally("near", 3, 1, lawful=1)],
        by_credit=[Tally("linked", 1, 0, lawful=1), Tally("none", 2, 1)],
        by_score=[Tally("1", 1, 1), Tally(str(last), 2, 0, lawful=1)],
        by_site=[Tally("抄写网", 1, 0)],
        dismissals={Dismissal.NOT_A_COPY: 1},
    )
    assert reviewer_agreement.decisions(session, newest=2).in_all == Tally(None, 1, 1), (
        "the older decision is not counted"
    )


def test_without_a_decision_nothing_is_right_or_wrong(session: Session) -> None:
    a_case(session, 1)

    assert reviewer_agreement.decisions(session) == Decisions(Tally(None, 0, 0), [], [], [], [], {})


def test_what_waits_is_counted_by_copier_severity_and_credit(session: Session, lin: Actor) -> None:
    for number in (1, 2):
        a_case(session, number, host="one.example", our_share=0.9, chars=900)
    a_case(session, 3, host="other.example", credit=Credit.LINKED)
    move(session, a_case(session, 4), CaseState.CONFIRMED, lin)

    assert waiting(session) == Waiting(
        by_owner=[("one.example", 2), ("other.example", 1)],
        by_severity={Severity.GRAVE: 2, Severity.SLIGHT: 1},
        by_credit={Credit.NONE: 2, Credit.LINKED: 1},
    )


def test_a_day_counts_what_people_decided_and_did_not_undo(session: Session, lin: Actor) -> None:
    first, second, third = (a_case(session, number) for number in (1, 2, 3))
    move(session, first, CaseState.CONFIRMED, lin)
    move(session, second, CaseState.DISMISSED, lin)
    move(session, third, CaseState.LICENSED, lin)
    actions.undo_decision(session, third, last_id(session, third), actor=lin)

    (day,) = dashboard.decisions_by_day(session, datetime.now(UTC) - timedelta(days=1), "Asia/Shanghai")
    assert (day.confirmed, day.dismissed, day.licensed) == (1, 1, 0)
    assert dashboard.decisions_by_day(session, datetime.now(UTC) + timedelta(days=1), "UTC") == []


def test_the_time_from_original_to_copy(session: Session) -> None:
    def dated(hours: float, precision: Precision = Precision.MINUTE) -> dict[str, object]:
        return {"declared": Declared(NOW + timedelta(hours=hours), precision, DateOrigin.JSON_LD)}

    ours = a_page(session, "ours", 1, **dated(0))
    for number, hours in enumerate((0.5, 5, 100, 1_000, -3), start=2):
        theirs = a_page(session, f"https://c{number}.example/", number, **dated(hours))
        findings.keep_findings(session, [a_finding(ours, theirs, f"c{number}.example")])
    vague = a_page(session, "https://vague.example/", 99, **dated(1, Precision.MONTH))
    findings.keep_findings(session, [a_finding(ours, vague, "vague.example")])

    found = dashboard.delays(session, datetime.now(UTC) - timedelta(days=1))

    assert (found.counts, found.before_ours) == ((1, 1, 0, 0, 1, 1), 1)
    assert found.median_h == pytest.approx(52.5)
    assert dashboard.delays(session, datetime.now(UTC) + timedelta(days=1)).median_h is None


def test_small_tables_are_counted(session: Session) -> None:
    a_case(session, 1)
    size = dashboard.store_size(session)

    assert (size.pages.number, size.pages.is_estimate, size.texts.number, size.hits.number) == (2, False, 2, 0)
    assert size.bytes > 0
    assert dashboard.backlog_size(session) == (2, 0)


def test_crawls_are_summed_up_by_site_those_waiting_longest_first(session: Session) -> None:
    never, failing, well = (a_site(session, name) for name in ("从未", "异常", "正常"))
    sites.add_site(session, SiteSettings(name="只有导入的文章", start_urls=(), hosts=()))
    for site, exit_reason, counters in (
        (failing, "failed", {"pages/fetched": 1, "refused/timeout": 3, "refused/robots": 1}),
        (well, "finished", {"pages/fetched": 9, "refused/too-short": 2}),
    ):
        run_id = runs.start_run(session, site.id, trigger="test")
        runs.finish_run(session, run_id, exit_reason=exit_reason, counters=counters, refusal_samples={})

    found = health.sites_health(session)

    assert {site.site: (site.fetched, site.refused, site.errors, site.is_failing) for site in found} == {
        "从未": (0, 0, 0, False),
        "异常": (1, 4, 3, True),
        "正常": (9, 2, 0, False),
    }
    assert (found[0].site, found[0].run_id) == (never.name, None)
