"""Labels of what a person can do with a case, in each list of cases."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.types import CaseQueue, CaseState, Dismissal

COPIER_MOVES: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("Reset to new"),
    CaseState.REVIEWING: _l("Review"),
    CaseState.CONFIRMED: _l("We republished it"),
    CaseState.LICENSED: _l("We have permission"),
    CaseState.DISMISSED: _l("Dismiss"),
    CaseState.REMOVED: _l("We removed ours"),
    CaseState.REAPPEARED: _l("Back online"),
}
"""Labels of moves in the list of cases where we may be the copier."""

COPIER_MOVE_MEANINGS: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("as if not reviewed yet"),
    CaseState.REVIEWING: _l("you are looking into it"),
    CaseState.CONFIRMED: _l("theirs is the original, and ours comes from it"),
    CaseState.LICENSED: _l("ours comes from there, with their permission"),
    CaseState.DISMISSED: _l("nothing further to do"),
    CaseState.REMOVED: _l("our page is removed"),
    CaseState.REAPPEARED: _l("our page is back online"),
}

MOVES: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("Reset to new"),
    CaseState.REVIEWING: _l("Review"),
    CaseState.CONFIRMED: _l("Confirm"),
    CaseState.LICENSED: _l("Licensed use"),
    CaseState.DISMISSED: _l("Dismiss"),
    CaseState.NOTIFIED: _l("Mark as notified"),
    CaseState.REMOVED: _l("Mark as taken down"),
    CaseState.REAPPEARED: _l("Back online"),
}

MOVE_MEANINGS: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("as if not reviewed yet"),
    CaseState.REVIEWING: _l("you are looking into it"),
    CaseState.CONFIRMED: _l("a copy without permission"),
    CaseState.LICENSED: _l("a copy with permission"),
    CaseState.DISMISSED: _l("nothing further to do"),
    CaseState.NOTIFIED: _l("the copier has been written to"),
    CaseState.REMOVED: _l("the copy is removed"),
    CaseState.REAPPEARED: _l("the copy is back online"),
}

DISMISSALS: Final[Mapping[str, object]] = {
    Dismissal.NOT_A_COPY: _l("Not a copy"),
    Dismissal.COMMON_WORDING: _l("Common wording"),
    Dismissal.QUOTATION: _l("Fair quotation"),
    Dismissal.NOT_OURS: _l("Not our text"),
    Dismissal.NOT_WORTH_IT: _l("Copied, won’t pursue"),
}

QUEUE_MOVES: Final[Mapping[str, object]] = {
    "copied->we-may-be-copier": _l("They were first"),
    "copied->agency": _l("Agency story?"),
    "we-may-be-copier->copied": _l("We were first"),
    "agency->copied": _l("Only ours"),
    "shared-passage->copied": _l("A copy of ours"),
}
"""Moves to another list: the verbs by which a person says who was first, or whose text it is."""

QUEUE_MOVE_MEANINGS: Final[Mapping[str, object]] = {
    "copied->we-may-be-copier": _l("ours may be the copy: move to “We may be the copier”"),
    "copied->agency": _l("both may have it from a news agency: move to “Agency stories”"),
    "we-may-be-copier->copied": _l("they have it from us: move back to copies of ours"),
    "agency->copied": _l("not an agency story: move back to copies of ours"),
    "shared-passage->copied": _l("they have it from us: move to the cases to review"),
}

AGENCY_MOVES: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("Reset to new"),
    CaseState.REVIEWING: _l("Review"),
    CaseState.DISMISSED: _l("Dismiss"),
}
"""Labels of moves in the lists of agencies' stories and of shared passages."""

AGENCY_MOVE_MEANINGS: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("as if not reviewed yet"),
    CaseState.REVIEWING: _l("you are looking into it"),
    CaseState.DISMISSED: _l("nothing further to do"),
}

AGENCY_DISMISSALS: Final[Mapping[str, object]] = {
    **DISMISSALS,
    Dismissal.NOT_OURS: _l("Agency story, both may use it"),
}

COPIER_DISMISSALS: Final[Mapping[str, object]] = {
    **DISMISSALS,
    Dismissal.NOT_OURS: _l("Both from the same source"),
}

MOVES_OF_QUEUE: Final[Mapping[str, tuple[str, str]]] = {
    CaseQueue.COPIED: ("case_move", "dismissal"),
    CaseQueue.WE_MAY_BE_COPIER: ("copier_move", "copier_dismissal"),
    CaseQueue.AGENCY: ("agency_move", "agency_dismissal"),
    CaseQueue.SHARED_PASSAGE: ("agency_move", "copier_dismissal"),
}
"""The names of the tables with the verbs of each list: of its moves, and of the reasons of its dismissals."""

MOVE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "case_move": MOVES,
    "case_move_meaning": MOVE_MEANINGS,
    "copier_move": COPIER_MOVES,
    "copier_move_meaning": COPIER_MOVE_MEANINGS,
    "dismissal": DISMISSALS,
    "copier_dismissal": COPIER_DISMISSALS,
    "agency_move": AGENCY_MOVES,
    "agency_move_meaning": AGENCY_MOVE_MEANINGS,
    "agency_dismissal": AGENCY_DISMISSALS,
    "queue_move": QUEUE_MOVES,
    "queue_move_meaning": QUEUE_MOVE_MEANINGS,
}
