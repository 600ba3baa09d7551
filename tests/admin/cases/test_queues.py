"""Cases in doubt (we may be the copier, agency stories, shared passages): verbs of their own, no letter by any way."""

import re
from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, update

from admin.evidence.letter_grounds import NoLetter, refusal_of
from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.cases import actions
from storage.engine import transaction
from storage.errors import MoveNotAllowed
from storage.models.cases import CasePage
from storage.models.matches import PageMatch
from storage.types import CaseQueue, CaseState, NoticeChannel
from tests.support.case_actions import a_case, a_reviewer, state_of
from tests.support.cases import store_case
from tests.support.desk_client import client_of_person, csrf_token

DOUBTED = (CaseQueue.WE_MAY_BE_COPIER, CaseQueue.AGENCY, CaseQueue.SHARED_PASSAGE)
VERBS = {
    CaseQueue.WE_MAY_BE_COPIER: ("确为我方转载", "双方同源", "我方在先，转回"),
    CaseQueue.AGENCY: ("通讯社稿，双方均可用", "我方独有，转回"),
    CaseQueue.SHARED_PASSAGE: ("双方同源", "抄自我方，转入待处理"),
}
TABS = {
    CaseQueue.WE_MAY_BE_COPIER: "copier",
    CaseQueue.AGENCY: "agency",
    CaseQueue.SHARED_PASSAGE: "passage",
}


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def post(client: FlaskClient, path: str, **form: object) -> str:
    answer = client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})
    return f"{answer.status_code} {answer.location or ''}"


def queue_of(engine: Engine, case_id: int) -> CaseQueue:
    with transaction(engine) as session:
        return actions.get_case(session, case_id).queue


def undone(client: FlaskClient, page: str) -> None:
    (event,) = re.findall(r'name="event" value="(\d+:\d+)"', client.get(page).text)
    post(client, "/cases/undo", event=event)


@pytest.mark.parametrize("queue", DOUBTED)
def test_the_page_of_a_case_has_the_verbs_of_its_list_and_no_letter(
    client: FlaskClient, engine: Engine, queue: CaseQueue
) -> None:
    case = store_case(engine, queue=queue)

    page = client.get(f"/cases/{case.id}?tab={TABS[queue]}").text

    decisions = page[page.index('class="decide"') : page.index('class="review"')]
    assert all(verb in decisions for verb in VERBS[queue])
    assert "确认抄袭" not in decisions
    assert "此伙伴" not in decisions
    assert f"/cases/{case.id}/letter" not in page
    listed = client.get(f"/cases?tab={TABS[queue]}").text
    assert all(verb in listed for verb in VERBS[queue])
    assert "确认抄袭" not in listed[listed.index('id="bulk"') :]
    headings = re.findall(r'<th scope="col"[^>]*>([^<]+)<', listed)
    assert {"也见于", "共有"} < set(headings)
    assert not {"转载方", "转载量", "严重程度", "来源标注"} & set(headings)
    filters = listed[listed.index('class="filters"') : listed.index("</form>", listed.index('class="filters"'))]
    assert "也见于" in filters
    assert "转载方" not in filters
    assert "严重程度" not in filters


@pytest.mark.parametrize("queue", DOUBTED)
def test_no_way_leads_to_a_letter(client: FlaskClient, engine: Engine, queue: CaseQueue) -> None:
    case = store_case(engine, queue=queue)
    letter = {"way": "mark", "language": "zh", "text": "信", "recipient": "x", "channel": "mail", "key": "0" * 32}

    assert client.get(f"/cases/{case.id}/letter").status_code == 409
    assert post(client, f"/cases/{case.id}/letter", **{"as": "txt"}, **letter, sure="1").startswith("409")
    assert post(client, f"/cases/{case.id}/letter/send", **letter).startswith("409")
    for expected in ("new", "notified"):
        sent = post(client, f"/cases/{case.id}/notify", recipient="x", channel="mail", expected=expected)
        assert sent.startswith("409")
        assert post(client, f"/cases/{case.id}/move", to="notified", expected=expected).startswith("409")
    post(client, "/cases/decide", case=f"{case.id}:new", to="notified")
    with transaction(engine) as session:
        lin = a_reviewer(session)
        record = actions.get_case(session, case.id)
        assert refusal_of(record, ()) in (NoLetter.THEIRS_FIRST, NoLetter.PERHAPS_AGENCY, NoLetter.SHARED_PASSAGE)
        for seen in CaseState:
            with pytest.raises(MoveNotAllowed):
                actions.move_case(session, case.id, CaseState.NOTIFIED, expected=seen, actor=lin)
        assert actions.notices(session, case.id) == []
    assert state_of(engine, case.id) is CaseState.NEW
    assert {*NoticeChannel}, "whatever the way"


