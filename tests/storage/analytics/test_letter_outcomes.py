"""What became of letters, counted by addressee and kind."""

from datetime import timedelta

from sqlalchemy.orm import Session

from storage.analytics.letter_outcomes import LetterOutcome, letter_outcomes
from storage.cases import actions
from storage.letters import follow_up
from storage.records.correspondence.letter_answers import AnswerDates
from storage.records.correspondence.letters import ReplyKind
from storage.types import CaseState
from tests.support.case_actions import a_reviewer
from tests.support.correspondence.letters import NOW, a_letter, confirmed


def test_letters_are_counted_by_the_addressee_s_domain(session: Session) -> None:
    lin = a_reviewer(session)
    first, second, third = confirmed(session, lin, 3)
    written = [
        a_letter(session, [case], lin, recipient=recipient)
        for case, recipient in (
            (first, "Legal@Copier.example"),
            (second, " abuse@copier.example "),
            (third, "https://platform.example/complaints?x"),
        )
    ]
    dates = AnswerDates(received=(NOW + timedelta(days=4)).date())
    follow_up.record_reply(session, written[0], ReplyKind.COMPLIED, "已删除", NOW, actor=lin, dates=dates)
    actions.move_case(session, first, CaseState.REMOVED, expected=CaseState.NOTIFIED, actor=lin)

    found = {one.addressee: one for one in letter_outcomes(session)}

    assert found["platform.example"] == LetterOutcome("platform.example", "letter", 1, 0, 0, 0, 0, 0, None, None)
    ours = found["copier.example"]
    assert (ours.sent, ours.answered, ours.complied, ours.removed) == (2, 1, 1, 1)
    assert ours.answer_days is not None
    assert 3 <= ours.answer_days <= 4
    assert ours.removal_days is not None
    assert letter_outcomes(session, since=NOW + timedelta(days=1)) == []
