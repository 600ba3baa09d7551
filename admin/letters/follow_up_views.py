"""Letters that were written: the list by what is next, one letter with its text, and what follows it."""

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, Response, abort, flash, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.alerts.problem_text import problem_in_words
from admin.cases.common import person
from admin.evidence.letter_formats import as_text
from admin.identity.audit import note, note_export
from admin.identity.permissions import needs
from admin.letters.answer_form import dates_of_request, law_of, terms_of_letter, terms_of_letters
from admin.letters.answer_labels import ANSWER_TABLES
from admin.letters.labels import LETTER_TABLES
from admin.letters.signing import WORDINGS, NotSignedHere, signed_of_request
from admin.web import form_fields, labels
from admin.web.answers import done
from admin.web.db_session import database
from admin.web.downloads import attachment
from admin.web.pagination import Paging
from storage.cases import actions
from storage.errors import NotKnown, TooLate
from storage.jobs import queue
from storage.letters import answers, follow_up, letterhead, listing, outbox, statements, writing
from storage.records.correspondence.letter_answers import NoticeLaw
from storage.records.correspondence.letters import LetterDocumentRecord, LetterRecord, LetterState, LetterTab, ReplyKind
from storage.types import AccountRole

PAGE: Final = 50
_BAD_REQUEST: Final = 400
_UNPROCESSABLE: Final = 422
_TO_BE_DONE: Final = (LetterTab.OUTBOX, LetterTab.NO_ANSWER, LetterTab.DUE, LetterTab.AWAITING, LetterTab.ANSWERED)

blueprint = Blueprint("sent_letters", __name__, url_prefix="/letters")
labels.register(blueprint, LETTER_TABLES)
labels.register(blueprint, ANSWER_TABLES)


@blueprint.get("")
def index() -> str:
    now = datetime.now(UTC)
    counts = listing.count_letters(database(), now)
    tab = _tab() or next((one for one in _TO_BE_DONE if counts[one]), LetterTab.ALL)
    paging = Paging(request.args.get("page", 1, int), counts[tab], PAGE)
    shown = listing.list_letters(database(), tab, now, limit=paging.size, offset=paging.offset)
    return render_template(
        "letters/letters.html",
        letters=shown,
        terms=terms_of_letters(shown),
        counts=counts,
        tab=tab,
        paging=paging,
        now=now,
    )


def _tab() -> LetterTab | None:
    try:
        return LetterTab(request.args.get("tab", ""))
    except ValueError:
        return None


@blueprint.get("/<key:letter_id>")
def detail(letter_id: int) -> str:
    return _page(letter_id)


def _page(letter_id: int, problem: str = "") -> str:
    letter = _letter(letter_id)
    came = answers.answers_of(database(), letter_id)
    return render_template(
        "letters/letter.html",
        letter=letter,
        answers=came,
        terms=terms_of_letter(letter, came),
        laws=[(one, labels.label(one, "notice_law")) for one in NoticeLaw],
        law=law_of(letter),
        document=listing.document(database(), letter_id),
        cases=listing.cases_of_letter(database(), letter_id),
        reply_kind_words=[(kind, labels.label(kind, "reply_kind")) for kind in ReplyKind],
        problem=problem,
        reason=_problem_words(letter.problem),
        now=datetime.now(UTC),
        has_workers=queue.has_workers(database()),
        may_take_back=may_be_taken_back(letter),
        wordings=WORDINGS[letter.form],
        statements=statements.statements_of(database(), letter_id),
    )


def may_be_taken_back(letter: LetterRecord) -> bool:
    did_not_leave = letter.state in (LetterState.WAITING, LetterState.FAILED)
    was_marked = letter.state is LetterState.SENT and not letter.is_mail
    return letter.followed_by is None and (did_not_leave or was_marked)


def _problem_words(problem: str) -> str:
    known = {
        outbox.CASES_CHANGED: _("a case it names was decided differently while it waited"),
        outbox.NOT_SIGNED: _("the statements of the notice are not signed"),
        outbox.NO_CHANNEL: _("the mail channel was removed or switched off"),
        "The sender ended while it was sending.": _("the sending program ended while sending"),
    }
    return known.get(problem) or problem_in_words(problem).rstrip("。.")


@blueprint.get("/<key:letter_id>/letter.pdf")
def pdf(letter_id: int) -> Response:
    document = _document(letter_id)
    if document.pdf is None:
        abort(404)
    note_export("letter.download", f"{letter_id}", "pdf")
    return attachment(document.pdf, f"letter-{letter_id}.pdf", "application/pdf")