@pytest.mark.parametrize("queue", DOUBTED)
def test_a_case_goes_to_the_list_and_back_with_undo_redo_and_audit(
    client: FlaskClient, engine: Engine, queue: CaseQueue
) -> None:
    with transaction(engine) as session:
        first, second = a_case(session, 1), a_case(session, 2)

    there = post(client, f"/cases/{first}/queue?sort=oldest", queue=queue.value, expected="new")

    assert there == f"302 /cases/{second}?sort=oldest&done={first}"
    assert queue_of(engine, first) is queue
    undone(client, there.split()[1])
    assert queue_of(engine, first) is CaseQueue.COPIED
    page = client.get(f"/cases/{first}").text
    (again,) = re.findall(r'name="undone" value="(\d+:\d+)"', page)
    post(client, "/cases/redo", undone=again)
    assert queue_of(engine, first) is queue
    post(client, f"/cases/{first}/queue", queue="copied", expected="new")
    assert queue_of(engine, first) is CaseQueue.COPIED
    with transaction(engine) as session:
        acts = [one.act for one in audit_log.list_events(session, AuditFilter(act="case"), limit=9)]
    assert acts == ["case.queue", "case.redo", "case.undo", "case.queue"]


def test_many_cases_go_together_and_come_back_together(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        ids = [a_case(session, number) for number in range(1, 4)]
    ticked = [f"{case_id}:new" for case_id in ids]

    answer = post(client, "/cases/decide", case=ticked, to="to-agency")

    assert {queue_of(engine, one) for one in ids} == {CaseQueue.AGENCY}
    events = re.findall(r'name="event" value="(\d+:\d+)"', client.get(answer.split()[1]).text)
    assert len(events) == 3
    post(client, "/cases/undo", event=events)
    assert {queue_of(engine, one) for one in ids} == {CaseQueue.COPIED}
    assert post(client, "/cases/decide", case=ticked, to="to-nowhere").startswith("400")


def test_a_decided_agency_story_leaves_its_list_and_is_found_among_the_decided(
    client: FlaskClient, engine: Engine
) -> None:
    with transaction(engine) as session:
        case_id = a_case(session, 1, queue=CaseQueue.AGENCY)

    post(client, f"/cases/{case_id}/move?tab=agency", to="dismissed", because="not-ours", expected="new")

    assert f"#{case_id}" not in client.get("/cases?tab=agency").text
    decided = client.get("/cases?tab=agency&state=dismissed").text
    assert f"#{case_id}" in decided
    assert "通讯社稿，双方均可用" in decided
    undone(client, f"/cases/{case_id}?tab=agency")
    assert state_of(engine, case_id) is CaseState.NEW


def test_what_somebody_else_decided_meanwhile_is_not_moved(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        case_id = a_case(session, 1)
        actions.move_case(
            session, case_id, CaseState.CONFIRMED, expected=CaseState.NEW, actor=a_reviewer(session, "王编辑")
        )

    assert post(client, f"/cases/{case_id}/queue", queue="agency", expected="new").startswith("409")
    assert queue_of(engine, case_id) is CaseQueue.COPIED


def test_what_was_vouched_for_and_undone_opens_no_letter(client: FlaskClient, engine: Engine) -> None:
    """That no agency wrote it says nothing of who was first, and neither does a word that was taken back."""
    case = store_case(engine, queue=CaseQueue.AGENCY)
    with transaction(engine) as session:
        session.execute(update(PageMatch).values(source_page_id=case.theirs.page_id, confidence=0.9))
        session.execute(update(CasePage).values(found_at=datetime(2026, 1, 1, tzinfo=UTC)))

    post(client, f"/cases/{case.id}/queue", queue="copied", expected="new")

    assert client.get(f"/cases/{case.id}/letter").status_code == 409
    post(client, f"/cases/{case.id}/queue", queue="we-may-be-copier", expected="new")
    post(client, f"/cases/{case.id}/queue", queue="copied", expected="new")
    assert client.get(f"/cases/{case.id}/letter").status_code == 200, "now it is said that ours was first"
    for _ in range(2):
        undone(client, f"/cases/{case.id}")
    assert queue_of(engine, case.id) is CaseQueue.COPIED
    assert client.get(f"/cases/{case.id}/letter").status_code == 409
