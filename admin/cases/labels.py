"""Labels of the states, moves, events and details of cases."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.cases.columns import FILTERS
from admin.cases.head_start import First
from admin.cases.tabs import Tab
from admin.cases.timeline import StepKind
from storage.cases.lists.filters import CaseOrder
from storage.records.evidence import CaptureState
from storage.types import (
    CaseEventKind,
    CaseQueue,
    CaseState,
    CopyState,
    Dismissal,
    LicenceTerm,
    NoticeChannel,
    Severity,
    Standing,
    Verdict,
)

STATES: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("New"),
    CaseState.REVIEWING: _l("Under review"),
    CaseState.CONFIRMED: _l("Confirmed"),
    CaseState.LICENSED: _l("Licensed"),
    CaseState.DISMISSED: _l("Dismissed"),
    CaseState.NOTIFIED: _l("Notified"),
    CaseState.REMOVED: _l("Taken down"),
    CaseState.REAPPEARED: _l("Reappeared"),
    CaseState.WITHDRAWN: _l("Withdrawn"),
}

COPIER_MOVES: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("Put back to new"),
    CaseState.REVIEWING: _l("Review"),
    CaseState.CONFIRMED: _l("We republished it"),
    CaseState.LICENSED: _l("We may have it"),
    CaseState.DISMISSED: _l("Dismiss"),
    CaseState.REMOVED: _l("We took ours down"),
    CaseState.REAPPEARED: _l("It is back"),
}
"""Labels of moves in the list of cases where we may be the copier."""

COPIER_MOVE_MEANINGS: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("as if nobody had looked at it"),
    CaseState.REVIEWING: _l("you are looking into it"),
    CaseState.CONFIRMED: _l("their text is the original, and ours has it from there"),
    CaseState.LICENSED: _l("ours has it from there, with their permission"),
    CaseState.DISMISSED: _l("it needs nothing further"),
    CaseState.REMOVED: _l("our page is gone"),
    CaseState.REAPPEARED: _l("our page can be read again"),
}

MOVES: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("Put back to new"),
    CaseState.REVIEWING: _l("Review"),
    CaseState.CONFIRMED: _l("Confirm"),
    CaseState.LICENSED: _l("Allowed"),
    CaseState.DISMISSED: _l("Dismiss"),
    CaseState.NOTIFIED: _l("Mark as notified"),
    CaseState.REMOVED: _l("Mark as taken down"),
    CaseState.REAPPEARED: _l("It is back"),
}

MOVE_MEANINGS: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("as if nobody had looked at it"),
    CaseState.REVIEWING: _l("you are looking into it"),
    CaseState.CONFIRMED: _l("it is a copy without leave"),
    CaseState.LICENSED: _l("it is a copy, and this one is allowed"),
    CaseState.DISMISSED: _l("it needs nothing further"),
    CaseState.NOTIFIED: _l("the copier was written to"),
    CaseState.REMOVED: _l("the copy is gone"),
    CaseState.REAPPEARED: _l("the copy can be read again"),
}

DISMISSALS: Final[Mapping[str, object]] = {
    Dismissal.NOT_A_COPY: _l("Not a copy"),
    Dismissal.COMMON_WORDING: _l("Common wording"),
    Dismissal.QUOTATION: _l("Fair quotation"),
    Dismissal.NOT_OURS: _l("Not our text"),
    Dismissal.NOT_WORTH_IT: _l("A copy, not worth it"),
}

QUEUE_MOVES: Final[Mapping[str, object]] = {
    "copied->we-may-be-copier": _l("They were first"),
    "copied->agency": _l("Agency story?"),
    "we-may-be-copier->copied": _l("We were first"),
    "agency->copied": _l("Ours alone"),
}
"""Moves to another list: the verbs by which a person says who was first, or whose text it is."""

QUEUE_MOVE_MEANINGS: Final[Mapping[str, object]] = {
    "copied->we-may-be-copier": _l("ours may be the copy: to the list where we may be the copier"),
    "copied->agency": _l("both may have it from a news agency: to the list of agency stories"),
    "we-may-be-copier->copied": _l("they have it from us: back to the list of copies of ours"),
    "agency->copied": _l("no agency has it: back to the list of copies of ours"),
}

AGENCY_MOVES: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("Put back to new"),
    CaseState.REVIEWING: _l("Review"),
    CaseState.DISMISSED: _l("Dismiss"),
}
"""Labels of moves in the list of agencies' stories."""

