"""Labels of the states, events and details of cases."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.cases.columns import FILTERS
from admin.cases.head_start import First
from admin.cases.move_labels import MOVE_TABLES
from admin.cases.tabs import Tab
from admin.cases.timeline import StepKind
from storage.cases.lists.filters import CaseOrder
from storage.records.evidence import CaptureState
from storage.types import (
    CaseEventKind,
    CaseState,
    CopyState,
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

SEVERITIES: Final[Mapping[str, object]] = {
    Severity.GRAVE: _l("High"),
    Severity.MIDDLING: _l("Medium"),
    Severity.SLIGHT: _l("Low"),
}

SEVERITY_MEANINGS: Final[Mapping[str, object]] = {
    Severity.GRAVE: _l("half of the article or 1,000 characters, without credit or in breach of a licence"),
    Severity.MIDDLING: _l("between high and low"),
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
    NoticeChannel.LETTER: _l("Post"),
    NoticeChannel.LAWYER: _l("Lawyer's letter"),
    NoticeChannel.PHONE: _l("Telephone"),
    NoticeChannel.OTHER: _l("Other"),
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
    CaseEventKind.PAGE_BACK: _l("copy back online"),
    CaseEventKind.FIGURES: _l("figures changed"),
    CaseEventKind.PAGE_LOOKED: _l("copy rechecked"),
    CaseEventKind.SNOOZED: _l("snoozed"),
    CaseEventKind.COMMENTED: _l("comment"),
}

COPY_STATES: Final[Mapping[str, object]] = {
    CopyState.THERE: _l("Copy online"),
    CopyState.EDITED: _l("Edited: our passages are gone"),
    CopyState.MISSING: _l("Missing, to be rechecked"),
    CopyState.REMOVED: _l("Removed"),
    CopyState.ELSEWHERE: _l("Redirects elsewhere"),
    CopyState.UNREADABLE: _l("Unreadable"),
}

COPY_STATE_MEANINGS: Final[Mapping[str, object]] = {
    CopyState.THERE: _l("the last recheck found our passages on the page"),
    CopyState.EDITED: _l("the page is online, but none of our passages is on it"),
    CopyState.MISSING: _l("one recheck found that the page does not exist; it is rechecked after six hours"),
    CopyState.REMOVED: _l("two rechecks at least six hours apart found that the page does not exist"),
    CopyState.ELSEWHERE: _l(
        "the address redirects to a front page, a list or another article; you decide whether the copy is removed"
    ),
    CopyState.UNREADABLE: _l("no answer, an error, a captcha, a login or a paywall: nothing is known about the copy"),
}

TABS: Final[Mapping[str, object]] = {
    Tab.WAITING: _l("To review"),
    Tab.CONFIRMED: _l("Confirmed"),
    Tab.NOTIFIED: _l("Notified"),
    Tab.CLOSED: _l("Closed"),
    Tab.ALL: _l("All"),
    Tab.COPIER: _l("We may be the copier"),
    Tab.AGENCY: _l("Agency stories"),
    Tab.PASSAGE: _l("Shared passages"),
    Tab.SNOOZED: _l("Snoozed"),
}

ORDERS: Final[Mapping[str, object]] = {
    CaseOrder.NEWEST: _l("newest first"),
    CaseOrder.OLDEST: _l("oldest first"),
    CaseOrder.LARGEST: _l("most characters first"),
    CaseOrder.SHARE: _l("largest share first"),
    CaseOrder.SCORE: _l("highest confidence first"),
    CaseOrder.DEADLINE: _l("next deadline first"),
    CaseOrder.GRAVEST: _l("most severe first"),
}

VERDICTS: Final[Mapping[str, object]] = {
    Verdict.RIGHT: _l("correct"),
    Verdict.LAWFUL: _l("a copy, but lawful"),
    Verdict.WRONG: _l("wrong"),
}

CASE_FIELDS: Final[Mapping[str, object]] = {
    "tab": _l("List"),
    "text": _l("Title, address or name"),
    "site": _l("Site"),
    "owner": _l("Copier"),
    "state": _l("State"),
    **{column.field: column.label for column in FILTERS},
    "share": _l("Share at least"),
    "from": _l("Opened from"),
    "until": _l("Opened until"),
    "since": _l("Opened since"),
    "assignee": _l("Assignee"),
    "overdue": _l("Overdue only"),
    "breach": _l("Breaches only"),
    "refigured": _l("Figures changed after the decision"),
    "woken": _l("Snooze ended"),
    "gone": _l("Removed after"),
    "verdict": _l("Verdict"),
    "because": _l("Reason for dismissal"),
    "band": _l("Score"),
    "sort": _l("Order"),
}

NO_LETTER: Final[Mapping[str, object]] = {
    "theirs-first": _l("theirs seems to be older"),
    "perhaps-agency": _l("may be an agency story"),
    "shared-passage": _l("only a passage is shared"),
    "from-third": _l("both may have it from a third page"),
    "licensed": _l("licensed"),
    "dismissed": _l("dismissed"),
    "withdrawn": _l("no copy is found any more"),
    "taken-down": _l("removed"),
    "by-meaning": _l("only similar in meaning"),
    "agency": _l("an agency wrote it"),
}

NO_LETTER_MEANINGS: Final[Mapping[str, object]] = {
    "theirs-first": _l("The known facts say that their page was there before ours: a letter would be untrue."),
    "perhaps-agency": _l(
        "Another owner's page, not known to be later than ours, credits a news agency: please check it first."
    ),
    "shared-passage": _l(
        "A search service returned this page, and it shares a passage only: both may have it from elsewhere."
    ),
    "from-third": _l("Both may have it from a third page, or be translations of one original: a letter may be untrue."),
    "licensed": _l("This copy is licensed: a letter would be untrue."),
    "dismissed": _l("This case was dismissed: a letter would contradict that."),
    "withdrawn": _l("No copy is found there any more, so there is nothing to take down."),
    "taken-down": _l("None of their pages contains a copy any more, so there is nothing to take down."),
    "by-meaning": _l(
        "The texts are similar in meaning, but no wording proves that theirs comes from ours: a letter would claim "
        "what is not proved."
    ),
    "agency": _l(
        "An agency wrote this article, by its rights or credits, or by older or several other pages: it is not ours to "
        "claim."
    ),
}

NO_LETTER_WAYS_OUT: Final[Mapping[str, object]] = {
    "theirs-first": _l(
        "If you know that ours was first, choose “We were first” at the case. It is recorded with your name, and then "
        "a letter can be written."
    ),
    "perhaps-agency": _l(
        "If you know that the text is only yours, choose “Only ours” at the case; then a letter can be written."
    ),
    "shared-passage": _l(
        "If you know that they have it from you, choose “A copy of ours” at the case; then a letter can be written."
    ),
    "from-third": _l(
        "If you know that they have it from you, review the case and confirm it; then a letter can be written."
    ),
    "licensed": _l("If the licence does not cover it, revoke the licence or review the case again."),
    "dismissed": _l("If that was a mistake, review the case again."),
    "withdrawn": _l("If you see a copy there, review the case again and have the page crawled."),
    "taken-down": _l("If you see a copy there, have the page crawled again."),
    "by-meaning": _l("The report shows what is similar. If that is enough for you, write the letter yourself."),
    "agency": _l(
        "If the rights stated for the page or its site are wrong, correct them there. An agency’s credit is not "
        "overruled."
    ),
}

CASE_ACTS: Final[Mapping[str, object]] = {
    "case.move": _l("case state changed"),
    "case.undo": _l("decision on a case undone"),
    "case.redo": _l("undone decision redone"),
    "case.queue": _l("case moved to another list"),
    "evidence.capture": _l("captures requested again"),
    "case.assign": _l("case assigned"),
    "case.snooze": _l("case snoozed or resumed"),
    "case.comment": _l("comment on a case"),
    "case.note": _l("notes of a case changed"),
    "case.deadline": _l("deadline of a case changed"),
    "case.notify": _l("notice recorded"),
    "case.reply": _l("reply recorded"),
    "case.licence": _l("licence granted at a case"),
    "case.revoke": _l("licence revoked at a case"),
    "evidence.bundle": _l("evidence bundle downloaded"),
    "evidence.package": _l("evidence package (WACZ) downloaded"),
    "evidence.letter": _l("letter downloaded"),
    "evidence.report": _l("report downloaded"),
    "evidence.statement": _l("statement downloaded"),
    "evidence.witnesses": _l("witness files downloaded"),
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
    First.UNKNOWN: _l("No indication of who was first"),
}

CAPTURES: Final[Mapping[str, object]] = {
    CaptureState.KEPT: _l("Captured"),
    CaptureState.FAILED: _l("Failed"),
    CaptureState.ELSEWHERE: _l("Another address answered"),
    CaptureState.NOT_YET: _l("Not captured"),
}

CASE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    **MOVE_TABLES,
    "case_state": STATES,
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
