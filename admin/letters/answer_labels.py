"""Labels of answers: the law of a notice, and the terms that run."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.letters.terms import CountedFrom, TermKind
from storage.records.correspondence.letter_answers import NoticeLaw

ANSWER_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "notice_law": {
        NoticeLaw.CHINA: _l("China: regulation on network dissemination"),
        NoticeLaw.DMCA: _l("United States: DMCA"),
        NoticeLaw.DSA: _l("European Union: DSA"),
        NoticeLaw.OTHER: _l("Other, or none"),
    },
    "legal_term": {
        TermKind.ANSWER: _l("Answer due"),
        TermKind.RESTORED_AT_ONCE: _l("The page may be restored at once"),
        TermKind.RESTORED: _l("The page may be restored"),
        TermKind.COMPLAINT: _l("Complaint to the platform until"),
    },
    "legal_term_meaning": {
        TermKind.ANSWER: _l("The date set when the letter was sent; if it is a rest day, the next working day."),
        TermKind.RESTORED_AT_ONCE: _l(
            "Articles 16 and 17 of the regulation: the service restores the page at once and forwards the"
            " counter-notice. The same page may not be notified again; a court or the copyright authority can decide."
        ),
        TermKind.RESTORED: _l(
            "17 U.S.C. 512(g)(2)(C): not before the 10th and not after the 14th business day, unless the service first"
            " receives notice that you have filed an action."
        ),
        TermKind.COMPLAINT: _l("Article 20 of the DSA: at least six months after the decision."),
    },
    "counted_from": {
        CountedFrom.LETTER: "",
        CountedFrom.PROVIDER: _l("Counted from the day the service received it."),
        CountedFrom.DATED: _l(
            "Counted from the date of the answer, since it is not recorded when the service received it."
        ),
        CountedFrom.RECEIVED: _l("Counted from the day it reached you; the actual dates may be earlier."),
    },
}
