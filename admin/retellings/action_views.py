"""Decisions on a retelling: open a case, dismiss, undo. After a decision the next one of the list opens."""

from typing import Final

from flask import Blueprint, flash, redirect
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.cases.common import case_url, person
from admin.identity.audit import note
from admin.identity.permissions import needs
from admin.retellings.common import list_url, retelling_or_404, retelling_query, retelling_url
from admin.retellings.views import shown
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.labels import label
from matcher.cases.case_rule import Because
from matcher.cases.cases_by_meaning import open_case_by_meaning, take_case_back
from storage.meaning import retelling_list
from storage.records.retellings import RetellingRecord
from storage.types import AccountRole, Dismissal, RetellingState

_CONFLICT: Final = 409
_Answer = str | tuple[str, int] | AnyResponse

blueprint = Blueprint("retelling_acts", __name__, url_prefix="/retellings/<key:retelling_id>")


@blueprint.post("/case")
@needs(AccountRole.REVIEWER)
def open_case(retelling_id: int) -> _Answer:
    """Open a case, which the person then decides like any other."""
    retelling = retelling_or_404(retelling_id)
    if retelling.state is not RetellingState.OPEN:
        return _refused(retelling_id)
    opened = open_case_by_meaning(database(), retelling, actor=person())
    if isinstance(opened, Because):
        return shown(retelling, problem=label(opened, "no_case")), _CONFLICT
    note("retelling.case", f"~{retelling_id}", {"to": f"#{opened}"})
    flash(
        _("It is now in case #%(number)s, which states that this page is there only by meaning.", number=opened),
        "success",
    )
    return redirect(case_url(opened))


@blueprint.post("/dismiss")
@needs(AccountRole.REVIEWER)
def dismiss(retelling_id: int) -> _Answer:
    retelling, because = retelling_or_404(retelling_id), form_fields.choice("because", Dismissal)
    following = retelling_list.next_retelling(database(), retelling_query().where, retelling)
    if not retelling_list.dismiss_retelling(database(), retelling_id, because, actor=person()):
        return _refused(retelling_id)
    note("retelling.dismiss", f"~{retelling_id}", {"because": because.value})
    if following is None:
        return redirect(list_url(done=retelling_id))
    return redirect(retelling_url(following, done=retelling_id))


@blueprint.post("/undo")
@needs(AccountRole.REVIEWER)
def undo(retelling_id: int) -> _Answer:
    """Undo the decision, and with it a case that nobody has touched."""
    retelling, expected = retelling_or_404(retelling_id), form_fields.choice("expected", RetellingState)
    if retelling.state is not expected or not _undone(retelling):
        return _refused(retelling_id)
    note("retelling.reopen", f"~{retelling_id}", {"from": expected.value})
    flash(_("The retelling is back in review."), "success")
    return redirect(retelling_url(retelling_id))


def _undone(retelling: RetellingRecord) -> bool:
    if retelling.state is RetellingState.CASE and retelling.case_id is not None:
        return take_case_back(database(), retelling)
    return retelling_list.reopen_retelling(database(), retelling.id, expected=retelling.state)


def _refused(retelling_id: int) -> tuple[str, int]:
    """The page for a retelling that somebody else has decided about: says what it is now, and stores nothing."""
    retelling = retelling_or_404(retelling_id)
    if retelling.state is RetellingState.CASE:
        said = _(
            "This is case #%(number)s, and someone has worked on it. Decide there.", number=retelling.case_id or "—"
        )
    else:
        said = _(
            "This retelling changed while you were viewing it: it is now “%(state)s”. Your change was not saved.",
            state=label(retelling.state, "retelling_state"),
        )
    return shown(retelling, problem=said), _CONFLICT