AGENCY_MOVE_MEANINGS: Final[Mapping[str, object]] = {
    CaseState.NEW: _l("as if nobody had looked at it"),
    CaseState.REVIEWING: _l("you are looking into it"),
    CaseState.DISMISSED: _l("it needs nothing further"),
}

AGENCY_DISMISSALS: Final[Mapping[str, object]] = {
    **DISMISSALS,
    Dismissal.NOT_OURS: _l("Agency story, both may use it"),
}

COPIER_DISMISSALS: Final[Mapping[str, object]] = {
    **DISMISSALS,
    Dismissal.NOT_OURS: _l("Both from the same source"),
}

SEVERITIES: Final[Mapping[str, object]] = {
    Severity.GRAVE: _l("Grave"),
    Severity.MIDDLING: _l("Middling"),
    Severity.SLIGHT: _l("Slight"),
}

SEVERITY_MEANINGS: Final[Mapping[str, object]] = {
    Severity.GRAVE: _l("half of the article or 1,000 characters, without credit or against a licence"),
    Severity.MIDDLING: _l("neither grave nor slight"),
    Severity.SLIGHT: _l("a paragraph or two, or linked to our page"),
}

STANDINGS: Final[Mapping[str, object]] = {
    Standing.UNLICENSED: _l("no licence"),
    Standing.LICENSED: _l("licensed"),
    Standing.BREACH: _l("breach of licence"),
}

TERMS: Final[Mapping[str, object]] = {
    LicenceTerm.NO_CREDIT: _l("no credit"),
    LicenceTerm.NO_LINK: _l("no link"),
    LicenceTerm.TOO_EARLY: _l("too early"),
    LicenceTerm.NOT_BEGUN: _l("before the licence began"),
    LicenceTerm.EXPIRED: _l("after the licence ended"),
    LicenceTerm.OUTSIDE_COLUMNS: _l("outside the licensed columns"),
}

CHANNELS: Final[Mapping[str, object]] = {
    NoticeChannel.MAIL: _l("E-mail"),
    NoticeChannel.FORM: _l("Complaint form of the platform"),
    NoticeChannel.LETTER: _l("Letter by post"),
    NoticeChannel.LAWYER: _l("Lawyer's letter"),
    NoticeChannel.PHONE: _l("Telephone"),
    NoticeChannel.OTHER: _l("Another way"),
}

EVENTS: Final[Mapping[str, object]] = {
    CaseEventKind.OPENED: _l("opened"),
    CaseEventKind.PAGE_JOINED: _l("another page joined"),
    CaseEventKind.PAGE_LEFT: _l("a page left"),
    CaseEventKind.MOVED: _l("moved"),
    CaseEventKind.QUEUED: _l("moved to another list"),
    CaseEventKind.ASSIGNED: _l("assigned"),
    CaseEventKind.NOTED: _l("notes changed"),
    CaseEventKind.DEADLINE: _l("deadline set"),
    CaseEventKind.UNDONE: _l("decision undone"),
    CaseEventKind.NOTIFIED: _l("notice sent"),
    CaseEventKind.REPLIED: _l("reply noted"),
    CaseEventKind.LICENSED: _l("licence made"),
    CaseEventKind.PAGE_GONE: _l("copy taken down"),
    CaseEventKind.PAGE_BACK: _l("copy there again"),
    CaseEventKind.FIGURES: _l("figures changed"),
    CaseEventKind.PAGE_LOOKED: _l("copy looked at again"),
    CaseEventKind.SNOOZED: _l("put off"),
    CaseEventKind.COMMENTED: _l("comment"),
}

COPY_STATES: Final[Mapping[str, object]] = {
    CopyState.THERE: _l("Copy is there"),
    CopyState.EDITED: _l("Edited: our passages are gone"),
    CopyState.MISSING: _l("Missing, second look due"),
    CopyState.REMOVED: _l("Removed"),
    CopyState.ELSEWHERE: _l("Leads elsewhere"),
    CopyState.UNREADABLE: _l("Not readable"),
}

