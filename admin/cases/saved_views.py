"""Saved lists of cases."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from flask import Blueprint, abort, flash, redirect
from flask_babel import gettext as _

from admin.cases.common import Answer, list_url
from admin.cases.query import Asker, query_of_view
from admin.identity.permissions import actor, needs
from admin.identity.time_zone import viewer_zone
from admin.web import form_fields
from admin.web.db_session import database
from storage.accounts import audit_log
from storage.cases import listing
from storage.desk import saved_views
from storage.desk.saved_views import TooManyViews, ViewRecord
from storage.types import AccountRole

COUNTED_IN_VIEWS: Final = 999
MOST_COUNTED: Final = 20
"""Saved lists with a number on them."""

blueprint = Blueprint("case_views", __name__, url_prefix="/cases/views")


def view_counts(views: Sequence[ViewRecord]) -> dict[int, int]:
    """By saved list, the number of cases in it for who looks at it, up to COUNTED_IN_VIEWS + 1. Lists with words or a
    site are left out: to count them, pages would be read.
    """
    asker = Asker(actor().id, datetime.now(UTC), ZoneInfo(viewer_zone()))
    filters = {str(view.id): query_of_view(view.query, asker).where for view in views[:MOST_COUNTED]}
    quick = {name: where for name, where in filters.items() if not where.text and not where.site}
    counts = listing.count_each(database(), quick, bound=COUNTED_IN_VIEWS)
    return {int(name): count for name, count in counts.items()}


@blueprint.post("")
@needs(AccountRole.VIEWER)
def save() -> Answer:
    """Save the filters of the list under a name."""
    name = form_fields.line("name", saved_views.NAME_CHARS)
    if not name:
        flash(_("Enter a name for the list."), "warning")
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
    flash(_("Saved list removed."), "success")
    return redirect(list_url())
