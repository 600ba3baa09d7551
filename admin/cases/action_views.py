"""Actions on one case. After a decision the next case of the list opens."""

from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask_babel import gettext as _

from admin.cases.common import (
    Answer,
    case_or_404,
    case_query,
    case_url,
    chosen_reviewer,
    list_url,
    person,
    require_role_for,
    revoke_licence,
)
from admin.cases.copier_summary import DECIDED, UNDECIDED, copier_of
from admin.cases.detail_views import shown
from admin.cases.queue_views import requeue
from admin.cases.tabs import TAB_OF_QUEUE
from admin.identity.permissions import actor, may, needs
from admin.identity.time_zone import start_of_day
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.labels import label
from admin.web.url_converters import as_key
from matcher.cases.licensing import Scope, grant
from storage.accounts import audit_log
from storage.cases import actions, licences, listing
from storage.cases.actions import NewNotice
from storage.desk import assignments
from storage.errors import ChangedMeanwhile, MoveNotAllowed, NobodyKnown, NotKnown
from storage.jobs import queue as job_queue
from storage.takedowns import recaptures
from storage.types import AccountRole, CaseQueue, CaseState, Credit, Dismissal, NoticeChannel

_BAD_REQUEST: Final = 400
_CONFLICT: Final = 409
_STAYS: Final = frozenset({CaseState.REVIEWING, CaseState.NEW})
"""Moves that are no decision: the page of the case stays open after them."""

blueprint = Blueprint("case_acts", __name__, url_prefix="/cases/<key:case_id>")


@blueprint.post("/move")
@needs(AccountRole.REVIEWER)
def move(case_id: int) -> Answer:
    to, expected = form_fields.choice("to", CaseState), form_fields.choice("expected", CaseState)
    because = form_fields.choice("because", Dismissal) if to is CaseState.DISMISSED else None
    following = _following(case_id)
    try:
        actions.move_case(
            database(), case_id, to, expected=expected, actor=person(), note=form_fields.text("note"), because=because
        )
    except NotKnown:
        abort(404)
    except MoveNotAllowed:
        return _refused(case_id)
    said = {"from": expected.value, "to": to.value}
    audit_log.record(database(), actor=actor(), act="case.move", subject=f"#{case_id}", detail=said)
    return _onwards(case_id, case_id if to in _STAYS else following)


def _following(case_id: int) -> int | None:
    """The next case of the list. Read before the move, which may remove the case from the list."""
    query = case_query()
    return listing.next_case(database(), query.where, query.order, case_id)


def _onwards(case_id: int, following: int | None) -> Answer:
    if following is None:
        return redirect(list_url(done=case_id))
    return redirect(case_url(following, done=case_id))


def _refused(case_id: int) -> Answer:
    """The page for a case that somebody else has changed meanwhile: says what happened, and stores nothing."""
    case = case_or_404(case_id)
    moves = [event for event in actions.history(database(), case_id) if event.to_state is not None]
    state = label(case.state, "case_state")
    if not moves:
        return shown(case_id, problem=_("This case is “%(state)s” and cannot be moved there.", state=state)), _CONFLICT
    said = _(
        "This case changed while you were viewing it: %(who)s set it to “%(state)s”. Your change was not saved. Check "
        "the case and decide again.",
        who=moves[-1].actor or _("the program"),
        state=state,
    )
    return shown(case_id, problem=said), _CONFLICT


def _same_case(case_id: int) -> Answer:
    return redirect(case_url(case_id))


@blueprint.post("/queue")
@needs(AccountRole.REVIEWER)
def queue(case_id: int) -> Answer:
    """Record who was first, or whose text it is, as a person knows it: the case moves to another list."""
    case_or_404(case_id)
    to, expected = form_fields.choice("queue", CaseQueue), form_fields.choice("expected", CaseState)
    following = _following(case_id)
    if not requeue({case_id: expected}, to):
        return _refused(case_id)
    tab = label(TAB_OF_QUEUE[to], "case_tab")
    flash(_("Case #%(number)s is now in the list “%(list)s”.", number=case_id, list=tab), "success")
    return _onwards(case_id, following)


@blueprint.post("/captures")
@needs(AccountRole.REVIEWER)
def capture(case_id: int) -> Answer:
    """Queue captures of the pages that a letter names and that could not be captured."""
    case, with_undecided = case_or_404(case_id), bool(request.args.get("undecided"))
    states = DECIDED | UNDECIDED if with_undecided else DECIDED
    copier = copier_of(database(), case, states=states, made_by=actor().name, always=True)
    count = recaptures.ask_again(database(), [item.case.id for item in copier.items])
    if count:
        job_queue.defer_once(database(), job_queue.CAPTURE)
        audit_log.record(
            database(), actor=actor(), act="evidence.capture", subject=f"#{case_id}", detail={"pages": str(count)}
        )
    flash(
        _(
            "Pages queued for capture again: %(count)s. Reload this page to see the progress.",
            count=count,
        ),
        "success",
    )
    return redirect(url_for("evidence.letter", case_id=case_id, undecided=1 if with_undecided else None))


@blueprint.post("/assign")
@needs(AccountRole.REVIEWER)
def assign(case_id: int) -> Answer:
    case_or_404(case_id)
    assignee = chosen_reviewer()
    assignments.assign(database(), [case_id], assignee, actor=person())
    said = {"to": assignee.name if assignee else ""}
    audit_log.record(database(), actor=actor(), act="case.assign", subject=f"#{case_id}", detail=said)
    return _same_case(case_id)