@blueprint.get("/<key:letter_id>/letter.txt")
def text(letter_id: int) -> Response:
    document = _document(letter_id)
    note_export("letter.download", f"{letter_id}", "txt")
    return attachment(as_text(document.body, ""), f"letter-{letter_id}.txt", "text/plain; charset=utf-8")


@blueprint.post("/<key:letter_id>/take-back")
@needs(AccountRole.REVIEWER)
def take_back(letter_id: int) -> AnyResponse:
    """Undo the whole act: the letter does not leave, and its cases are as before."""
    try:
        restored, left = writing.take_back(database(), letter_id, actor=person(), at=datetime.now(UTC))
    except NotKnown:
        abort(404)
    except TooLate:
        return _back(letter_id, _("Too late: the letter has been sent. Record a withdrawal instead."), "danger")
    note("letter.take-back", f"{letter_id}", {"cases": ", ".join(map(str, restored))})
    if left:
        numbers = " ".join(f"#{number}" for number in left[:20])
        flash(_("Someone has continued with these cases; they stay as they are: %(cases)s", cases=numbers), "warning")
    return _back(letter_id, _("Recalled. Cases restored: %(count)s.", count=len(restored)), "success")


@blueprint.post("/<key:letter_id>/send-again")
@needs(AccountRole.REVIEWER)
def send_again(letter_id: int) -> AnyResponse | tuple[str, int]:
    """Put a letter that failed, or of which nobody knows whether it arrived, into the outbox once more. The statements
    of a notice are signed once more.
    """
    try:
        signed = signed_of_request(_letter(letter_id).form)
    except NotSignedHere as error:
        return _page(letter_id, str(error)), _UNPROCESSABLE
    at = datetime.now(UTC) + timedelta(minutes=letterhead.letterhead(database()).outbox_minutes)
    if outbox.send_again(database(), letter_id, at, signed=signed, actor=person()):
        note("letter.send-again", f"{letter_id}")
        return _back(letter_id, _("Back in the outbox."), "success")
    return _back(letter_id, _("This letter has changed meanwhile."), "warning")


@blueprint.post("/<key:letter_id>/arrived")
@needs(AccountRole.REVIEWER)
def arrived(letter_id: int) -> AnyResponse:
    """Note that a letter of which nobody knew arrived."""
    _letter(letter_id)
    if outbox.note_arrival(database(), letter_id, datetime.now(UTC)):
        note("letter.arrival", f"{letter_id}")
        return _back(letter_id, _("Recorded."), "success")
    return _back(letter_id, _("This letter has changed meanwhile."), "warning")


@blueprint.post("/<key:letter_id>/reply")
@needs(AccountRole.REVIEWER)
def reply(letter_id: int) -> AnyResponse | tuple[str, int]:
    """Note what the copier answered, at the letter and at all of its cases."""
    kind, words = form_fields.choice("kind", ReplyKind), form_fields.text("reply", actions.NOTE_CHARS)
    if not words:
        return _page(letter_id, _("Enter the reply.")), _BAD_REQUEST
    try:
        dates = dates_of_request(_letter(letter_id))
        cases = follow_up.record_reply(
            database(), letter_id, kind, words, datetime.now(UTC), actor=person(), dates=dates
        )
    except form_fields.InvalidField as error:
        return _page(letter_id, str(error)), _BAD_REQUEST
    except NotKnown:
        abort(404)
    note("letter.reply", f"{letter_id}", {"kind": kind.value, "cases": ", ".join(map(str, cases))})
    return _back(letter_id, _("Answer recorded at the letter and its cases."), "success")


@blueprint.post("/<key:letter_id>/withdraw")
@needs(AccountRole.REVIEWER)
def withdraw(letter_id: int) -> AnyResponse | tuple[str, int]:
    """Record that a letter that left is withdrawn; it stays in the history."""
    words = form_fields.text("note", actions.NOTE_CHARS)
    if not words:
        return _page(letter_id, _("Enter a reason for the withdrawal.")), _BAD_REQUEST
    try:
        cases = follow_up.withdraw(database(), letter_id, words, datetime.now(UTC), actor=person())
    except NotKnown:
        abort(404)
    note("letter.withdraw", f"{letter_id}", {"cases": ", ".join(map(str, cases))})
    return _back(
        letter_id, _("Withdrawal recorded. Cases back to “confirmed”: %(count)s.", count=len(cases)), "success"
    )


def _back(letter_id: int, words: str, category: str) -> AnyResponse:
    return done(words, "sent_letters.detail", category=category, letter_id=letter_id)


def _letter(letter_id: int) -> LetterRecord:
    try:
        return listing.get_letter(database(), letter_id)
    except NotKnown:
        abort(404)


def _document(letter_id: int) -> LetterDocumentRecord:
    try:
        return listing.document(database(), letter_id)
    except NotKnown:
        abort(404)
