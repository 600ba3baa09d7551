"""Cases put off until a date: out of their list, and back in it by themselves."""

from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from flask import Blueprint, flash, redirect
from flask_babel import gettext as _

from admin.cases.common import Answer, case_or_404, case_query, case_url, list_url, person
from admin.identity.permissions import actor, needs
from admin.identity.time_zone import start_of_day, viewer_zone
from admin.web import form_fields
from admin.web.db_session import database
from storage.accounts import audit_log
from storage.cases import listing
from storage.desk import snoozing
from storage.types import AccountRole

SNOOZE: Final = "snooze"
"""The value of the button for many cases."""
PRESETS: Final = (1, 3, 7, 30)
"""In days."""
LONGEST_DAYS: Final = 366
_DAY_CHARS: Final = 20

blueprint = Blueprint("case_snooze", __name__, url_prefix="/cases/<key:case_id>/snooze")


@blueprint.app_template_global()
def snooze_presets() -> tuple[int, ...]:
    return PRESETS


class BadDate(ValueError):
    """A date that is none, or not in the time to come; the message says so in the viewer's language."""


@blueprint.post("")
@needs(AccountRole.REVIEWER)
def snooze(case_id: int) -> Answer:
    """Put a case off, or take it up again (`wake`). The next case of the list opens."""
    case_or_404(case_id)
    query = case_query()
    following = listing.next_case(database(), query.where, query.order, case_id)
    is_woken = form_fields.is_ticked("wake")
    changed = _apply([case_id], wake=is_woken)
    if is_woken or following is None or not changed:
        return redirect(case_url(case_id) if is_woken or not changed else list_url())
    return redirect(case_url(following))


def snooze_cases(case_ids: list[int]) -> Answer:
    """The same for the ticked cases of a list."""
    _apply(case_ids, wake=False)
    return redirect(list_url())


def _apply(case_ids: list[int], *, wake: bool) -> list[int]:
    """The cases that were changed; what was wrong is flashed."""
    try:
        until = None if wake else _until()
    except BadDate as wrong:
        flash(str(wrong), "warning")
        return []
    changed = snoozing.snooze(database(), case_ids, until, actor=person())
    if not changed:
        flash(_("Only undecided cases can be snoozed."), "warning")
        return []
    subject = f"#{changed[0]}" if len(changed) == 1 else f"#{changed[0]} … ({len(changed)})"
    said = {"until": "" if until is None else until.isoformat(), "cases": ", ".join(map(str, changed))}
    audit_log.record(database(), actor=actor(), act="case.snooze", subject=subject, detail=said)
    if until is None:
        flash(_("Cases resumed: %(count)s.", count=len(changed)), "success")
    else:
        flash(_("Cases snoozed until %(day)s: %(count)s.", day=f"{until:%Y-%m-%d}", count=len(changed)), "success")
    return changed


def _until() -> datetime:
    """The date of the form, or so many days from today as its button says. Raises BadDate."""
    today = datetime.now(ZoneInfo(viewer_zone())).date()
    asked, days = form_fields.line("until", _DAY_CHARS), form_fields.line("days", _DAY_CHARS)
    if days in {str(preset) for preset in PRESETS}:
        asked = (today + timedelta(days=int(days))).isoformat()
    try:
        day = date.fromisoformat(asked)
        until = start_of_day(asked)
    except ValueError as error:
        raise BadDate(_("Not a valid date (use YYYY-MM-DD).")) from error
    if until is None or not today < day <= today + timedelta(days=LONGEST_DAYS):
        raise BadDate(_("Choose a date from tomorrow on, within a year."))
    return until