COPY_STATE_MEANINGS: Final[Mapping[str, object]] = {
    CopyState.THERE: _l("the last look found our passages on the page"),
    CopyState.EDITED: _l("the page is there, and none of our passages is on it any more"),
    CopyState.MISSING: _l(
        "one look found the page saying that it does not exist; six hours later it is looked at again"
    ),
    CopyState.REMOVED: _l("two looks, at least six hours apart, found the page saying that it does not exist"),
    CopyState.ELSEWHERE: _l(
        "the address leads to a front page, a list or another article; whether the copy is removed is for you to say"
    ),
    CopyState.UNREADABLE: _l("no answer, an error, a captcha, a log-in or a paywall: nothing is known of the copy"),
}

TABS: Final[Mapping[str, object]] = {
    Tab.WAITING: _l("To decide"),
    Tab.CONFIRMED: _l("Confirmed"),
    Tab.NOTIFIED: _l("Notified"),
    Tab.CLOSED: _l("Closed"),
    Tab.ALL: _l("All of ours"),
    Tab.COPIER: _l("We may be the copier"),
    Tab.AGENCY: _l("Agency stories"),
    Tab.SNOOZED: _l("Put off"),
}

ORDERS: Final[Mapping[str, object]] = {
    CaseOrder.NEWEST: _l("newest first"),
    CaseOrder.OLDEST: _l("oldest first"),
    CaseOrder.LARGEST: _l("most characters first"),
    CaseOrder.SHARE: _l("largest share first"),
    CaseOrder.SCORE: _l("surest first"),
    CaseOrder.DEADLINE: _l("next deadline first"),
    CaseOrder.GRAVEST: _l("most severe first"),
}

VERDICTS: Final[Mapping[str, object]] = {
    Verdict.RIGHT: _l("found rightly"),
    Verdict.LAWFUL: _l("a copy, but lawful"),
    Verdict.WRONG: _l("found wrongly"),
}

CASE_FIELDS: Final[Mapping[str, object]] = {
    "tab": _l("List"),
    "text": _l("Title, address or name"),
    "site": _l("Site"),
    "owner": _l("Copier"),
    "state": _l("State"),
    **{column.field: column.label for column in FILTERS},
    "share": _l("Share from"),
    "from": _l("Opened from"),
    "until": _l("Opened until"),
    "since": _l("Opened since"),
    "assignee": _l("Assignee"),
    "overdue": _l("Overdue only"),
    "breach": _l("Breaches only"),
    "refigured": _l("Figures changed after the decision"),
    "woken": _l("Back after being put off"),
    "gone": _l("Taken down since"),
    "verdict": _l("Verdict"),
    "because": _l("Dismissed because"),
    "band": _l("Score"),
    "sort": _l("Order"),
}

NO_LETTER: Final[Mapping[str, object]] = {
    "theirs-first": _l("theirs seems to be older"),
    "perhaps-agency": _l("may be an agency's story"),
    "from-third": _l("both may have it from a third page"),
    "licensed": _l("licensed"),
    "dismissed": _l("dismissed"),
    "withdrawn": _l("no copy is found any more"),
    "taken-down": _l("gone"),
    "by-meaning": _l("only similar in meaning"),
    "agency": _l("an agency wrote it"),
}

NO_LETTER_MEANINGS: Final[Mapping[str, object]] = {
    "theirs-first": _l("What is known says that their page was there before ours: a take-down letter would be untrue."),
    "perhaps-agency": _l(
        "Another page says that a news agency wrote this: a take-down letter may claim what is not ours."
    ),
    "from-third": _l(
        "Both may have it from a third page, or be translations of one original: a take-down letter may be untrue."
    ),
    "licensed": _l("This copy is licensed: a take-down letter would be untrue."),
    "dismissed": _l("This case was dismissed: a take-down letter would contradict that."),
    "withdrawn": _l("No copy is found there any more: there is nothing to take down."),
    "taken-down": _l("No page of theirs holds a copy any more: there is nothing to take down."),
    "by-meaning": _l(
        "The texts are similar in meaning, and no wording proves that theirs is from ours: a letter would claim what "
        "the store does not prove."
    ),
    "agency": _l("An agency wrote this article, by its credits or by those of other pages: it is not ours to claim."),
}

