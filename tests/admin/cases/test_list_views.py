"""The desk of cases in a browser without scripts: the list, decisions, undo, licences, who may, what is refused."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, event, select
from werkzeug.test import TestResponse

from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.cases import actions, detail, findings, licences, listing
from storage.engine import transaction
from storage.models.people import AuditEvent
from storage.records.pages import Declared, SavedPage
from storage.takedowns import recaptures
from storage.types import AccountRole, CaseState, Dismissal, Precision, Sight
from tests.support.case_actions import a_case, a_finding, a_page, a_reviewer, move, owned_cases, set_columns, state_of
from tests.support.desk_client import NAME, add_person, client_of_person, csrf_token, let_in, make_app


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def make_cases(engine: Engine, count: int = 3) -> list[int]:
    with transaction(engine) as session:
        return [a_case(session, number) for number in range(1, count + 1)]


def post(client: FlaskClient, path: str, **form: Any) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})


def decide(
    client: FlaskClient, case_id: int, to: str, expected: str = "new", query: str = "", **form: Any
) -> TestResponse:
    return post(client, f"/cases/{case_id}/move{query}", to=to, expected=expected, **form)


def acts(engine: Engine) -> list[str]:
    with transaction(engine) as session:
        return [f"{one.act} {one.subject}" for one in audit_log.list_events(session, AuditFilter(act="case"), limit=20)]


def test_an_empty_desk_says_what_to_do_next(client: FlaskClient) -> None:
    assert "即立案" in client.get("/cases").text
    assert "宜先自查" in client.get("/cases?tab=copier").text
    assert "尚未处理任何案件" in client.get("/quality").text
    assert "没有符合条件的案件" in client.get("/cases?kind=near").text
    assert "未能识别，已忽略这些筛选条件：类型、占比不低于" in client.get("/cases?kind=x&share=-1").text


def test_a_row_shows_severity_their_date_and_the_delay(client: FlaskClient, engine: Engine) -> None:
    at = datetime(2026, 3, 1, 8, tzinfo=UTC)
    with transaction(engine) as session:
        dates = (Declared(at, Precision.MINUTE), Declared(at + timedelta(days=3), Precision.MINUTE))
        ours, theirs = (a_page(session, f"h{number}", number, declared=one) for number, one in enumerate(dates))
        findings.keep_findings(session, [a_finding(ours, theirs)])

    found = dict(re.findall(r'<td[^>]* data-label="(\w+)">(.*?)</td>', client.get("/cases").text, re.DOTALL))

    assert [re.sub(r"<.*?>", "", found[name]).split() for name in ("严重程度", "对方日期")] == [
        ["严重"],
        ["2026-03-04", "晚", "3", "天"],
    ]


def test_after_a_decision_the_next_case_of_the_list_opens_and_it_can_be_undone(
    client: FlaskClient, engine: Engine
) -> None:
    first, second, third = make_cases(engine)

    answer = decide(client, second, "confirmed", query="?sort=oldest")

    assert answer.location == f"/cases/{third}?sort=oldest&done={second}"
    page = client.get(answer.location).text
    assert "已确认" in page
    found = re.search(r'name="event" value="(\d+:\d+)"', page)
    assert found is not None
    assert state_of(engine, second) is CaseState.CONFIRMED

    undone = post(client, "/cases/undo?sort=oldest", event=found[1])
    assert undone.location == f"/cases/{second}?sort=oldest"
    assert state_of(engine, second) is CaseState.NEW
    again = post(client, "/cases/undo", event=found[1])
    assert "未能全部撤销" in client.get(again.location).text
    assert acts(engine) == [f"case.undo #{second}", f"case.move #{second}"]
    assert first != second


def test_decisions_are_undone_step_by_step_and_those_of_one_act_together(client: FlaskClient, engine: Engine) -> None:
    first, second, third, fourth = make_cases(engine, 4)
    decide(client, first, "confirmed")
    post(client, "/cases/decide", case=[f"{second}:new", f"{third}:new"], to="reviewing", because="not-a-copy")
    decide(client, fourth, "dismissed", because="quotation")
    with transaction(engine) as session:
        move(session, fourth, CaseState.REVIEWING, a_reviewer(session, "王编辑"))

    def undo(address: str) -> str:
        events = re.findall(r'name="event" value="(\d+:\d+)"', client.get(address).text)
        return str(post(client, "/cases/undo", event=events).location)

    back = undo(f"/cases?done={second},{third}")

    assert back == f"/cases?done={first}", "what somebody else went on with is passed over"
    assert [state_of(engine, one) for one in (first, second, third)] == ["confirmed", "new", "new"]
    assert undo(back) == f"/cases/{first}", "nothing is left to undo"
    assert state_of(engine, first) is CaseState.NEW


def test_a_case_that_was_decided_twice_is_undone_twice(client: FlaskClient, engine: Engine) -> None:
    (case_id,) = make_cases(engine, 1)
    decide(client, case_id, "reviewing")
    decide(client, case_id, "confirmed", expected="reviewing")

    for state in (CaseState.REVIEWING, CaseState.NEW):
        (event,) = re.findall(r'name="event" value="(\d+:\d+)"', client.get(f"/cases/{case_id}").text)
        post(client, "/cases/undo", event=event)
        assert state_of(engine, case_id) is state


def test_at_the_end_of_the_list_the_list_comes_back(client: FlaskClient, engine: Engine) -> None:
    (case_id,) = make_cases(engine, 1)

    answer = decide(client, case_id, "dismissed", because="quotation")

    assert answer.location == f"/cases?done={case_id}"
    page = client.get(answer.location).text
    assert "没有待处理的案件" in page
    assert "合理引用" in page
    assert "/cases/undo" in page
    assert "误判" in client.get("/quality").text


def test_whoever_comes_too_late_sees_what_happened_and_keeps_nothing(client: FlaskClient, engine: Engine) -> None:
    (case_id,) = make_cases(engine, 1)
    with transaction(engine) as session:
        wang = a_reviewer(session, "王编辑")
        move(session, case_id, CaseState.DISMISSED, wang, because=Dismissal.QUOTATION)

    answer = decide(client, case_id, "confirmed", note="我的看法")

    assert answer.status_code == 409
    assert "王编辑将它改为“已排除”" in answer.text
    assert state_of(engine, case_id) is CaseState.DISMISSED
    assert acts(engine) == []


def test_many_at_once_and_those_that_refuse_are_named(client: FlaskClient, engine: Engine) -> None:
    first, second, third = make_cases(engine)
    with transaction(engine) as session:
        move(session, second, CaseState.DISMISSED, a_reviewer(session))

    ticked = [f"{first}:new", f"{second}:new", f"{third}:new", "999:new"]
    answer = post(client, "/cases/decide?tab=all", case=ticked, to="confirmed", because="not-a-copy")

    assert answer.location == f"/cases?tab=all&done={first},{third}"
    page = client.get(answer.location).text
    assert f"#{second} 已排除、1 件已不存在" in page
    assert "已处理 2 件案件" in page
    assert [state_of(engine, one) for one in (first, second, third)] == ["confirmed", "dismissed", "confirmed"]

    events = re.findall(r'name="event" value="(\d+:\d+)"', page)
    post(client, "/cases/undo?tab=all", event=events)
    assert [state_of(engine, one) for one in (first, second, third)] == ["new", "dismissed", "new"]


def test_cases_are_given_to_somebody_who_may_decide(client: FlaskClient, engine: Engine) -> None:
    first, second = make_cases(engine, 2)
    with transaction(engine) as session:
        wang, reader = a_reviewer(session, "王编辑"), a_reviewer(session, "读者", AccountRole.VIEWER)

    post(client, "/cases/decide", case=[f"{first}:new", f"{second}:new"], to="assign", assignee=wang.account_id)
    post(client, f"/cases/{first}/assign", assignee="")

    with transaction(engine) as session:
        assert [case.assignee for case in listing.list_cases(session)] == ["王编辑", None]
    assert post(client, f"/cases/{first}/assign", assignee=reader.account_id).status_code == 400
    assert post(client, "/cases/decide", to="confirmed").status_code == 302, "nothing ticked is told, not an error"


def test_notices_replies_deadlines_and_notes(client: FlaskClient, engine: Engine) -> None:
    (case_id,) = make_cases(engine, 1)
    decide(client, case_id, "confirmed")
    form = {"expected": "confirmed", "recipient": "法务部", "channel": "mail", "deadline": "2026-01-31"}
    assert post(client, f"/cases/{case_id}/notify", **form | {"recipient": " "}).status_code == 400
    assert post(client, f"/cases/{case_id}/notify", **form | {"deadline": "31.1."}).status_code == 400
    post(client, f"/cases/{case_id}/notify", **form)
    page = client.get(f"/cases/{case_id}?tab=notified").text
    assert "法务部" in page
    assert "截至 2026-01-31" in page
    assert "已逾期" in page
    assert f"/cases/{case_id}?" in client.get("/cases?tab=notified&overdue=1").text

    found = re.search(r'name="notice" value="(\d+)"', page)
    assert found is not None
    assert post(client, f"/cases/{case_id}/reply", notice=found[1], reply="").status_code == 400
    post(client, f"/cases/{case_id}/reply", notice=found[1], reply="<b>已删除</b>")
    post(client, f"/cases/{case_id}/notes", notes="再看\r\n一眼", seen="")
    stale = post(client, f"/cases/{case_id}/notes", notes="别的", seen="")
    assert (stale.status_code, "再看\n一眼" in stale.text, "别的" in stale.text) == (409, True, True)
    post(client, f"/cases/{case_id}/deadline", deadline="")
    page = client.get(f"/cases/{case_id}").text
    assert "&lt;b&gt;已删除&lt;/b&gt;" in page
    assert "已逾期" not in page
    with transaction(engine) as session:
        acts = session.scalars(select(AuditEvent.act).order_by(AuditEvent.id)).all()
    assert acts[-3:] == ["case.reply", "case.note", "case.deadline"]


def test_one_key_makes_a_licence_and_everything_is_a_managers(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        first, second, third = owned_cases(session, range(1, 4))
    form = {"expected": "new", "requires": "none"}

    assert post(client, f"/cases/{first}/licence", scope="everything", **form).status_code == 403
    answer = post(client, f"/cases/{first}/licence", scope="article", **form)
    assert "了结未决案件 1 件" in client.get(answer.location).text
    assert [state_of(engine, one) for one in (first, second, third)] == ["licensed", "new", "new"]

    post(client, "/logout")
    add_person(engine, role=AccountRole.MANAGER, name="主管")
    let_in(client, name="主管")
    post(client, f"/cases/{third}/licence", scope="everything", **form)
    assert [state_of(engine, one) for one in (first, second, third)] == ["licensed"] * 3
    with transaction(engine) as session:
        _article, everything = licences.list_licences(session)
        last = actions.last_decision(session, third)
    assert last is not None
    post(client, "/cases/undo", event=f"{third}:{last.id}")
    assert [state_of(engine, one) for one in (first, second, third)] == ["licensed", "new", "new"]
    assert post(client, f"/cases/{third}/licence/{everything.id}/revoke").status_code == 404, "undone with the decision"


def test_lists_are_saved_shared_and_removed(client: FlaskClient, engine: Engine) -> None:
    make_cases(engine, 1)
    post(client, "/cases/views?severity=grave&tab=all", name="严重的<b>", shared="1")
    page = client.get("/cases").text
    assert 'href="/cases?tab=all&amp;severity=grave"' in page
    assert "严重的&lt;b&gt;" in page

    found = re.search(r"/cases/views/(\d+)/remove", page)
    assert found is not None
    add_person(engine, role=AccountRole.VIEWER, name="读者")
    reader = make_app(engine).test_client()
    let_in(reader, name="读者")
    assert "severity=grave" in reader.get("/cases").text
    assert post(reader, f"/cases/views/{found[1]}/remove").status_code == 404, "somebody else's"
    post(client, f"/cases/views/{found[1]}/remove")
    assert "severity=grave" not in client.get("/cases").text


def test_a_viewer_reads_and_decides_nothing(engine: Engine) -> None:
    client = client_of_person(engine, role=AccountRole.VIEWER)
    (case_id,) = make_cases(engine, 1)

    for path in ("/cases", f"/cases/{case_id}"):
        page = client.get(path)
        assert page.status_code == 200
        assert 'name="to"' not in page.text
    for path in ("move", "assign", "notes", "notify", "reply", "deadline", "licence", "licence/1/revoke"):
        assert post(client, f"/cases/{case_id}/{path}", to="confirmed", expected="new").status_code == 403, path
    for path in ("decide", "undo"):
        assert post(client, f"/cases/{path}", case=f"{case_id}:new", to="confirmed").status_code == 403
    assert state_of(engine, case_id) is CaseState.NEW


def test_made_up_requests_are_refused(client: FlaskClient, engine: Engine) -> None:
    (case_id,) = make_cases(engine, 1)

    assert client.post(f"/cases/{case_id}/move", data={"to": "confirmed", "expected": "new"}).status_code == 400
    assert client.get(f"/cases/{case_id}/move").status_code == 405
    for form in ({"to": "x"}, {"to": "dismissed", "because": "x"}, {"to": "confirmed", "expected": "lost"}):
        assert post(client, f"/cases/{case_id}/move", **{"expected": "new", **form}).status_code == 400
    assert decide(client, case_id, "removed").status_code == 409, "no such way from new"
    assert decide(client, case_id, "confirmed", note="长" * 30_000).status_code == 413
    for case in ("x:new", "1:x", "1", f"{2**70}:new"):
        assert post(client, "/cases/decide", case=case, to="confirmed").status_code == 400
    assert post(client, "/cases/decide", case=["1:new"] * 201, to="confirmed").status_code == 413
    assert post(client, "/cases/undo", event="1:x").status_code == 400
    assert post(client, "/cases/undo").status_code == 400
    for path in ("/cases/999", f"/cases/{2**63}", "/cases/x", "/cases/-1"):
        assert client.get(path).status_code == 404
    for act in ("assign", "notes", "notify", "deadline", "move", "licence/1/revoke"):
        form = {"to": "confirmed", "expected": "new", "channel": "mail", "recipient": "x"}
        assert post(client, f"/cases/999/{act}", **form).status_code == 404, act
    assert client.get("/cases?done=1,x,,999999999999999999999&page=-5&tab=%00&text=%ED%A0%80").status_code == 200
    assert state_of(engine, case_id) is CaseState.NEW


def test_two_people_see_one_page_each_in_his_language(engine: Engine) -> None:
    (case_id,) = make_cases(engine, 1)
    add_person(engine)
    app = make_app(engine)
    pages = {}
    for language in ("zh", "en"):
        client = app.test_client()
        let_in(client)
        post(client, "/language", language=language)
        paths = ("/", "/cases", f"/cases/{case_id}")
        pages[language] = "".join(client.get(path).text.replace("中文", "") for path in paths)

    assert "Dismiss" not in pages["zh"]
    for chinese in ("排除", "确认抄袭", "待处理", "严重"):
        assert chinese in pages["zh"]
        assert chinese not in pages["en"]
    assert all(word in pages["en"] for word in ("Dismiss", "Confirm", "To review", "High"))


ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 1234*1234 }}\u202egnp.exe"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_hostile_titles_stay_text(engine: Engine, language: str) -> None:
    client = client_of_person(engine, language=language)
    with transaction(engine) as session:
        case_id = a_case(session, 1, title=ATTACK, host=ATTACK)
        actions.note_case(session, case_id, ATTACK, actor=a_reviewer(session, ATTACK[:60]))

    for path in ("/", "/cases", f"/cases/{case_id}", f"/cases?text={ATTACK}&owner={ATTACK}&site={ATTACK}", "/quality"):
        page = client.get(path).text
        assert "<script>" not in page, path
        assert "<img src=x" not in page, path
        assert "1522756" not in page, path
    assert "⟪U+202E⟫" in client.get(f"/cases/{case_id}").text


def test_no_page_asks_more_questions_for_more_cases(client: FlaskClient, engine: Engine) -> None:
    sent: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *args: sent.append(args[2]))

    def asked(path: str) -> int:
        before = len(sent)
        assert client.get(path).status_code == 200
        return len(sent) - before

    # The desk has an engine of its own only in tests that serve it elsewhere: here both use this one.
    (case_id,) = make_cases(engine, 1)
    paths = ("/", "/cases", f"/cases/{case_id}", "/quality")
    few = [asked(path) for path in paths]
    with transaction(engine) as session:
        lin = a_reviewer(session)
        for number in range(2, 14):
            move(session, a_case(session, number), CaseState.DISMISSED, lin)
        for number in range(14, 26):
            a_case(session, number)
    many = [asked(path) for path in paths]

    assert many == few
    assert max(many) <= 40


def test_the_overview_counts_what_came_since_the_last_visit(client: FlaskClient, engine: Engine) -> None:
    old, new = make_cases(engine, 2)
    assert "以来新增" in client.get("/").text, "at the first visit since yesterday"
    with transaction(engine) as session:
        session.connection().exec_driver_sql("UPDATE desk_visit SET last_at = now() - interval '2 hours'")
        set_columns(session, old, opened_at=actions.get_case(session, old).opened_at.replace(year=2020))

    page = client.get("/").text

    found = re.search(r'<a href="(/cases\?tab=all&amp;since=[^"]+)">1</a>', page)
    assert found is not None, "one case is new, and the number leads to it"
    listed = client.get(found[1].replace("&amp;", "&")).text
    assert f'value="{new}:new"' in listed
    assert f'value="{old}:new"' not in listed
    assert NAME in page


def test_decided_cases_with_other_figures_are_listed_and_say_which(client: FlaskClient, engine: Engine) -> None:
    first, second = make_cases(engine, 2)
    with transaction(engine) as session:
        lin = a_reviewer(session)
        for case_id in (first, second):
            move(session, case_id, CaseState.CONFIRMED, lin)
        case = actions.get_case(session, first)
        page = detail.pages_of_case(session, first)[0]
        ours = SavedPage(case.our_page_id, 0, page.our_text_id, False, False)
        theirs = SavedPage(page.their_page_id, 0, page.their_text_id, False, False)
        findings.keep_findings(session, [a_finding(ours, theirs, "copier1.example", chars=1_204)])

    listed = client.get("/cases?tab=confirmed&refigured=1").text
    assert f"/cases/{first}?" in listed
    assert f"/cases/{second}?" not in listed
    assert "重合字数 180 → 1,204" in client.get(f"/cases/{first}").text


@pytest.mark.parametrize(
    ("sights", "chinese", "english"),
    [
        ([Sight.EDITED], "已改：我方片段已不在", "Edited: our passages are gone"),
        ([Sight.ABSENT], "疑似已删，待二次复查", "Missing, to be rechecked"),
        ([Sight.ABSENT, Sight.ABSENT], "已删除（", "Removed since"),
        ([Sight.ELSEWHERE], "已跳转到别处", "Redirects elsewhere"),
        ([Sight.UNREADABLE], "无法访问（", "Unreadable since"),
    ],
)
def test_a_case_shows_what_became_of_its_copy(
    client: FlaskClient, engine: Engine, sights: list[Sight], chinese: str, english: str
) -> None:
    (case_id,) = make_cases(engine, 1)
    decide(client, case_id, "confirmed")
    assert chinese not in client.get(f"/cases/{case_id}").text
    with transaction(engine) as session:
        (page,) = detail.pages_of_case(session, case_id)
        for number, sight in enumerate(sights):
            at = datetime(2026, 5, 1, tzinfo=UTC) + number * timedelta(days=1)
            recaptures.record(session, case_id, page.their_page_id, at=at, entry=1, refusal="bad-status", sight=sight)

    assert chinese in client.get(f"/cases/{case_id}").text
    in_english = make_app(engine, language="en").test_client()
    let_in(in_english)
    assert english in in_english.get(f"/cases/{case_id}").text
