"""Labels of letters: their kinds, states, lists, answers, and acts in the audit log."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.records.letters import LetterKind, LetterState, LetterTab, ReplyKind

LETTER_ACTS: Final[Mapping[str, object]] = {
    "letter.send": _l("letter put into the outbox"),
    "letter.mark": _l("letter marked as sent"),
    "letter.take-back": _l("letter taken back"),
    "letter.send-again": _l("letter put into the outbox again"),
    "letter.arrival": _l("letter noted as arrived"),
    "letter.reply": _l("answer to a letter noted"),
    "letter.withdraw": _l("letter withdrawn"),
    "letter.download": _l("sent letter taken"),
    "letterhead.edit": _l("letterhead changed"),
    "letterhead.seal": _l("seal changed"),
}

LETTER_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "letter_kind": {
        LetterKind.NOTICE: _l("Notice of infringement"),
        LetterKind.REMINDER: _l("Reminder"),
        LetterKind.SECOND: _l("Second letter"),
    },
    "letter_state": {
        LetterState.WAITING: _l("In the outbox"),
        LetterState.SENDING: _l("Being sent"),
        LetterState.SENT: _l("Sent"),
        LetterState.UNKNOWN: _l("Unknown whether it arrived"),
        LetterState.FAILED: _l("Not sent"),
        LetterState.TAKEN_BACK: _l("Taken back"),
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
        ReplyKind.OTHER: _l("Another answer"),
    },
}
