"""The morning sheet: each number is that of the list it leads to, whatever is in the store."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from storage.accounts import accounts
from storage.cases import actions, findings, licences
from storage.desk import comments, snoozing
from storage.engine import transaction
from storage.records.cases import Actor, LicenceTerms
from storage.types import CaseEventKind, CaseQueue, CaseState, Credit
from tests.support.case_actions import a_case, a_reviewer, move, owned_cases, set_columns
from tests.support.desk_client import NAME, client_of_person

_LINE = re.compile(r'<a href="(/(?:cases|letters|licences)[^"]*)">([\d,]+)\+?</a></dd>')
_TOTAL = re.compile(r'<p class="count">\s*([^<]*)</p>')
_CURRENT = re.compile(r'aria-current="page">[^<]*<b>([\d,]+)</b>')
_ALL_OF = re.compile(r"共 ([\d,]+) 条")


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def fill(engine: Engine) -> None:
    """Cases in every list and in every state that the sheet counts."""
    now = datetime.now(UTC)
    with transaction(engine) as session:
        me = accounts.account_by_name(session, NAME)
        assert me is not None
        lin, mine = a_reviewer(session), Actor(me.id, me.name)
        ids = [a_case(session, number) for number in range(1, 13)]
        grave = [a_case(session, number, chars=2_000) for number in range(13, 16)]
        linked = a_case(session, 16, credit=Credit.LINKED)
        for number, queue in ((17, CaseQueue.WE_MAY_BE_COPIER), (18, CaseQueue.AGENCY), (19, CaseQueue.AGENCY)):
            a_case(session, number, queue=queue)
        a_case(session, 25, queue=CaseQueue.SHARED_PASSAGE)
        actions.assign_case(session, ids[0], mine, actor=lin)
        move(session, ids[1], CaseState.CONFIRMED, lin)
        actions.assign_case(session, ids[1], mine, actor=lin)
        for case_id in ids[2:4]:
            move(session, case_id, CaseState.CONFIRMED, lin)
            move(session, case_id, CaseState.NOTIFIED, lin)
        set_columns(session, ids[2], deadline=now - timedelta(days=1))
        findings.record_event(session, ids[3], CaseEventKind.PAGE_GONE)
        set_columns(session, ids[4], state=CaseState.REAPPEARED)
        snoozing.snooze(session, [ids[5]], now + timedelta(days=3), actor=lin)
        set_columns(session, ids[6], snoozed_until=now - timedelta(hours=1))
        move(session, ids[7], CaseState.DISMISSED, lin)
        for case_id in (*ids[8:], linked):
            set_columns(session, case_id, opened_at=now - timedelta(days=5))
        comments.comment(session, grave[0], f"@{NAME} <b>看</b>", [mine], actor=lin)


def number_of(page: str, path: str) -> int:
    """The total of the list at `path`, as its page says it."""
    if path.startswith("/cases"):
        said = _ALL_OF.search(page)
        return 0 if said is None else int(said[1].replace(",", ""))
    shown = _CURRENT.search(page) if path.startswith("/letters") else _TOTAL.search(page)
    assert shown is not None, path
    return int(shown[1].replace(",", ""))


def test_every_number_is_that_of_the_list_it_leads_to(client: FlaskClient, engine: Engine) -> None:
    fill(engine)
    with transaction(engine) as session:
        owned_cases(session, range(20, 21))
        until = datetime.now(UTC) + timedelta(days=9)
        licences.add_licence(session, LicenceTerms(owner="县报社", valid_until=until))
        licences.add_licence(session, LicenceTerms(owner="抄写公司"))

    found = {unescape(path): int(number.replace(",", "")) for path, number in _LINE.findall(client.get("/").text)}

    assert len(found) >= 16
    assert {path: number_of(client.get(path).text, path) for path in found} == found
    named = {path.partition("since=")[0]: number for path, number in found.items()}
    assert named["/cases?assignee=@me"] == 1
    assert named["/cases?tab=notified&overdue=1"] == 1
    assert named["/cases?woken=1"] == 1
    assert named["/cases?state=reappeared"] == 1
    assert named["/cases?tab=agency"] == 2
    assert named["/cases?tab=passage"] == 1
    assert named["/licences?ending=1"] == 1


def test_the_worst_stands_first_and_mentions_are_shown(client: FlaskClient, engine: Engine) -> None:
    fill(engine)

    page = client.get("/").text

    listed = page[page.index('class="gravest"') :]
    assert re.findall(r"spark-key spark-(\w+)", listed)[:4] == ["grave"] * 4
    assert "&lt;b&gt;看" in page
    assert "数据库" not in page


def test_nobody_has_anything_to_do(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        case_id = a_case(session, 1)
        move(session, case_id, CaseState.CONFIRMED, a_reviewer(session))

    page = client.get("/").text

    assert "已发现的转载都已处理" in page
    assert "/cases?tab=confirmed" in page
