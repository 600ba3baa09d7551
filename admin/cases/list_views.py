"""The list of cases: filters, paging, and decisions on many at once."""

import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request
from flask_babel import gettext as _

from admin.cases.columns import FILTERS, listed
from admin.cases.common import (
    MOST_AT_ONCE,
    MOST_OF_A_LIST,
    Answer,
    case_query,
    chosen_reviewer,
    just_done,
    just_undone,
    list_url,
    name_of,
    person,
    reviewers,
)
from admin.cases.head_start import delay_in_words
from admin.cases.labels import CASE_TABLES
from admin.cases.move_labels import MOVES_OF_QUEUE
from admin.cases.query import CaseQuery, tab_fields
from admin.cases.queue_views import PREFIX, queue_moves, queues_from, requeue
from admin.cases.saved_views import COUNTED_IN_VIEWS, view_counts
from admin.cases.snooze_views import SNOOZE, snooze_cases
from admin.cases.tabs import TABS, Tab
from admin.cases.undo_views import redo, undo
from admin.identity.permissions import actor, needs
from admin.passages.heat_strip import heat_strip
from admin.web import form_fields, labels
from admin.web.db_session import database
from admin.web.labels import joined, label
from admin.web.pagination import Paging
from admin.web.replica_reads import reads_replica
from admin.web.url_converters import as_key
from storage.accounts import audit_log
from storage.cases import listing
from storage.cases.bulk_moves import move_cases, states_of
from storage.cases.listing import COUNTED
from storage.cases.lists import heat
from storage.cases.lists.filters import EVERY_CASE, CaseOrder
from storage.cases.lists.state_counts import StateCounts, count_states
from storage.desk import assignments
from storage.desk import saved_views as stored_views
from storage.records.case_states import WAITING_STATES, moves_from
from storage.records.cases import CaseRecord
from storage.sites import owners, sites
from storage.types import AccountRole, CaseQueue, CaseState, Dismissal

_ASSIGN: Final = "assign"
_NAMED: Final = 20
"""Refused cases that are named one by one."""
BULK_MOVES: Final = (
    CaseState.REVIEWING,
    CaseState.CONFIRMED,
    CaseState.LICENSED,
    CaseState.DISMISSED,
    CaseState.REMOVED,
)

blueprint = Blueprint("cases", __name__, url_prefix="/cases")
labels.register(blueprint, CASE_TABLES)
blueprint.add_app_template_filter(lambda queue: MOVES_OF_QUEUE[queue], "verbs")
blueprint.add_app_template_global(queues_from, "queues_from")
blueprint.add_app_template_global(listed, "case_columns")
blueprint.add_app_template_filter(delay_in_words, "delay")
blueprint.post("/undo")(undo)
blueprint.post("/redo")(redo)


@blueprint.get("")
@reads_replica
def index() -> str:
    query = case_query()
    counts = count_states(database(), query.where)
    total = counts.of(query.where)
    paging = Paging(query.page, min(total, COUNTED))
    cases = listing.list_cases(database(), query.where, order=query.order, limit=paging.size, offset=paging.offset)
    views = stored_views.views_for(database(), actor().id)
    return render_template(
        "cases/cases.html",
        cases=cases,
        strips=strips_of(cases),
        now=datetime.now(UTC),
        paging=paging,
        total=total,
        is_cut=counts.is_cut,
        is_more=total > COUNTED,
        query=query,
        tabs=_tabs(query, counts),
        views=views,
        view_counts=view_counts(views),
        view_bound=COUNTED_IN_VIEWS,
        choices=_choices(),
        done=just_done(),
        undone=just_undone(),
        moves={case.id: _moves(case) for case in cases},
        queue=query.where.queue or CaseQueue.COPIED,
        bulk_moves=BULK_MOVES,
        most_of_a_list=MOST_OF_A_LIST,
        newest=_newest(),
    )


def _moves(case: CaseRecord) -> list[str]:
    """What may be decided of a case in the list: values of the buttons of the bar."""
    states = [move.value for move in BULK_MOVES if move in moves_from(case.state, case.queue)]
    return [*states, *queue_moves(case), *([SNOOZE] if case.state in WAITING_STATES else [])]


@dataclass(frozen=True, slots=True)
class ShownTab:
    """A tab with the same search in it. `count`: of the cases that it finds there."""

    tab: Tab
    count: int
    fields: dict[str, str]


def _tabs(query: CaseQuery, counts: StateCounts) -> list[ShownTab]:
    lists = {tab: query.where if tab is query.tab else where for tab, where in TABS.items()}
    return [ShownTab(tab, counts.of(where), tab_fields(query, tab)) for tab, where in lists.items()]


