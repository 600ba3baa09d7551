"""A letter notes itself at all of its cases, and is taken back as one act or not at all."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from storage.cases import actions
from storage.engine import make_engine, transaction
from storage.errors import MoveNotAllowed, NotKnown, TooLate
from storage.letters import follow_up, listing, outbox, writing
from storage.records.cases import Actor
from storage.records.correspondence.letters import LetterKind, LetterState, LetterTab, NamedCase, ReplyKind
from storage.types import CaseEventKind, CaseState, NoticeChannel
from tests.support.case_actions import a_reviewer, move
from tests.support.correspondence.letters import DEADLINE, NOW, a_letter, confirmed, days, mail_channel


@pytest.fixture
def lin(session: Session) -> Actor:
    return a_reviewer(session)


def states(session: Session, case_ids: list[int]) -> set[CaseState]:
    return {actions.get_case(session, number).state for number in case_ids}


def test_a_letter_notifies_all_of_its_cases_with_whom_which_way_when_and_until(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 3)

    letter_id = a_letter(session, cases, lin)

    assert states(session, cases) == {CaseState.NOTIFIED}
    for number in cases:
        (notice,) = actions.notices(session, number)
        assert (notice.recipient, notice.channel) == ("legal@copier.example", NoticeChannel.LETTER)
        assert (notice.sent_at, notice.letter_id) == (NOW, letter_id)
        assert actions.get_case(session, number).deadline == DEADLINE
    letter = listing.get_letter(session, letter_id)
    assert (letter.state, letter.sent_at, letter.cases, letter.open_cases) == (LetterState.SENT, NOW, 3, 3)
    kept = listing.document(session, letter_id)
    assert kept.sha256 == letter.sha256 == hashlib.sha256(kept.body.encode()).digest()
    assert kept.pdf_sha256 == hashlib.sha256(kept.pdf or b"").digest()


def test_one_undo_takes_back_what_the_letter_did_to_all_cases(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 3)
    letter_id = a_letter(session, cases, lin)

    restored, left = writing.take_back(session, letter_id, actor=lin, at=NOW)

    assert (restored, left) == (cases, [])
    assert states(session, cases) == {CaseState.CONFIRMED}
    assert [actions.notices(session, number) for number in cases] == [[], [], []]
    assert {actions.get_case(session, number).deadline for number in cases} == {None}
    assert listing.get_letter(session, letter_id).state is LetterState.TAKEN_BACK
    kinds = [event.kind for event in actions.history(session, cases[0])]
    assert kinds[-2:] == [CaseEventKind.NOTIFIED, CaseEventKind.UNDONE]
    with pytest.raises(TooLate):
        writing.take_back(session, letter_id, actor=lin, at=NOW)


def test_a_reminder_that_is_taken_back_leaves_the_first_notice_and_its_deadline(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 2)
    first = a_letter(session, cases, lin)
    channel_id, later = mail_channel(session), DEADLINE + days(10)
    fields = {"kind": LetterKind.REMINDER, "follows_id": first, "deadline": later}
    reminder = a_letter(session, cases, lin, mail_channel_id=channel_id, **fields)
    assert {actions.get_case(session, number).deadline for number in cases} == {later}
    with pytest.raises(TooLate):
        writing.take_back(session, first, actor=lin, at=NOW)

    assert writing.take_back(session, reminder, actor=lin, at=NOW) == (cases, [])

    assert states(session, cases) == {CaseState.NOTIFIED}
    assert [[one.letter_id for one in actions.notices(session, number)] for number in cases] == [[first], [first]]
    assert {actions.get_case(session, number).deadline for number in cases} == {DEADLINE}
    assert writing.take_back(session, first, actor=lin, at=NOW) == (cases, [])
    assert states(session, cases) == {CaseState.CONFIRMED}


def test_a_case_that_went_on_meanwhile_stays_where_it_is(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 2)
    letter_id = a_letter(session, cases, lin)
    move(session, cases[0], CaseState.REMOVED, lin)

    assert writing.take_back(session, letter_id, actor=lin, at=NOW) == ([cases[1]], [cases[0]])
    assert actions.get_case(session, cases[0]).state is CaseState.REMOVED


def test_a_case_that_somebody_else_moved_stops_the_whole_letter(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 2)
    seen = [NamedCase(number, CaseState.CONFIRMED, ()) for number in cases]
    move(session, cases[1], CaseState.DISMISSED, lin)

    with pytest.raises(MoveNotAllowed), session.begin_nested():
        a_letter(session, cases, lin)
    assert len(seen) == 2
    assert actions.get_case(session, cases[0]).state is CaseState.CONFIRMED
    assert listing.count_letters(session, NOW)[LetterTab.ALL] == 0


def test_the_same_letter_handed_in_twice_is_one(session: Session, lin: Actor) -> None:
    cases, key = confirmed(session, lin, 2), uuid4().hex

    assert a_letter(session, cases, lin, key=key) == a_letter(session, cases, lin, key=key, recipient="else@x.example")
    assert [len(actions.notices(session, number)) for number in cases] == [1, 1]


def test_two_browsers_that_hand_in_one_letter_at_once_make_one(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        lin = a_reviewer(session)
        cases = confirmed(session, lin, 4)
    key = uuid4().hex

    def hand_in(_: int) -> int:
        try:
            with transaction(engine) as session:
                return a_letter(session, cases, lin, key=key)
        except MoveNotAllowed:
            return 0

    with ThreadPoolExecutor(4) as browsers:
        made = set(browsers.map(hand_in, range(4))) - {0}
    with transaction(engine) as session:
        assert len(made) == listing.count_letters(session, NOW)[LetterTab.ALL] == 1
        assert [len(actions.notices(session, number)) for number in cases] == [1, 1, 1, 1]
    engine.dispose()


@pytest.mark.parametrize(
    "attack", ["UPDATE letter_document SET body = 'other'", "DELETE FROM letter_document", "DELETE FROM letter"]
)
def test_the_text_of_a_letter_is_never_changed(session: Session, lin: Actor, attack: str) -> None:
    letter_id = a_letter(session, confirmed(session, lin, 1), lin)

    with pytest.raises(DBAPIError), session.begin_nested():
        session.execute(text(attack))
    assert listing.document(session, letter_id).body == "侵权通知书\n\n正文"


def test_hostile_text_is_stored_as_far_as_postgres_can(session: Session, lin: Actor) -> None:
    wild = "a\0b\ud800\u202e'; DROP TABLE letter; --"

    letter_id = a_letter(session, confirmed(session, lin, 1), lin, body=wild, subject=wild * 50, recipient=wild * 50)

    assert listing.document(session, letter_id).body == wild.replace("\0", "\ufffd").replace("\ud800", "\ufffd")
    letter = listing.get_letter(session, letter_id)
    assert (len(letter.subject), len(letter.recipient)) == (200, 400)


def test_a_mail_leaves_when_its_time_has_come_and_cannot_be_taken_back_then(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 2)
    letter_id = a_letter(session, cases, lin, mail_channel_id=mail_channel(session))
    assert outbox.claim(session, NOW - days(1)) is None
    assert not outbox.is_due(session, NOW - days(1))

    claimed = outbox.claim(session, NOW)

    assert claimed is not None
    assert (claimed.id, claimed.attempts) == (letter_id, 1)
    assert outbox.claim(session, NOW) is None
    with pytest.raises(TooLate):
        writing.take_back(session, letter_id, actor=lin, at=NOW)
    outbox.mark_sent(session, claimed, NOW + days(1))
    letter = listing.get_letter(session, letter_id)
    assert (letter.state, letter.sent_at) == (LetterState.SENT, NOW + days(1))
    assert actions.notices(session, cases[0])[0].sent_at == NOW + days(1)
    with pytest.raises(TooLate):
        writing.take_back(session, letter_id, actor=lin, at=NOW)


def test_a_mail_about_a_case_that_was_settled_while_it_waited_does_not_leave(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 2)
    letter_id = a_letter(session, cases, lin, mail_channel_id=mail_channel(session))
    move(session, cases[1], CaseState.DISMISSED, lin)

    assert outbox.claim(session, NOW) is None

    letter = listing.get_letter(session, letter_id)
    assert (letter.state, letter.problem) == (LetterState.FAILED, outbox.CASES_CHANGED)
    assert writing.take_back(session, letter_id, actor=lin, at=NOW) == ([cases[0]], [cases[1]])


def test_a_letter_whose_sender_died_is_unknown_and_nobody_sends_it_again_by_itself(
    session: Session, lin: Actor
) -> None:
    letter_id = a_letter(session, confirmed(session, lin, 1), lin, mail_channel_id=mail_channel(session))
    claimed = outbox.claim(session, NOW)
    assert claimed is not None
    after = NOW + outbox.CLAIM

    assert outbox.is_due(session, after)
    assert outbox.give_up_claims(session, after) == [letter_id]
    assert outbox.claim(session, after) is None
    assert not outbox.is_due(session, after)
    assert listing.get_letter(session, letter_id).state is LetterState.UNKNOWN
    with pytest.raises(TooLate):
        writing.take_back(session, letter_id, actor=lin, at=NOW)

    assert outbox.send_again(session, letter_id, after)
    second = outbox.claim(session, after)
    assert second is not None
    assert (second.key, second.attempts) == (claimed.key, 2)
    outbox.mark_sent(session, claimed, after)  # the first sender comes back late
    assert listing.get_letter(session, letter_id).state is LetterState.SENDING
    outbox.mark_sent(session, second, after)
    assert listing.get_letter(session, letter_id).state is LetterState.SENT


def test_refused_letters_are_tried_again_for_some_hours_unless_refused_for_good(session: Session, lin: Actor) -> None:
    cases, channel_id, now = confirmed(session, lin, 2), mail_channel(session), NOW
    letter_id = a_letter(session, cases[:1], lin, mail_channel_id=channel_id)
    for wait in outbox.WAITS:
        claimed = outbox.claim(session, now)
        assert claimed is not None
        assert outbox.mark_failed(session, claimed, now, "away", for_good=False) is LetterState.WAITING
        assert outbox.claim(session, now + wait / 2) is None
        now += wait
    claimed = outbox.claim(session, now)
    assert claimed is not None
    assert outbox.mark_failed(session, claimed, now, "away", for_good=False) is LetterState.FAILED
    other = a_letter(session, cases[1:], lin, mail_channel_id=channel_id)
    claimed = outbox.claim(session, now)
    assert claimed is not None
    assert outbox.mark_failed(session, claimed, now, "nobody here", for_good=True) is LetterState.FAILED
    assert {one.id for one in listing.list_letters(session, LetterTab.OUTBOX, now, limit=9)} == {letter_id, other}


def test_letters_are_listed_by_what_is_next(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 6)
    awaiting = a_letter(session, cases[:1], lin, deadline=NOW + days(9))
    due = a_letter(session, cases[1:2], lin, deadline=NOW + days(1))
    silent = a_letter(session, cases[2:3], lin, deadline=NOW - days(1))
    answered = a_letter(session, cases[3:4], lin, deadline=NOW - days(1))
    settled = a_letter(session, cases[4:5], lin, deadline=NOW - days(1))
    waiting = a_letter(session, cases[5:], lin, mail_channel_id=mail_channel(session))
    follow_up.record_reply(session, answered, ReplyKind.REFUSED, "不删", NOW, actor=lin)
    move(session, cases[4], CaseState.REMOVED, lin)

    def shown(tab: LetterTab) -> list[int]:
        return [one.id for one in listing.list_letters(session, tab, NOW, limit=9)]

    found = {tab: shown(tab) for tab in LetterTab}
    assert found == {
        LetterTab.OUTBOX: [waiting],
        LetterTab.AWAITING: [awaiting],
        LetterTab.DUE: [due],
        LetterTab.NO_ANSWER: [silent],
        LetterTab.ANSWERED: [answered],
        LetterTab.ALL: [waiting, settled, answered, silent, due, awaiting],
    }
    assert listing.count_letters(session, NOW) == {tab: len(ids) for tab, ids in found.items()}
    a_letter(session, cases[2:3], lin, kind=LetterKind.REMINDER, follows_id=silent, deadline=NOW + days(9))
    assert shown(LetterTab.NO_ANSWER) == []


def test_an_answer_stands_at_the_letter_and_at_each_of_its_cases(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 2)
    letter_id = a_letter(session, cases, lin)

    assert follow_up.record_reply(session, letter_id, ReplyKind.COUNTER_NOTICE, "我方有授权", NOW, actor=lin) == cases

    letter = listing.get_letter(session, letter_id)
    assert (letter.reply_kind, letter.reply, letter.replied_at) == (ReplyKind.COUNTER_NOTICE, "我方有授权", NOW)
    assert [actions.notices(session, number)[0].reply for number in cases] == ["我方有授权"] * 2


def test_a_letter_that_left_can_only_be_withdrawn_and_stays_in_the_history(session: Session, lin: Actor) -> None:
    cases = confirmed(session, lin, 3)
    letter_id = a_letter(session, cases, lin)
    move(session, cases[2], CaseState.REMOVED, lin)

    assert follow_up.withdraw(session, letter_id, "发错了", NOW, actor=lin) == cases[:2]

    assert states(session, cases[:2]) == {CaseState.CONFIRMED}
    assert actions.get_case(session, cases[2]).state is CaseState.REMOVED
    letter = listing.get_letter(session, letter_id)
    assert (letter.state, letter.closed_note, letter.closed_by) == (LetterState.WITHDRAWN, "发错了", "lin")
    assert len(actions.notices(session, cases[0])) == 1
    with pytest.raises(NotKnown):
        follow_up.withdraw(session, letter_id, "", NOW, actor=lin)
    with pytest.raises(NotKnown):
        follow_up.record_reply(session, letter_id, ReplyKind.OTHER, "x", NOW, actor=lin)