@blueprint.post("/notes")
@needs(AccountRole.REVIEWER)
def note(case_id: int) -> Answer:
    case_or_404(case_id)
    notes, seen = form_fields.text("notes", actions.NOTE_CHARS), form_fields.text("seen", actions.NOTE_CHARS)
    try:
        actions.note_case(database(), case_id, notes, expected=seen, actor=person())
    except ChangedMeanwhile:
        problem = _(
            "Someone else has edited the notes meanwhile. The box below contains both versions, theirs first. "
            "Save the correct text."
        )
        theirs = case_or_404(case_id).notes
        return shown(case_id, problem=problem, draft=f"{theirs}\n\n{notes}".strip()), _CONFLICT
    audit_log.record(database(), actor=actor(), act="case.note", subject=f"#{case_id}")
    return _same_case(case_id)


@blueprint.post("/notify")
@needs(AccountRole.REVIEWER)
def notify(case_id: int) -> Answer:
    """Record a notice to the copier: its recipient, its way of delivery and the deadline for an answer."""
    case_or_404(case_id)
    recipient = form_fields.line("recipient", actions.RECIPIENT_CHARS)
    channel, expected = form_fields.choice("channel", NoticeChannel), form_fields.choice("expected", CaseState)
    try:
        sent_at = start_of_day(form_fields.line("sent")) or datetime.now(UTC)
        # The date itself still counts: the deadline is its last moment.
        deadline = start_of_day(form_fields.line("deadline"), days_later=1)
    except ValueError:
        return shown(case_id, problem=_("Not a valid date (use YYYY-MM-DD).")), _BAD_REQUEST
    if not recipient:
        return shown(case_id, problem=_("Enter the recipient of the notice.")), _BAD_REQUEST
    following = _following(case_id)
    try:
        notice = NewNotice(recipient, channel, sent_at, deadline)
        actions.notify_case(database(), case_id, notice, expected=expected, actor=person())
    except MoveNotAllowed:
        return _refused(case_id)
    said = {"recipient": recipient, "channel": channel.value}
    audit_log.record(database(), actor=actor(), act="case.notify", subject=f"#{case_id}", detail=said)
    return _same_case(case_id) if expected is CaseState.NOTIFIED else _onwards(case_id, following)


@blueprint.post("/reply")
@needs(AccountRole.REVIEWER)
def reply(case_id: int) -> Answer:
    case_or_404(case_id)
    notice_id, words = as_key(request.form.get("notice", "")), form_fields.text("reply", actions.NOTE_CHARS)
    if notice_id is None:
        abort(400)
    if not words:
        return shown(case_id, problem=_("Enter the reply.")), _BAD_REQUEST
    try:
        actions.record_reply(database(), case_id, notice_id, words, datetime.now(UTC), actor=person())
    except NotKnown:
        abort(404)
    audit_log.record(database(), actor=actor(), act="case.reply", subject=f"#{case_id}")
    return _same_case(case_id)


@blueprint.post("/deadline")
@needs(AccountRole.REVIEWER)
def deadline(case_id: int) -> Answer:
    case_or_404(case_id)
    try:
        until = start_of_day(form_fields.line("deadline"), days_later=1)
    except ValueError:
        return shown(case_id, problem=_("Not a valid date (use YYYY-MM-DD).")), _BAD_REQUEST
    actions.set_deadline(database(), case_id, until, actor=person())
    said = {"to": "" if until is None else until.isoformat()}
    audit_log.record(database(), actor=actor(), act="case.deadline", subject=f"#{case_id}", detail=said)
    return _same_case(case_id)


@blueprint.post("/licence")
@needs(AccountRole.REVIEWER)
def license_copier(case_id: int) -> Answer:
    """License the copier: a reviewer may license one article, a manager everything from now on."""
    case = case_or_404(case_id)
    scope, requires = form_fields.choice("scope", Scope), form_fields.choice("requires", Credit)
    expected = form_fields.choice("expected", CaseState)
    if scope is Scope.EVERYTHING and not may(AccountRole.MANAGER):
        abort(403)
    following = _following(case_id)
    try:
        judged = grant(database(), case_id, scope, requires=requires, expected=expected, actor=person())
    except MoveNotAllowed:
        return _refused(case_id)
    except NobodyKnown:
        problem = _("The owner of %(host)s is unknown. Assign one first under Sites.", host=case.other_name)
        return shown(case_id, problem=problem), _CONFLICT
    said = {"scope": scope.value, "requires": requires.value, "licence": str(judged.licence.id)}
    audit_log.record(database(), actor=actor(), act="case.licence", subject=f"#{case_id}", detail=said)
    flash(_("Licence %(number)s for %(name)s created. Open cases closed: %(count)s.", number=judged.licence.id,
            name=case.other_name, count=judged.settled), "success")  # fmt: skip
    if judged.breaches:
        flash(_("Cases that break its terms and stay open: %(count)s.", count=judged.breaches), "warning")
    if judged.waiting:
        flash(_("Articles to be judged with the next comparison: %(count)s.", count=judged.waiting), "info")
    is_settled = case_or_404(case_id).state is CaseState.LICENSED
    return _onwards(case_id, following) if is_settled else _same_case(case_id)


@blueprint.post("/licence/<key:licence_id>/revoke")
@needs(AccountRole.REVIEWER)
def revoke(case_id: int, licence_id: int) -> Answer:
    case_or_404(case_id)
    try:
        licence = licences.get_licence(database(), licence_id)
    except NotKnown:
        abort(404)
    require_role_for(licence)
    reopened = revoke_licence(licence)
    flash(_("Licence revoked. Cases reopened: %(count)s.", count=reopened), "success")
    return _same_case(case_id)
