"""The audit log page: who changed what."""

from typing import Final
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, request

from admin.accounts.audit_labels import ACTS, AUDIT_TABLES
from admin.identity.permissions import needs
from admin.identity.time_zone import viewer_zone
from admin.web import labels
from admin.web.db_session import database
from admin.web.labels import label
from admin.web.query_fields import QueryFields
from admin.web.url_converters import as_key
from storage.accounts import accounts, audit_log
from storage.accounts.audit_log import AuditFilter, AuditRecord
from storage.types import AccountRole

SHOWN: Final = 100
FIELDS: Final = ("actor", "act", "text", "since", "until")
_CODES: Final = frozenset({"by", "channel", "from", "requires", "rights", "role", "scope"})

blueprint = Blueprint("audit", __name__, url_prefix="/audit")
labels.register(blueprint, AUDIT_TABLES)


@blueprint.get("")
@needs(AccountRole.ADMINISTRATOR)
def index() -> str:
    fields, zone = QueryFields(request.args, FIELDS), ZoneInfo(viewer_zone())
    since, until = fields.day("since", zone), fields.day("until", zone, days_later=1)
    where = AuditFilter(fields.text("actor"), fields.one_of("act", ACTS), fields.text("text"), since, until)
    before = as_key(request.args.get("before", "")) or None
    events = audit_log.list_events(database(), where, limit=SHOWN + 1, before_id=before)
    return render_template(
        "accounts/audit.html",
        events=events[:SHOWN],
        in_words=_in_words,
        older=events[SHOWN - 1].id if len(events) > SHOWN else None,
        asked=fields.asked,
        not_understood=fields.wrong,
        acts=ACTS,
        people=accounts.list_accounts(database()),
    )


def _in_words(event: AuditRecord) -> list[tuple[str, str]]:
    """Names and values of the details in the viewer's language; a value is translated where it is a code."""
    codes = _CODES | {"to"} if event.act == "case.move" else _CODES
    return [
        (label(key, "audit_detail"), label(str(value), "audit_word") if key in codes else str(value))
        for key, value in event.detail.items()
    ]
