"""No notice is stored, sent or sent again without its statements and the consent that it needs."""

from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from storage.errors import NotConsented, NotKnown, NotSigned
from storage.evidence import chain_store
from storage.evidence.servers import servers_of
from storage.letters import consents, drafts, listing, outbox, statements
from storage.records.cases import Actor
from storage.records.correspondence.letters import LetterState
from storage.records.correspondence.notices import STATEMENTS, Consented, ConsentWay, GateReason, NoticeForm, Signed
from storage.records.evidence import EvidenceKind, NewEvidence
from tests.support.case_actions import a_reviewer
from tests.support.correspondence.letters import NOW, a_letter, confirmed, mail_channel

BOTH = Signed("Lin Wang", ("good faith", "under penalty of perjury"), NOW)
CREDIT = frozenset({GateReason.CREDIT})


@pytest.fixture
def lin(session: Session) -> Actor:
    return a_reviewer(session)


@pytest.mark.parametrize(
    "signed",
    [
        None,
        replace(BOTH, wordings=()),
        replace(BOTH, wordings=("good faith",)),
        replace(BOTH, wordings=("good faith", "  ")),
        replace(BOTH, wordings=("good faith", "perjury", "more")),
        replace(BOTH, signer=""),
        replace(BOTH, signer=" 1 . "),
    ],
)
def test_a_dmca_notice_without_both_statements_and_a_name_is_not_stored(
    session: Session, lin: Actor, signed: Signed | None
) -> None:
    with pytest.raises(NotSigned):
        a_letter(session, confirmed(session, lin, 1), lin, form=NoticeForm.DMCA, signed=signed)


@pytest.mark.parametrize("form", [form for form, count in STATEMENTS.items() if count])
def test_no_form_with_statements_is_stored_without_them(session: Session, lin: Actor, form: NoticeForm) -> None:
    with pytest.raises(NotSigned):
        a_letter(session, confirmed(session, lin, 1), lin, form=form)


def test_what_was_stated_is_kept_with_the_notice_and_never_changed(session: Session, lin: Actor) -> None:
    letter_id = a_letter(session, confirmed(session, lin, 1), lin, form=NoticeForm.DMCA, signed=BOTH)

    kept = statements.statements_of(session, letter_id)
    assert [(one.sending, one.position, one.wording, one.signer) for one in kept] == [
        (1, 1, "good faith", "Lin Wang"),
        (1, 2, "under penalty of perjury", "Lin Wang"),
    ]
    assert {(one.ticked_by, one.ticked_at) for one in kept} == {(lin.name, NOW)}
    assert listing.get_letter(session, letter_id).form is NoticeForm.DMCA
    for change in ("UPDATE letter_statement SET wording = 'x'", "DELETE FROM letter_statement"):
        with pytest.raises(DBAPIError), session.begin_nested():
            session.execute(text(change))


def test_a_notice_is_sent_again_only_if_it_is_signed_again(session: Session, lin: Actor) -> None:
    channel = mail_channel(session)
    made = confirmed(session, lin, 1)
    letter_id = a_letter(session, made, lin, mail_channel_id=channel, form=NoticeForm.DMCA, signed=BOTH)
    claimed = outbox.claim(session, NOW)
    assert claimed is not None
    outbox.mark_unknown(session, claimed, "lost")

    for unsigned in (None, replace(BOTH, wordings=BOTH.wordings[:1]), replace(BOTH, signer="")):
        with pytest.raises(NotSigned):
            outbox.send_again(session, letter_id, NOW, signed=unsigned, actor=lin)
    assert listing.get_letter(session, letter_id).state is LetterState.UNKNOWN
    assert outbox.send_again(session, letter_id, NOW, signed=BOTH, actor=lin)

    assert [one.sending for one in statements.statements_of(session, letter_id)] == [1, 1, 2, 2]
    assert outbox.claim(session, NOW) is not None


