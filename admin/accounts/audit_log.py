"""The audit log page: who changed what."""

from typing import Final

from flask import Blueprint, render_template, request

from admin.accounts.audit_labels import ACTS, AUDIT_TABLES
from admin.identity.permissions import needs
from admin.identity.time_zone import start_of_day
from admin.web import labels
from admin.web.db_session import database
from admin.web.labels import label
from admin.web.url_converters import as_key
from storage.accounts import accounts, audit_log
from storage.accounts.audit_log import AuditFilter, AuditRecord
from storage.types import AccountRole

SHOWN: Final = 100
_LONGEST_TEXT: Final = 200
_CODES: Final = frozenset({"by", "channel", "from", "requires", "rights", "role", "scope"})

blueprint = Blueprint("audit", __name__, url_prefix="/audit")
labels.register(blueprint, AUDIT_TABLES)


@blueprint.get("")
@needs(AccountRole.ADMINISTRATOR)
def index() -> str:
    asked = {name: _asked(name) for name in ("actor", "act", "text", "since", "until")}
    where, not_understood = _filter(asked)
    events = audit_log.list_events(database(), where, limit=SHOWN + 1, before_id=as_key(_asked("before")) or None)
    return render_template(
        "accounts/audit.html",
        events=events[:SHOWN],
        in_words=_in_words,
        older=events[SHOWN - 1].id if len(events) > SHOWN else None,
        asked={name: value for name, value in asked.items() if value},
        not_understood=not_understood,
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


def _asked(name: str) -> str:
    return request.args.get(name, "").replace("\0", "").strip()[:_LONGEST_TEXT]


def _filter(asked: dict[str, str]) -> tuple[AuditFilter, list[str]]:
    """The filter of a query, and the names of fields that could not be read: they are shown, not dropped silently."""
    times, wrong = {}, []
    for name, days_later in (("since", 0), ("until", 1)):
        try:
            times[name] = start_of_day(asked[name], days_later=days_later)
        except ValueError:
            wrong.append(name)
    act = asked["act"] or None
    if act is not None and act not in ACTS:
        wrong.append("act")
        act = None
    return AuditFilter(asked["actor"] or None, act, asked["text"] or None, **times), wrong
