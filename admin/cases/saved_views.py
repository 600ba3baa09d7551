"""Saved lists of cases."""

from flask import Blueprint, abort, flash, redirect
from flask_babel import gettext as _

from admin.cases.common import Answer, list_url
from admin.identity.permissions import actor, needs
from admin.web import form_fields
from admin.web.db_session import database
from storage.accounts import audit_log
from storage.desk import saved_views
from storage.desk.saved_views import TooManyViews
from storage.types import AccountRole

blueprint = Blueprint("case_views", __name__, url_prefix="/cases/views")


@blueprint.post("")
@needs(AccountRole.VIEWER)
def save() -> Answer:
    """Save the filters of the list under a name."""
    name = form_fields.line("name", saved_views.NAME_CHARS)
    if not name:
        flash(_("Give the list a name."), "warning")
        return redirect(list_url())
    is_shared = form_fields.is_ticked("shared")
    address = list_url().partition("?")[2]
    try:
        saved_views.save_view(database(), actor().id, name=name, query=address, is_shared=is_shared)
    except TooManyViews:
        flash(_("You have %(most)s saved lists. Remove one first.", most=saved_views.MOST_VIEWS), "warning")
    else:
        audit_log.record(database(), actor=actor(), act="view.save", subject=name, detail={"query": address})
        flash(_("Saved as “%(name)s”.", name=name), "success")
    return redirect(list_url())


@blueprint.post("/<key:view_id>/remove")
@needs(AccountRole.VIEWER)
def remove(view_id: int) -> Answer:
    if not saved_views.remove_view(database(), actor().id, view_id):
        abort(404)
    audit_log.record(database(), actor=actor(), act="view.remove", subject=str(view_id))
    flash(_("The saved list is removed."), "success")
    return redirect(list_url())