def test_the_outbox_holds_a_notice_back_whose_statements_are_missing(session: Session, lin: Actor) -> None:
    """As after a change at the database, past all forms."""
    letter_id = a_letter(session, confirmed(session, lin, 1), lin, mail_channel_id=mail_channel(session))
    session.execute(text("UPDATE letter SET form = 'dmca' WHERE id = :id"), {"id": letter_id})

    assert outbox.claim(session, NOW) is None

    letter = listing.get_letter(session, letter_id)
    assert (letter.state, letter.problem) == (LetterState.FAILED, outbox.NOT_SIGNED)


def test_a_letter_that_needs_consent_is_stored_only_with_the_consent_to_its_text(session: Session, lin: Actor) -> None:
    (case_id,) = confirmed(session, lin, 1)
    draft_id = drafts.add_draft(session, case_id, NoticeForm.LETTER, "zh", {"text": "正文"}, actor=lin)
    needed = Consented(CREDIT, "正文")

    with pytest.raises(NotConsented):
        a_letter(session, [case_id], lin, body="正文", consented=needed)
    consents.ask(session, draft_id, "正文", CREDIT, actor=lin, at=NOW)
    consents.ask(session, draft_id, "正文", CREDIT, actor=lin, at=NOW)
    with pytest.raises(NotConsented):
        a_letter(session, [case_id], lin, body="正文", consented=needed)
    (asked,) = consents.consents_of(session, draft_id)
    assert consents.give(session, asked.id, ConsentWay.SECOND_PERSON, actor=Actor(99, "乙"), at=NOW)
    assert not consents.give(session, asked.id, ConsentWay.SECOND_PERSON, actor=Actor(98, "丙"), at=NOW)

    for body, wanted in (
        ("正文改了", Consented(CREDIT, "正文改了")),
        ("别的", needed),
        ("正文", Consented(CREDIT | {GateReason.LICENCE}, "正文")),
    ):
        with pytest.raises(NotConsented):
            a_letter(session, [case_id], lin, body=body, consented=wanted)
    assert a_letter(session, [case_id], lin, body="正文", consented=needed)
    with pytest.raises(DBAPIError), session.begin_nested():
        session.execute(text("UPDATE letter_consent SET given_by = 'x'"))


def test_a_draft_is_kept_with_who_changed_it_until_it_is_sent(session: Session, lin: Actor) -> None:
    (case_id,) = confirmed(session, lin, 1)
    draft_id = drafts.add_draft(session, case_id, NoticeForm.DMCA, "en", {"service": "a\0b\ud800"}, actor=lin)

    assert drafts.get_draft(session, draft_id).inputs == {"service": "a\ufffdb\ufffd"}
    assert drafts.change_draft(session, draft_id, {"service": "b"}, actor=Actor(5, "乙"))
    assert drafts.get_draft(session, draft_id).changed_by == "乙"
    assert [one.id for one in drafts.open_drafts(session)] == [draft_id]
    letter_id = a_letter(session, [case_id], lin)
    drafts.mark_sent(session, draft_id, letter_id)
    assert not drafts.change_draft(session, draft_id, {}, actor=lin)
    assert drafts.open_drafts(session) == []
    with pytest.raises(NotKnown):
        drafts.get_draft(session, draft_id + 1)


def test_the_servers_that_answered_the_newest_captures_are_known(session: Session) -> None:
    pages = [f"https://copier.example/{number}" for number in range(4)]
    for url, peer in (
        (pages[0], "192.0.2.1"),
        (pages[0], "192.0.2.7"),
        (pages[1], "192.0.2.7"),
        (pages[2], "2001:db8::1"),
    ):
        chain_store.append(session, NewEvidence(EvidenceKind.CAPTURED, NOW, url, status=200, peer=peer))
    chain_store.append(session, NewEvidence(EvidenceKind.CAPTURED, NOW, pages[3], status=200))

    assert servers_of(session, pages) == ["192.0.2.7", "2001:db8::1"]
    assert servers_of(session, [pages[3], "https://other.example/\x00"]) == servers_of(session, []) == []