NO_LETTER_WAYS_OUT: Final[Mapping[str, object]] = {
    "theirs-first": _l(
        "If you know that ours was first, say so at the case: “We were first”. It is noted with your name; then there "
        "is a letter."
    ),
    "perhaps-agency": _l(
        "If you know that the text is yours alone, say so at the case: “Ours alone”; then there is a letter."
    ),
    "from-third": _l("If you know that they have it from you, review the case and confirm it; then there is a letter."),
    "licensed": _l("If the licence does not cover it, take the licence back or review the case again."),
    "dismissed": _l("If that was a mistake, review the case again."),
    "withdrawn": _l("If you see a copy there, review the case again and have the page crawled."),
    "taken-down": _l("If you see a copy there, have the page crawled again."),
    "by-meaning": _l("The report shows what is similar. If that is enough for you, write the letter yourself."),
    "agency": _l("If you hold the rights, say so at the page or at its site: rights “own”, not “agency”."),
}

CASE_ACTS: Final[Mapping[str, object]] = {
    "case.move": _l("case moved"),
    "case.undo": _l("decision on a case undone"),
    "case.redo": _l("undone decision taken again"),
    "case.queue": _l("case moved to another list"),
    "evidence.capture": _l("captures asked for again"),
    "case.assign": _l("case assigned"),
    "case.snooze": _l("case put off or taken up again"),
    "case.comment": _l("comment on a case written"),
    "case.note": _l("notes of a case changed"),
    "case.deadline": _l("deadline of a case changed"),
    "case.notify": _l("notice on a case noted"),
    "case.reply": _l("reply on a case noted"),
    "case.licence": _l("licence made of a case"),
    "case.revoke": _l("licence taken back at a case"),
    "evidence.bundle": _l("evidence bundle taken"),
    "evidence.package": _l("evidence package taken"),
    "evidence.letter": _l("letter taken"),
    "evidence.report": _l("report taken"),
    "evidence.statement": _l("statement taken"),
    "evidence.witnesses": _l("witness files taken"),
    "list.export": _l("list exported"),
    "view.save": _l("list of cases saved"),
    "view.remove": _l("saved list removed"),
}

STEPS: Final[Mapping[str, object]] = {
    StepKind.OURS: _l("Ours published"),
    StepKind.THEIRS: _l("Theirs published"),
    StepKind.FOUND: _l("Found"),
    StepKind.CAPTURED: _l("Captured"),
    StepKind.NOTIFIED: _l("Letter sent"),
    StepKind.REMOVED: _l("Removed"),
}

FIRSTS: Final[Mapping[str, object]] = {
    First.OURS: _l("Ours was first"),
    First.THEIRS: _l("Theirs was first"),
    First.UNKNOWN: _l("Nothing tells which came first"),
}

CAPTURES: Final[Mapping[str, object]] = {
    CaptureState.KEPT: _l("Captured"),
    CaptureState.FAILED: _l("Failed"),
    CaptureState.ELSEWHERE: _l("Another address answered"),
    CaptureState.NOT_YET: _l("Not captured"),
}

MOVES_OF_QUEUE: Final[Mapping[str, tuple[str, str]]] = {
    CaseQueue.COPIED: ("case_move", "dismissal"),
    CaseQueue.WE_MAY_BE_COPIER: ("copier_move", "copier_dismissal"),
    CaseQueue.AGENCY: ("agency_move", "agency_dismissal"),
}
"""The names of the tables with the verbs of each list: of its moves, and of the reasons of its dismissals."""

CASE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "case_state": STATES,
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
    "no_letter": NO_LETTER,
    "no_letter_meaning": NO_LETTER_MEANINGS,
    "no_letter_way_out": NO_LETTER_WAYS_OUT,
    "severity": SEVERITIES,
    "severity_meaning": SEVERITY_MEANINGS,
    "standing": STANDINGS,
    "term": TERMS,
    "channel": CHANNELS,
    "case_event": EVENTS,
    "copy_state": COPY_STATES,
    "copy_state_meaning": COPY_STATE_MEANINGS,
    "case_tab": TABS,
    "case_order": ORDERS,
    "verdict": VERDICTS,
    "case_field": CASE_FIELDS,
    "case_step": STEPS,
    "first": FIRSTS,
    "capture_state": CAPTURES,
}
