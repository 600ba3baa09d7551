"""The list of cases: filters, paging, and decisions on many at once."""

import secrets
from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request
from flask_babel import gettext as _

from admin.cases.columns import FILTERS, listed
from admin.cases.common import (
    MOST_AT_ONCE,
    Answer,
    case_query,
    chosen_reviewer,
    just_done,
    just_undone,
    list_url,
    person,
    reviewers,
)
from admin.cases.labels import CASE_TABLES
from admin.cases.tabs import TABS
from admin.cases.undo_views import redo, undo
from admin.identity.permissions import actor, needs
from admin.web import form_fields, labels
from admin.web.db_session import database
from admin.web.labels import label
from admin.web.pagination import Paging, counted_to
from admin.web.replica_reads import reads_replica
from admin.web.url_converters import as_key
from storage.accounts import audit_log
from storage.cases import actions, listing
from storage.cases.listing import COUNTED
from storage.desk import saved_views
from storage.errors import MoveNotAllowed, NotKnown
from storage.sites import owners, sites
from storage.types import AccountRole, CaseState, Dismissal

TAB_COUNTED: Final = 999
_ASSIGN: Final = "assign"
BULK_MOVES: Final = (
    CaseState.REVIEWING,
    CaseState.CONFIRMED,
    CaseState.LICENSED,
    CaseState.DISMISSED,
    CaseState.REMOVED,
)

blueprint = Blueprint("cases", __name__, url_prefix="/cases")
labels.register(blueprint, CASE_TABLES)
blueprint.add_app_template_global(listed, "case_columns")
blueprint.post("/undo")(undo)
blueprint.post("/redo")(redo)


@blueprint.get("")
@reads_replica
def index() -> str:
    query = case_query()
    bound = counted_to(query.page, most=COUNTED, is_searched=query.where.text is not None)
    found = listing.ids_of_cases(database(), query.where, order=query.order, bound=bound + 1)
    paging = Paging(query.page, min(len(found), bound))
    shown = found[paging.offset : paging.offset + paging.size]
    return render_template(
        "cases/cases.html",
        cases=listing.cases_in_order(database(), shown, query.order),
        now=datetime.now(UTC),
        paging=paging,
        is_more=len(found) > bound,
        query=query,
        tabs=listing.count_each(database(), {tab.value: where for tab, where in TABS.items()}, bound=TAB_COUNTED),
        tab_counted=TAB_COUNTED,
        views=saved_views.views_for(database(), actor().id),
        choices=_choices(),
        done=just_done(),
        undone=just_undone(),
        bulk_moves=BULK_MOVES,
    )


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
    """Move the ticked cases, each from the state in which the person saw it; refused moves are listed."""
    ticked = _ticked()
    if not ticked:
        flash(_("Tick the cases first: the boxes stand at the left."), "warning")
        return redirect(list_url())
    if request.form.get("to") == _ASSIGN:
        return _assign([case_id for case_id, _seen in ticked])
    to = form_fields.choice("to", CaseState)
    because = form_fields.choice("because", Dismissal) if to is CaseState.DISMISSED else None
    moved, refused, together = [], [], secrets.token_hex(8)
    for case_id, seen in ticked:
        try:
            actions.move_case(
                database(), case_id, to, expected=seen, actor=person(), because=because, together=together
            )
            moved.append(case_id)
        except (MoveNotAllowed, NotKnown):
            refused.append(case_id)
    if moved:
        said = {"to": to.value, "cases": ", ".join(map(str, moved))}
        audit_log.record(
            database(), actor=actor(), act="case.move", subject=f"#{moved[0]} … ({len(moved)})", detail=said
        )
    _tell_refused(refused)
    done = ",".join(map(str, moved)) or None
    return redirect(list_url(done=done))


def _ticked() -> list[tuple[int, CaseState]]:
    """Ids and states of the ticked boxes, sorted, so that two requests cannot deadlock."""
    values = request.form.getlist("case")
    if len(values) > MOST_AT_ONCE:
        abort(413)
    ticked = []
    for value in values:
        number, _colon, state = value.partition(":")
        key = as_key(number)
        if key is None or state not in set(CaseState):
            abort(400)
        ticked.append((key, CaseState(state)))
    return sorted(set(ticked))


def _assign(case_ids: list[int]) -> Answer:
    assignee = chosen_reviewer()
    known = [case.id for case in listing.cases_by_id(database(), case_ids)]
    for case_id in known:
        actions.assign_case(database(), case_id, assignee, actor=person())
    said = {"cases": ", ".join(map(str, known)), "to": assignee.name if assignee else ""}
    audit_log.record(database(), actor=actor(), act="case.assign", subject=f"({len(known)})", detail=said)
    if assignee is None:
        flash(_("%(count)s cases belong to nobody now.", count=len(known)), "success")
    else:
        flash(_("%(count)s cases belong to %(name)s now.", count=len(known), name=assignee.name), "success")
    return redirect(list_url())


def _tell_refused(refused: list[int]) -> None:
    if not refused:
        return
    now = [f"#{case.id} ({label(case.state, 'case_state')})" for case in listing.cases_by_id(database(), refused)]
    missing = len(refused) - len(now)
    named = "、".join([*now, *([_("%(count)s that are gone", count=missing)] if missing else [])])
    flash(
        _("Left as they are, since they cannot go there from where they stand now: %(cases)s", cases=named), "warning"
    )
