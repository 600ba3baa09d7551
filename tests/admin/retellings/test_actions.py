"""Decisions on retellings: cases of people, dismissals, undo; each with its permission, its token and its trace."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, func, select, update
from werkzeug.test import TestResponse

from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.cases import actions, detail, listing
from storage.engine import transaction
from storage.models.alerts import AlertEvent
from storage.models.cases import Case, CasePage
from storage.records.cases import Actor, CaseRecord
from storage.types import (
    AccountRole,
    CaseEventKind,
    CaseKind,
    CaseQueue,
    CaseState,
    Dismissal,
    RetellingState,
    Severity,
    SiteRole,
)
from tests.support.desk_client import COPY, NAME, SOURCE, add_person, client_of_person, csrf_token, store_hit
from tests.support.meaning.retellings import OUR_SIDE, THEIR_SIDE, retelling_now, stored_retelling


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def post(client: FlaskClient, path: str, **form: str) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/retellings"), **form})


def case_of(engine: Engine, case_id: int) -> CaseRecord:
    with transaction(engine) as session:
        found = listing.get_case(session, case_id)
    assert found is not None
    return found


def count(engine: Engine, table: type) -> int:
    with transaction(engine) as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_a_person_opens_a_case_that_says_it_is_by_meaning(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)

    answer = post(client, f"/retellings/{found.id}/case")

    now = retelling_now(engine, found.id)
    assert (now.state, now.decided_by) == (RetellingState.CASE, NAME)
    case = case_of(engine, now.case_id or 0)
    assert answer.location.startswith(f"/cases/{case.id}")
    assert (case.kind, case.state, case.queue) == (CaseKind.RETOLD, CaseState.NEW, CaseQueue.COPIED)
    assert case.severity is Severity.MIDDLING, "nothing but meaning is never grave"
    assert 0 < case.chars < len(OUR_SIDE.text)
    with transaction(engine) as session:
        (opened,) = actions.history(session, case.id)
        (page,) = detail.pages_of_case(session, case.id)
        assert [line.act for line in audit_log.list_events(session, AuditFilter(), limit=1)] == ["retelling.case"]
    assert (opened.kind, opened.actor, opened.details["by"]) == (CaseEventKind.OPENED, NAME, "meaning")
    assert (page.kind, page.hit_id, page.retelling_id) == (CaseKind.RETOLD, None, found.id)
    assert count(engine, AlertEvent) == 0, "no alert about a new copy"


def test_the_page_of_such_a_case_and_its_documents_say_similar(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)
    post(client, f"/retellings/{found.id}/case")
    case_id = retelling_now(engine, found.id).case_id

    page = client.get(f"/cases/{case_id}").text
    report = client.get(f"/cases/{case_id}/report").text
    letter = client.get(f"/cases/{case_id}/letter")

    assert "没有文字上的依据" in page
    assert f'href="/retellings/{found.id}' in page
    assert "侵权通知书" not in page.replace("不生成", "")
    assert "<mark>三千万</mark>" in report
    assert letter.status_code == 409
    assert "两篇只是内容相似" in letter.text
    for path in ("statement", "evidence.zip", "report?language=en"):
        assert client.get(f"/cases/{case_id}/{path}").status_code == 200


def test_where_theirs_was_first_the_case_is_in_the_other_list(client: FlaskClient, engine: Engine) -> None:
    ours, theirs = replace(OUR_SIDE, url=COPY.url), replace(THEIR_SIDE, url=SOURCE.url)
    found = stored_retelling(
        engine, copy=replace(ours, text=THEIR_SIDE.text), source=replace(theirs, text=OUR_SIDE.text)
    )

    post(client, f"/retellings/{found.id}/case")

    case = case_of(engine, retelling_now(engine, found.id).case_id or 0)
    assert case.queue is CaseQueue.WE_MAY_BE_COPIER


@pytest.mark.parametrize(
    ("sides", "why"),
    [
        ({"source": replace(OUR_SIDE, role=SiteRole.WATCHED)}, "都不在我方站点"),
        ({"copy": replace(THEIR_SIDE, site="子刊", owner=SOURCE.owner)}, "属于同一主体"),
    ],
)
def test_without_somebody_to_hold_it_against_there_is_no_case(
    client: FlaskClient, engine: Engine, sides: dict[str, object], why: str
) -> None:
    found = stored_retelling(engine, **sides)

    answer = post(client, f"/retellings/{found.id}/case")

    assert answer.status_code == 409
    assert why in answer.text
    assert count(engine, Case) == 0


def test_a_dismissal_has_a_reason_and_the_next_one_opens(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)
    following = stored_retelling(
        engine, copy=replace(THEIR_SIDE, url="https://other.example/", text=THEIR_SIDE.text + "完"), score=0.7
    )

    answer = post(client, f"/retellings/{found.id}/dismiss?kind=retold", because=Dismissal.NOT_OURS)

    assert answer.location == f"/retellings/{following.id}?kind=retold&done={found.id}"
    now = retelling_now(engine, found.id)
    assert (now.state, now.dismissed_because, now.decided_by) == (RetellingState.DISMISSED, Dismissal.NOT_OURS, NAME)
    assert "撤销" in client.get(answer.location).text
    assert client.get("/retellings").text.count("data-row") == 1


def test_the_last_one_leads_back_to_the_list(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)

    answer = post(client, f"/retellings/{found.id}/dismiss", because=Dismissal.NOT_A_COPY)

    assert answer.location == f"/retellings?done={found.id}"


def test_undo_opens_it_again(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)
    post(client, f"/retellings/{found.id}/dismiss", because=Dismissal.NOT_A_COPY)

    post(client, f"/retellings/{found.id}/undo", expected="dismissed")

    now = retelling_now(engine, found.id)
    assert (now.state, now.dismissed_because, now.decided_by) == (RetellingState.OPEN, None, None)


def test_undo_takes_back_a_case_that_nobody_has_touched(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)
    post(client, f"/retellings/{found.id}/case")
    case_id = retelling_now(engine, found.id).case_id or 0

    post(client, f"/retellings/{found.id}/undo", expected="case")

    assert retelling_now(engine, found.id).state is RetellingState.OPEN
    assert case_of(engine, case_id).state is CaseState.WITHDRAWN

    post(client, f"/retellings/{found.id}/case")
    assert case_of(engine, case_id).state is CaseState.NEW, "it is opened again"


def test_a_case_on_which_somebody_has_worked_is_not_taken_back(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)
    post(client, f"/retellings/{found.id}/case")
    case_id = retelling_now(engine, found.id).case_id or 0
    person = add_person(engine, name="别人")
    with transaction(engine) as session:
        who = Actor(person.id, person.name)
        actions.move_case(session, case_id, CaseState.CONFIRMED, expected=CaseState.NEW, actor=who)

    answer = post(client, f"/retellings/{found.id}/undo", expected="case")

    assert answer.status_code == 409
    assert f"#{case_id}" in answer.text
    assert case_of(engine, case_id).state is CaseState.CONFIRMED


@pytest.mark.parametrize("act", ["case", "dismiss", "undo"])
def test_two_people_decide_once(client: FlaskClient, engine: Engine, act: str) -> None:
    found = stored_retelling(engine)
    post(client, f"/retellings/{found.id}/dismiss", because=Dismissal.QUOTATION)

    answer = post(client, f"/retellings/{found.id}/{act}", because=Dismissal.NOT_OURS, expected="case")

    assert answer.status_code == 409
    assert "已被他人处理" in answer.text
    assert retelling_now(engine, found.id).dismissed_because is Dismissal.QUOTATION


@pytest.mark.parametrize("act", ["case", "dismiss", "undo"])
def test_decisions_need_a_reviewer_and_a_token(engine: Engine, act: str) -> None:
    found = stored_retelling(engine)
    viewer = client_of_person(engine, role=AccountRole.VIEWER)
    form = {"because": "not-ours", "expected": "open"}

    assert viewer.post(f"/retellings/{found.id}/{act}", data=form).status_code == 400
    assert post(viewer, f"/retellings/{found.id}/{act}", **form).status_code == 403
    assert retelling_now(engine, found.id).state is RetellingState.OPEN


def test_unknown_words_and_numbers_are_refused(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)

    assert post(client, f"/retellings/{found.id}/dismiss", because="\0x").status_code == 400
    assert post(client, f"/retellings/{found.id}/undo", expected="x").status_code == 400
    assert post(client, "/retellings/987654321/case").status_code == 404
    assert client.get("/retellings/987654321").status_code == 404


def test_a_copy_that_wording_proves_is_not_replaced_by_a_retelling(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)
    post(client, f"/retellings/{found.id}/case")
    with transaction(engine) as session:
        session.execute(update(CasePage).values(kind=CaseKind.NEAR, chars=40))
        store_hit(session, copy=THEIR_SIDE, source=OUR_SIDE)
    post(client, f"/retellings/{found.id}/undo", expected="case")

    post(client, f"/retellings/{found.id}/case")

    with transaction(engine) as session:
        (page,) = detail.pages_of_case(session, retelling_now(engine, found.id).case_id or 0)
    assert (page.kind, page.chars, page.gone_at) == (CaseKind.NEAR, 40, None)
