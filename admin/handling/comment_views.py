"""Comments on a case: only ever added, so that nobody's words replace another's."""

from flask import Blueprint, redirect
from flask_babel import gettext as _

from admin.cases.common import Answer, case_or_404, case_url, person
from admin.cases.detail_views import shown
from admin.handling.mentions import mentioned
from admin.identity.audit import note
from admin.identity.permissions import needs
from admin.web import form_fields
from admin.web.db_session import database
from storage.accounts import accounts
from storage.desk import comments
from storage.records.cases import Actor
from storage.types import AccountRole

_BAD_REQUEST = 400

blueprint = Blueprint("comments", __name__, url_prefix="/cases/<key:case_id>/comments")


@blueprint.post("")
@needs(AccountRole.REVIEWER)
def add(case_id: int) -> Answer:
    case_or_404(case_id)
    words = form_fields.text("comment", comments.COMMENT_CHARS)
    if not words:
        return shown(case_id, problem=_("Enter a comment first.")), _BAD_REQUEST
    named = mentioned(words, people())
    comments.comment(database(), case_id, words, named, actor=person())
    said = {"mentions": ", ".join(one.name for one in named)} if named else None
    note("case.comment", f"#{case_id}", said)
    return redirect(case_url(case_id, _anchor="comments"))


@blueprint.app_template_global("people_to_mention")
def people() -> list[Actor]:
    """Everybody who may log in, by name."""
    return [Actor(one.id, one.name) for one in accounts.list_accounts(database()) if one.enabled]