def _newest() -> int:
    newest = listing.ids_of_cases(database(), EVERY_CASE, order=CaseOrder.NEWEST, bound=1)
    return newest[0] if newest else 0


def strips_of(cases: list[CaseRecord]) -> dict[int, tuple[tuple[int, int], ...]]:
    """By case, where in our article its copied passages are, for the strips of a list."""
    found = heat.stretches_of_cases(database(), [case.id for case in cases])
    return {number: heat_strip(one.stretches, one.chars) for number, one in found.items()}


def _choices() -> dict[str, list[object]]:
    return {
        "site": [site.name for site in sites.list_sites(database())],
        "owner": [owner.name for owner in owners.list_owners(database())],
        "state": list(CaseState),
        "columns": [(column.field, list(column.enum), column.words) for column in FILTERS],
        "because": list(Dismissal),
        "reviewers": list(reviewers()),
    }


@blueprint.post("/decide")
@needs(AccountRole.REVIEWER)
def decide() -> Answer:
    """Move the ticked cases, or all of the list, each from the state in which the person saw it. Refused moves are
    listed.
    """
    seen = _all_of_the_list() if request.form.get("all") else _ticked()
    if not seen:
        flash(_("Select cases first, with the boxes on the left."), "warning")
        return redirect(list_url())
    if request.form.get("to") == _ASSIGN:
        return _assign(list(seen))
    if request.form.get("to") == SNOOZE:
        return snooze_cases(list(seen))
    if request.form.get("to", "").startswith(PREFIX):
        return _requeue(seen)
    to = form_fields.choice("to", CaseState)
    because = form_fields.choice("because", Dismissal) if to is CaseState.DISMISSED else None
    together = secrets.token_hex(8)
    moved = move_cases(database(), seen, to, actor=person(), because=because, together=together)
    if moved:
        said = {"to": to.value, "cases": ", ".join(map(str, moved))}
        audit_log.record(
            database(), actor=actor(), act="case.move", subject=f"#{moved[0]} … ({len(moved)})", detail=said
        )
    _tell_refused([number for number in seen if number not in set(moved)])
    return redirect(list_url(done=name_of(moved, together)))


def _requeue(seen: dict[int, CaseState]) -> Answer:
    name = request.form["to"].removeprefix(PREFIX)
    if name not in set(CaseQueue):
        abort(400)
    moved = requeue(seen, CaseQueue(name))
    _tell_refused([number for number in seen if number not in set(moved)])
    return redirect(list_url(done=",".join(map(str, moved[:MOST_AT_ONCE])) or None))


def _all_of_the_list() -> dict[int, CaseState]:
    """The cases of the list as the person saw it, in its order and up to a bound: none that was found since."""
    query, newest = case_query(), as_key(request.form.get("newest", ""))
    if newest is None:
        abort(400)
    where = replace(query.where, below_id=newest + 1)
    found = listing.ids_of_cases(database(), where, order=query.order, bound=MOST_OF_A_LIST)
    return states_of(database(), found)


def _ticked() -> dict[int, CaseState]:
    """The states of the ticked cases by id."""
    values = request.form.getlist("case")
    if len(values) > MOST_AT_ONCE:
        abort(413)
    ticked: dict[int, CaseState] = {}
    for value in values:
        number, _colon, state = value.partition(":")
        key = as_key(number)
        if key is None or state not in set(CaseState):
            abort(400)
        ticked[key] = CaseState(state)
    return ticked


def _assign(case_ids: list[int]) -> Answer:
    assignee = chosen_reviewer()
    known = [case.id for case in listing.cases_by_id(database(), case_ids)]
    assignments.assign(database(), known, assignee, actor=person())
    said = {"cases": ", ".join(map(str, known)), "to": assignee.name if assignee else ""}
    audit_log.record(database(), actor=actor(), act="case.assign", subject=f"({len(known)})", detail=said)
    if assignee is None:
        flash(_("Cases unassigned: %(count)s.", count=len(known)), "success")
    else:
        flash(_("Cases assigned to %(name)s: %(count)s.", count=len(known), name=assignee.name), "success")
    return redirect(list_url())


def _tell_refused(refused: list[int]) -> None:
    if not refused:
        return
    known = listing.cases_by_id(database(), refused)
    now = [f"#{case.id} {label(case.state, 'case_state')}" for case in known[:_NAMED]]
    missing = len(refused) - len(known)
    more = [f"… ({len(known)})"] if len(known) > _NAMED else []
    named = joined([*now, *more, *([_("no longer there: %(count)s", count=missing)] if missing else [])])
    flash(_("Not changed, since their state does not allow it: %(cases)s", cases=named), "warning")
