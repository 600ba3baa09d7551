"""Undecided cases by the page that they are about: decided together or singly."""

import secrets
from typing import Any, Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from admin.cases.common import MOST_AT_ONCE, Answer, just_done, person
from admin.identity.permissions import actor, needs
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.pagination import Paging
from admin.web.replica_reads import reads_replica
from admin.web.url_converters import as_key
from storage.accounts import audit_log
from storage.cases import actions, listing
from storage.cases.lists import by_page
from storage.errors import MoveNotAllowed, NotKnown
from storage.types import AccountRole, CaseState, Dismissal

PAGES_SHOWN: Final = 20
SEVERAL: Final = 2
"""Cases from which a page is worth deciding as a whole."""

blueprint = Blueprint("case_pages", __name__, url_prefix="/cases/pages")


@blueprint.get("")
@reads_replica
def index() -> str:
    least = 1 if request.args.get("all") == "1" else SEVERAL
    total = by_page.count_pages(database(), least=least)
    paging = Paging(as_key(request.args.get("page", "")) or 1, total, PAGES_SHOWN)
    pages = by_page.pages_with_cases(database(), least=least, limit=paging.size, offset=paging.offset)
    of_pages = by_page.cases_of_pages(database(), [page.page_id for page in pages], per_page=MOST_AT_ONCE)
    cases = {
        case.id: case for case in listing.cases_by_id(database(), {one for ids in of_pages.values() for one in ids})
    }
    return render_template(
        "cases/case_pages.html",
        pages=pages,
        cases={page: [cases[one] for one in ids if one in cases] for page, ids in of_pages.items()},
        paging=paging,
        least=least,
        fields={"all": 1} if least == 1 else {},
        dismissals=list(Dismissal),
        done=just_done(),
    )


@blueprint.post("/decide")
@needs(AccountRole.REVIEWER)
def decide() -> Answer:
    """Move the ticked cases of one page, each from the state in which the person saw it; refused moves are listed."""
    ticked = _ticked()
    back: dict[str, Any] = {"all": "1"} if request.args.get("all") == "1" else {}
    if not ticked:
        flash(_("Select cases first, with the boxes on the left."), "warning")
        return redirect(url_for("case_pages.index", **back))
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
        subject = f"#{moved[0]} … ({len(moved)})"
        audit_log.record(database(), actor=actor(), act="case.move", subject=subject, detail=said)
    if refused:
        cases = ", ".join(f"#{case_id}" for case_id in refused)
        flash(_("Not changed, since someone else has changed them meanwhile: %(cases)s", cases=cases), "warning")
    return redirect(url_for("case_pages.index", done=",".join(map(str, moved)) or None, **back))


def _ticked() -> list[tuple[int, CaseState]]:
    """Ids and states of the ticked boxes, sorted, so that two requests cannot deadlock."""
    values = request.form.getlist("case")
    if len(values) > MOST_AT_ONCE:
        abort(413)
    parts = [value.partition(":") for value in values]
    keys = [as_key(number) for number, _colon, _state in parts]
    if None in keys or any(state not in set(CaseState) for _number, _colon, state in parts):
        abort(400)
    return sorted((int(number), CaseState(state)) for number, _colon, state in set(parts))
