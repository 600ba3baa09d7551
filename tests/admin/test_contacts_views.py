"""Contacts at the desk: proposals at the letter and at the owner, looked for, confirmed, refused, entered."""

from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, text

from admin.web.services import Services
from storage.contacts import contacts, searches
from storage.engine import transaction
from storage.records.correspondence.contacts import (
    Confidence,
    ContactDecision,
    ContactKind,
    ContactProposal,
    ContactRole,
    ContactsFound,
    ContactSource,
    SearchOutcome,
    SourceNote,
)
from storage.types import AccountRole
from tests.admin.evidence.test_letters import a_case
from tests.support.desk_client import add_person, app_with, csrf_token, let_in

HOST = "copier.example"
NOW = datetime(2026, 6, 1, tzinfo=UTC)
ODD = "<script>alert(1)</script>"


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    """A desk with a worker's queue."""
    add_person(engine)
    services = Services(engine=engine, secret_key="for tests", enqueue=lambda *_, **__: None)
    client = app_with(services).test_client()
    let_in(client)
    return client


def proposed(engine: Engine) -> None:
    """A search that is over: one address that the site states, one guess, one registration."""

    def one(kind: ContactKind, value: str, confidence: Confidence, role: ContactRole) -> ContactProposal:
        return ContactProposal(kind, role, value, ContactSource.SITE, f"https://{HOST}/", confidence, NOW, ODD)

    found = ContactsFound(
        HOST,
        (
            one(ContactKind.MAIL, "abuse@county-news.com", Confidence.GUESS, ContactRole.ABUSE),
            one(ContactKind.MAIL, "legal@county-news.com", Confidence.STATED, ContactRole.COPYRIGHT),
            one(ContactKind.REGISTRATION, "京ICP备12345678号-1", Confidence.STATED, ContactRole.GENERAL),
        ),
        (SourceNote(ContactSource.WHOIS_DOMAIN, SearchOutcome.FAILED, f"whois.x: {ODD}"),),
        7,
    )
    with transaction(engine) as session:
        searches.ask_for_contacts(session, HOST, asked_by="lin")
        wanted = searches.next_search(session)
        assert wanted is not None
        searches.finish_search(session, wanted.id, found)


def stored(engine: Engine) -> dict[str, ContactDecision | None]:
    with transaction(engine) as session:
        return {one.value: one.decision for one in contacts.contacts_of(session, [HOST])}


def act(client: FlaskClient, case: int, what: str, **fields: str) -> int:
    form = {"csrf_token": csrf_token(client, f"/cases/{case}/letter"), "case_id": str(case)} | fields
    return client.post(f"/contacts/{what}", data=form).status_code


def id_of(engine: Engine, value: str) -> int:
    with transaction(engine) as session:
        return next(one.id for one in contacts.contacts_of(session, [HOST]) if one.value == value)


def test_proposals_are_shown_with_their_sources_and_a_confirmed_one_is_the_recipient(
    engine: Engine, client: FlaskClient
) -> None:
    case = a_case(engine, 1).id
    assert "尚未查找" in client.get(f"/cases/{case}/letter").text
    proposed(engine)

    page = client.get(f"/cases/{case}/letter").text

    assert page.index("legal@county-news.com") < page.index("abuse@county-news.com")
    assert "京ICP备12345678号-1" in page
    assert "推测" in page
    assert ODD not in page
    assert 'value="legal@county-news.com"' not in page

    assert act(client, case, f"{id_of(engine, 'legal@county-news.com')}/confirm") == 302
    assert act(client, case, f"{id_of(engine, 'abuse@county-news.com')}/refuse") == 302

    assert 'value="legal@county-news.com"' in client.get(f"/cases/{case}/letter").text
    assert stored(engine)["abuse@county-news.com"] is ContactDecision.REFUSED
    with engine.begin() as connection:
        acts = connection.execute(text("SELECT act FROM audit_event WHERE act LIKE 'contact.%' ORDER BY id"))
        assert list(acts.scalars()) == ["contact.confirm", "contact.refuse"]


def test_a_known_contact_keeps_its_decision_when_it_is_found_again(engine: Engine, client: FlaskClient) -> None:
    case = a_case(engine, 1).id
    proposed(engine)
    act(client, case, f"{id_of(engine, 'legal@county-news.com')}/confirm")

    proposed(engine)

    assert stored(engine)["legal@county-news.com"] is ContactDecision.CONFIRMED


def test_a_search_is_queued_once_and_for_hosts_of_the_copier_alone(engine: Engine, client: FlaskClient) -> None:
    case = a_case(engine, 1).id

    assert [act(client, case, "look", host=host) for host in (HOST, HOST, "other.example", "")] == [302, 302, 404, 404]

    with transaction(engine) as session:
        assert searches.is_waiting(session)
    assert "正在查找" in client.get(f"/cases/{case}/letter").text


@pytest.mark.parametrize("bad", ["", "nonsense", "a@b", "javascript:alert(1)", "file:///etc/passwd", "a@x.com\0"])
def test_what_is_no_contact_is_not_entered(engine: Engine, client: FlaskClient, bad: str) -> None:
    case = a_case(engine, 1).id

    act(client, case, "add", host=HOST, contact=bad)

    assert [value for value in stored(engine) if value != "a@x.com"] == []


def test_a_contact_is_entered_by_hand_and_counts_as_confirmed(engine: Engine, client: FlaskClient) -> None:
    case = a_case(engine, 1).id

    assert act(client, case, "add", host=HOST, contact=" Chief@County-News.com ") == 302
    assert act(client, case, "add", host=HOST, contact="x" * 500) == 413

    assert stored(engine) == {"chief@county-news.com": ContactDecision.CONFIRMED}


def test_a_viewer_reads_and_decides_nothing(engine: Engine, client: FlaskClient) -> None:
    case = a_case(engine, 1).id
    proposed(engine)
    add_person(engine, name="王读者", role=AccountRole.VIEWER)
    viewer = client.application.test_client()
    let_in(viewer, name="王读者")

    assert "legal@county-news.com" in viewer.get(f"/cases/{case}/letter").text
    number = id_of(engine, "legal@county-news.com")
    form = {"csrf_token": csrf_token(viewer, f"/cases/{case}/letter"), "case_id": str(case)}
    assert viewer.post(f"/contacts/{number}/confirm", data=form).status_code == 403
