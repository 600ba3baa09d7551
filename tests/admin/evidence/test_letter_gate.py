"""Which claims need a second person, and who that may be."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine, text

from admin.cases.copier_summary import DECIDED, copier_of
from admin.evidence.letter_gate import agency_cases, gate_reasons, no_letter, ours_first, reasons_of, way_to_consent
from admin.evidence.letter_grounds import NoLetter, grounds_of, without_agency
from storage.cases import actions
from storage.engine import transaction
from storage.letters.directions import PageDirection
from storage.matches.direction_reasons import Reason, ReasonCode
from storage.records.correspondence.notices import ConsentRecord, ConsentWay, GateReason
from storage.types import CaseKind, Credit, Standing
from tests.admin.evidence.test_letters import a_case
from tests.support.correspondence.notices import a_line

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
SURE = PageDirection(1, "https://copier.example/1", True, "https://county.example/1", 0.93, ())
ASKED = ConsentRecord(1, 1, b"", "credit", NOW, 1, "甲", None, None, "", None)


@pytest.mark.parametrize(
    ("fields", "direction", "wanted"),
    [
        ({}, SURE, []),
        ({"standing": Standing.BREACH}, SURE, [GateReason.LICENCE]),
        ({"standing": Standing.LICENSED}, SURE, [GateReason.LICENCE]),
        ({"credit": Credit.NAMED}, SURE, [GateReason.CREDIT]),
        ({"credit": Credit.LINKED}, SURE, [GateReason.CREDIT]),
        ({}, replace(SURE, confidence=0.8), []),
        ({}, replace(SURE, confidence=0.79), [GateReason.DIRECTION]),
        ({}, replace(SURE, is_ours_first=False, confidence=0.93), [GateReason.DIRECTION]),
        ({}, None, [GateReason.DIRECTION]),
        ({"is_by_meaning": True}, None, [GateReason.MEANING]),
        ({"credit": Credit.NAMED, "is_by_meaning": True}, None, [GateReason.CREDIT, GateReason.MEANING]),
    ],
)
def test_a_doubt_about_a_page_asks_for_a_second_person(
    fields: dict[str, object], direction: PageDirection | None, wanted: list[GateReason]
) -> None:
    assert reasons_of(a_line("https://copier.example/1", **fields), direction) == wanted


def test_our_own_setting_makes_no_claim_sure() -> None:
    said = Reason(ReasonCode.ORIGINAL_SITE, page="https://county.example/1")

    assert ours_first(replace(SURE, confidence=0.85, reasons=(said,))) < 0.8


@pytest.mark.parametrize(
    ("account", "writer", "others", "minutes", "way"),
    [
        (2, 1, 1, 0, ConsentWay.SECOND_PERSON),
        (1, 1, 1, 60, None),
        (1, 2, 1, 60, None),
        (2, 2, 1, 60, None),
        (1, 1, 0, 9, None),
        (1, 1, 0, 10, ConsentWay.LATER),
    ],
)
def test_who_asked_or_wrote_does_not_consent_unless_nobody_else_may_and_later(
    account: int, writer: int, others: int, minutes: int, way: ConsentWay | None
) -> None:
    now = NOW + timedelta(minutes=minutes)

    assert way_to_consent(ASKED, account_id=account, written_by_id=writer, others=others, now=now) is way


def test_reasons_and_agencies_are_read_from_the_store(engine: Engine) -> None:
    plain, credited = a_case(engine, 1), a_case(engine, 2, credit=Credit.NAMED)
    unsure, wire = a_case(engine, 3), a_case(engine, 4)
    with engine.begin() as connection:
        run = connection.execute
        run(text("UPDATE page_match SET confidence = .6 WHERE id = :id"), {"id": unsure.hit_id})
        run(text("UPDATE page_version SET rights = 'agency' WHERE page_id = :id"), {"id": wire.ours.page_id})
    with transaction(engine) as session:
        case = actions.get_case(session, plain.id)
        copier = copier_of(session, case, states=DECIDED, made_by="")
        agency = agency_cases(session, copier.items)
        grounds = without_agency(grounds_of(copier, case), case, agency)
        reasons = gate_reasons(session, grounds.named)
        of_agency = without_agency(
            grounds_of(copier, actions.get_case(session, wire.id)), actions.get_case(session, wire.id), agency
        )

        lines = {item.case.id: item.lines for item in copier.items}
        why = [no_letter(session, actions.get_case(session, one.id), lines[one.id]) for one in (plain, wire)]

    assert agency == {wire.id}
    assert why == [None, NoLetter.AGENCY]
    assert {item.case.id for item in grounds.named} == {plain.id, credited.id, unsure.id}
    assert grounds.left_out == {NoLetter.AGENCY: 1}
    assert of_agency.refusal is NoLetter.AGENCY
    assert of_agency.named == ()
    assert reasons == {
        GateReason.CREDIT: ("https://copier.example/2",),
        GateReason.DIRECTION: ("https://copier.example/3",),
    }


def test_a_notice_may_name_what_is_similar_in_meaning_and_asks_for_a_second_person(engine: Engine) -> None:
    made = a_case(engine, 1, kind=CaseKind.RETOLD)
    with transaction(engine) as session:
        case = actions.get_case(session, made.id)
        copier = copier_of(session, case, states=DECIDED, made_by="", always=True)
        letter, notice = grounds_of(copier, case), grounds_of(copier, case, with_meaning=True)
        reasons = gate_reasons(session, notice.named)

    assert letter.refusal is NoLetter.BY_MEANING
    assert notice.refusal is None
    assert reasons == {GateReason.MEANING: ("https://copier.example/1",)}
