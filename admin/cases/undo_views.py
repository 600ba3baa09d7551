"""Decisions undone, and done again after all."""

import secrets

from flask import abort, flash, redirect, request
from flask_babel import gettext as _

from admin.cases.common import (
    MOST_OF_A_LIST,
    Answer,
    case_or_404,
    case_query,
    case_url,
    earlier_done,
    is_redoable,
    list_url,
    may_be_taken_again,
    name_of,
    person,
    remember_undone,
    token_of,
    undo_one,
)
from admin.identity.permissions import actor, needs
from admin.web.db_session import database
from admin.web.url_converters import as_key
from storage.accounts import audit_log
from storage.cases import actions, decisions, listing
from storage.errors import MoveNotAllowed, NotKnown
from storage.records.cases import CaseEventRecord
from storage.types import AccountRole, CaseEventKind, CaseQueue, Dismissal


@needs(AccountRole.REVIEWER)
def undo() -> Answer:
    """Undo the decisions that the form names as CASE:EVENT."""
    pairs = _pairs("event")
    token = token_of(pairs[0][0]) if len(pairs) > 1 else None
    undone = [case for case, event in pairs if undo_one(case, event)]
    if len(undone) < len(pairs):
        flash(_("Some cases have changed since, so not everything could be undone."), "warning")
    if not undone:
        return redirect(list_url())
    subject = f"#{undone[0]}" if len(undone) == 1 else f"#{undone[0]} … ({len(undone)})"
    said = {} if len(undone) == 1 else {"cases": ", ".join(map(str, undone))}
    audit_log.record(database(), actor=actor(), act="case.undo", subject=subject, detail=said)
    remember_undone(undone, token)
    earlier = earlier_done()
    return redirect(case_url(undone[0], done=earlier) if len(pairs) == 1 else list_url(done=earlier))


@needs(AccountRole.REVIEWER)
def redo() -> Answer:
    """Take the decisions again that the form names as CASE:EVENT, each if its undoing is still the last event."""
    pairs = _pairs("undone")
    events = decisions.last_undone(database(), {case for case, _event in pairs}, actor().name)
    together = secrets.token_hex(8)
    wanted = [(case, events[case]) for case, event in pairs if case in events and events[case].id == event]
    query = case_query()
    following = listing.next_case(database(), query.where, query.order, pairs[0][0]) if len(pairs) == 1 else None
    done = [case for case, event in wanted if _again(case, event, together)]
    if len(done) < len(pairs):
        flash(_("Some cases have changed since, so not everything could be redone."), "warning")
    if done:
        said = {"cases": ", ".join(map(str, done))}
        subject = f"#{done[0]}" if len(done) == 1 else f"#{done[0]} … ({len(done)})"
        audit_log.record(database(), actor=actor(), act="case.redo", subject=subject, detail=said)
    named = name_of(done, together)
    return redirect(list_url(done=named) if following is None or not done else case_url(following, done=named))


def _again(case_id: int, event: CaseEventRecord, together: str) -> bool:
    """False if the case has moved meanwhile, or if the decision was more than a move."""
    if event.kind is CaseEventKind.QUEUED:
        return _queue_again(case_id, event, together)
    if event.to_state is None or event.from_state is None or not is_redoable(event):
        return False
    because = event.details.get("because")
    try:
        actions.move_case(
            database(),
            case_id,
            event.to_state,
            expected=event.from_state,
            actor=person(),
            note=event.note,
            because=Dismissal(because) if isinstance(because, str) else None,
            together=together,
        )
    except (MoveNotAllowed, NotKnown):
        return False
    return True


def _queue_again(case_id: int, event: CaseEventRecord, together: str) -> bool:
    case = case_or_404(case_id)
    if not may_be_taken_again(event, case):
        return False
    to = CaseQueue(str(event.details[decisions.QUEUE]))
    try:
        actions.requeue_case(database(), case_id, to, expected=case.state, actor=person(), together=together)
    except (MoveNotAllowed, NotKnown):
        return False
    return True


def _pairs(field: str) -> list[tuple[int, int]]:
    """The values CASE:EVENT of a field, by case, so that two requests cannot deadlock."""
    values = request.form.getlist(field)[:MOST_OF_A_LIST]
    pairs = [(as_key(case), as_key(event)) for case, _colon, event in (value.partition(":") for value in values)]
    known = [(case, event) for case, event in pairs if case is not None and event is not None]
    if not known or len(known) < len(pairs):
        abort(400)
    return sorted(known)
