"""Contacts in the store: searches one at a time, proposals once, decisions that stay and are remembered."""

from datetime import UTC, datetime

import pytest
from sqlalchemy.orm import Session

from storage.contacts import contacts, searches
from storage.errors import NotKnown
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
from storage.sites import owners

NOW = datetime(2026, 6, 1, tzinfo=UTC)
HOST = "www.copier-news.com"


def proposal(value: str, kind: ContactKind = ContactKind.MAIL, **fields: object) -> ContactProposal:
    known = {
        "role": ContactRole.GENERAL,
        "source": ContactSource.SITE,
        "place": f"https://{HOST}/",
        "confidence": Confidence.STATED,
    } | fields
    return ContactProposal(kind=kind, value=value, seen_at=NOW, **known)  # type: ignore[arg-type]


def test_a_host_has_one_open_search_and_it_stays_open_until_its_end(session: Session) -> None:
    assert searches.ask_for_contacts(session, HOST, asked_by="lin")
    assert not searches.ask_for_contacts(session, HOST, asked_by="wang")
    wanted = searches.next_search(session)
    assert wanted is not None
    assert searches.next_search(session) == wanted

    notes = (SourceNote(ContactSource.WHOIS_DOMAIN, SearchOutcome.FAILED, "timed out\0\ud800" + "x" * 9_000),)
    searches.finish_search(session, wanted.id, ContactsFound(HOST, (proposal("a@copier-news.com"),), notes, 5))

    assert not searches.is_waiting(session)
    last = searches.last_ended(session, HOST)
    assert last is not None
    assert (last.requests, last.asked_by, len(last.notes[0].words)) == (5, "lin", searches.WORDS_CHARS)
    assert searches.ask_for_contacts(session, HOST, asked_by="lin")


def test_contacts_come_by_decision_then_purpose_then_confidence(session: Session) -> None:
    for one in (
        proposal("network@host-co.com", role=ContactRole.NETWORK_ABUSE),
        proposal("guess@copier-news.com", role=ContactRole.COPYRIGHT, confidence=Confidence.GUESS),
        proposal("legal@copier-news.com", role=ContactRole.COPYRIGHT),
        proposal("wrong@copier-news.com", role=ContactRole.COPYRIGHT),
        proposal("known@copier-news.com"),
    ):
        number = searches.add_proposal(session, HOST, one)
        if one.value.startswith(("wrong", "known")):
            is_wrong = one.value.startswith("wrong")
            decision = ContactDecision.REFUSED if is_wrong else ContactDecision.CONFIRMED
            contacts.decide(session, number, decision, by="lin", at=NOW, owner_id=None)

    assert [one.value.partition("@")[0] for one in contacts.contacts_of(session, [HOST])] == [
        *("known", "legal", "guess", "network", "wrong"),
    ]
    assert contacts.confirmed_address(session, [HOST]) == "known@copier-news.com"
    assert contacts.confirmed_address(session, []) == ""


def test_a_confirmed_contact_is_remembered_with_the_owner_and_changes_nothing_that_is_known(session: Session) -> None:
    owner = owners.add_owner(session, "抄写公司", registration="粤ICP备2021012345号")
    mail = searches.add_proposal(session, HOST, proposal("legal@copier-news.com"))
    number = searches.add_proposal(session, HOST, proposal("京ICP备12345678号", ContactKind.REGISTRATION))

    for one in (mail, number):
        contacts.decide(session, one, ContactDecision.CONFIRMED, by="lin", at=NOW, owner_id=owner.id)

    known = owners.get_owner(session, "抄写公司")
    assert (known.complaint_address, known.registration) == ("legal@copier-news.com", "粤ICP备2021012345号")
    found = contacts.contacts_of(session, [], owner_id=owner.id)
    assert {(one.value, one.decided_by, one.decided_at) for one in found} == {
        ("legal@copier-news.com", "lin", NOW),
        ("京ICP备12345678号", "lin", NOW),
    }
    contacts.decide(session, mail, ContactDecision.REFUSED, by="wang", at=NOW, owner_id=owner.id)
    assert len(contacts.contacts_of(session, [], owner_id=owner.id)) == 1


def test_only_a_person_who_may_changes_the_owner(session: Session) -> None:
    owner = owners.add_owner(session, "抄写公司")
    mail = searches.add_proposal(session, HOST, proposal("legal@copier-news.com"))

    contacts.decide(
        session, mail, ContactDecision.CONFIRMED, by="lin", at=NOW, owner_id=owner.id, enters_at_owner=False
    )

    assert owners.get_owner(session, "抄写公司").complaint_address == ""
    assert contacts.confirmed_address(session, [], owner.id) == "legal@copier-news.com"


def test_a_decision_about_a_contact_that_is_not_there_is_refused(session: Session) -> None:
    with pytest.raises(NotKnown):
        contacts.decide(session, 987_654_321, ContactDecision.CONFIRMED, by="lin", at=NOW, owner_id=None)
