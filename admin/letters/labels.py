"""Labels of letters: their kinds, states, lists, answers, and acts in the audit log."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.records.correspondence.letters import LetterKind, LetterState, LetterTab, ReplyKind
from storage.records.correspondence.notices import ConsentWay, GateReason, NoticeForm

LETTER_ACTS: Final[Mapping[str, object]] = {
    "letter.send": _l("letter put into the outbox"),
    "letter.mark": _l("letter marked as sent"),
    "letter.take-back": _l("letter recalled"),
    "letter.send-again": _l("letter put into the outbox again"),
    "letter.arrival": _l("letter marked as delivered"),
    "letter.reply": _l("answer to a letter recorded"),
    "letter.withdraw": _l("letter withdrawn"),
    "letter.download": _l("sent letter downloaded"),
    "letter.ask": _l("consent to a letter requested"),
    "letter.consent": _l("consent to a letter given"),
    "notice.begin": _l("notice started"),
    "notice.draft": _l("draft notice exported"),
    "letterhead.edit": _l("letterhead changed"),
    "letterhead.seal": _l("seal changed"),
}

LETTER_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "letter_kind": {
        LetterKind.NOTICE: _l("Notice of infringement"),
        LetterKind.REMINDER: _l("Reminder"),
        LetterKind.SECOND: _l("Second letter"),
    },
    "notice_form": {
        NoticeForm.LETTER: _l("Letter to the copier"),
        NoticeForm.REGULATION: _l("Notice under Article 14 of the Chinese regulation"),
        NoticeForm.WECHAT: _l("Complaint to WeChat"),
        NoticeForm.TOUTIAO: _l("Complaint to Toutiao"),
        NoticeForm.BAIDU: _l("Complaint to Baidu"),
        NoticeForm.DMCA: _l("DMCA notification"),
        NoticeForm.DSA: _l("DSA notice"),
        NoticeForm.SEARCH: _l("Removal list for a search engine"),
    },
    "gate_reason": {
        GateReason.LICENCE: _l("a licence is recorded for the page"),
        GateReason.CREDIT: _l("the page credits its source"),
        GateReason.DIRECTION: _l("confidence that ours was first is below 0.8"),
        GateReason.MEANING: _l("only the meaning is similar"),
    },
    "consent_way": {
        ConsentWay.SECOND_PERSON: _l("second person"),
        ConsentWay.LATER: _l("the same person, later: nobody else may send"),
    },
    "letter_state": {
        LetterState.WAITING: _l("In the outbox"),
        LetterState.SENDING: _l("Being sent"),
        LetterState.SENT: _l("Sent"),
        LetterState.UNKNOWN: _l("Delivery unknown"),
        LetterState.FAILED: _l("Not sent"),
        LetterState.TAKEN_BACK: _l("Recalled"),
        LetterState.WITHDRAWN: _l("Letter withdrawn"),
    },
    "letter_tab": {
        LetterTab.OUTBOX: _l("Outbox"),
        LetterTab.AWAITING: _l("Awaiting answer"),
        LetterTab.DUE: _l("Due soon"),
        LetterTab.NO_ANSWER: _l("No answer"),
        LetterTab.ANSWERED: _l("Answered"),
        LetterTab.ALL: _l("All letters"),
    },
    "reply_kind": {
        ReplyKind.COMPLIED: _l("Copies removed, or to be removed"),
        ReplyKind.REFUSED: _l("Refused"),
        ReplyKind.COUNTER_NOTICE: _l("Counter-notice"),
        ReplyKind.OTHER: _l("Other answer"),
    },
}
