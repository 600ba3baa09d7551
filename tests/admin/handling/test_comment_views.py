"""Comments: added and never replaced, with an alert for each person they name; and notes, of which both are kept."""

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, select

from admin.alerts.channel_registry import kind_of
from admin.alerts.message_text import Item, Place, make_message, speaking
from storage.accounts import accounts
from storage.alerts.rules import fits
from storage.cases import actions
from storage.desk import comments
from storage.engine import transaction
from storage.models.alerts import AlertEvent
from storage.postgres.rows import records_of
from storage.records.alerts import UNASKED, AlertKind, EventRecord, RuleTerms
from tests.support.case_actions import a_case, a_reviewer
from tests.support.desk_client import NAME, client_of_person, csrf_token


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def post(client: FlaskClient, path: str, **form: object) -> tuple[int, str]:
    answer = client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})
    return answer.status_code, answer.text


def events(engine: Engine) -> list[EventRecord]:
    with transaction(engine) as session:
        of_mentions = select(AlertEvent).where(AlertEvent.kind == AlertKind.MENTIONED).order_by(AlertEvent.id)
        return records_of(EventRecord, session.scalars(of_mentions))


def test_who_is_named_is_told_and_who_writes_is_not(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        case_id, wang = a_case(session, 1), a_reviewer(session, "王编辑")
        me = accounts.account_by_name(session, NAME)

    status, _ = post(client, f"/cases/{case_id}/comments", comment=f"@王编辑 请看 <script>；@{NAME} 自己")

    assert status == 302
    (event,) = events(engine)
    assert event.details["account"] == wang.account_id
    assert event.case_id == case_id
    page = client.get(f"/cases/{case_id}").text
    assert "请看 &lt;script&gt;" in page
    assert me is not None
    with transaction(engine) as session:
        assert [one.case_id for one in comments.mentions_of(session, wang.account_id, event.at.replace(year=2020))] == [
            case_id
        ]
        assert comments.mentions_of(session, me.id, event.at.replace(year=2020)) == []


def test_who_is_assigned_cases_by_somebody_else_is_told_once_an_act(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        ids, wang = [a_case(session, number) for number in range(1, 4)], a_reviewer(session, "王编辑")
        me = accounts.account_by_name(session, NAME)
    assert me is not None

    assert post(client, f"/cases/{ids[0]}/assign", assignee=wang.account_id)[0] == 302
    ticked = [f"{one}:new" for one in ids]
    assert post(client, "/cases/decide", case=ticked, to="assign", assignee=wang.account_id)[0] == 302
    assert post(client, f"/cases/{ids[1]}/assign", assignee=me.id)[0] == 302
    assert post(client, f"/cases/{ids[1]}/assign", assignee="")[0] == 302

    told = [(event.case_id, event.details["account"], event.details["assigned"]) for event in events(engine)]
    assert told == [(ids[0], wang.account_id, 1), (None, wang.account_id, 3)]
    hers = RuleTerms("hers", frozenset({AlertKind.MENTIONED}), mentioned_id=wang.account_id)
    assert all(fits(hers, event, None) for event in events(engine))


def test_a_rule_asks_for_the_mentions_of_one_person_or_of_all(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        case_id, wang = a_case(session, 1), a_reviewer(session, "王编辑")
    post(client, f"/cases/{case_id}/comments", comment="@王编辑")
    (event,) = events(engine)
    mentions = frozenset({AlertKind.MENTIONED})

    assert AlertKind.MENTIONED not in UNASKED
    assert fits(RuleTerms("all", mentions), event, None)
    assert fits(RuleTerms("hers", mentions, mentioned_id=wang.account_id), event, None)
    assert not fits(RuleTerms("his", mentions, mentioned_id=wang.account_id + 1), event, None)
    assert not fits(RuleTerms("cases"), event, None)


def test_the_message_says_who_wrote_what_and_is_inert(engine: Engine, client: FlaskClient) -> None:
    with transaction(engine) as session:
        case_id = a_case(session, 1)
        a_reviewer(session, "王编辑")
    post(client, f"/cases/{case_id}/comments", comment="@王编辑 <b>看</b>\n@all http://evil.example")
    (event,) = events(engine)

    with speaking("zh"):
        message = make_message([Item(event)], kind_of("wecom"), Place("https://desk.example", "Asia/Shanghai"))

    assert f"#{case_id}" in message.subject
    assert "王编辑" in message.subject
    assert "\n" not in message.subject
    assert message.text.endswith(f"https://desk.example/cases/{case_id}#comments")
    assert "http://evil.example" not in message.text


@pytest.mark.parametrize(
    ("comment", "status"), [("", 400), (" \n ", 400), ("x" * 2_001, 413), ("\0\ud800x".replace("\ud800", "?"), 302)]
)
def test_what_is_no_comment_is_refused(client: FlaskClient, engine: Engine, comment: str, status: int) -> None:
    with transaction(engine) as session:
        case_id = a_case(session, 1)

    assert post(client, f"/cases/{case_id}/comments", comment=comment)[0] == status
    assert post(client, "/cases/987654/comments", comment="x")[0] == 404


def test_of_two_notes_both_texts_are_in_the_box(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        case_id = a_case(session, 1)
        actions.note_case(session, case_id, "对方的备注", actor=a_reviewer(session))

    status, page = post(client, f"/cases/{case_id}/notes", notes="我的备注", seen="")

    assert status == 409
    box = page[page.index('id="notes"') :]
    box = box[: box.index("</textarea>")]
    assert box.index("对方的备注") < box.index("我的备注")
