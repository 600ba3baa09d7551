"""The choice of a crawl schedule in forms: a list with the usual rules, and a field for any other."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from flask import request
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from admin.web import form_fields
from admin.web.db_session import database
from admin.web.form_fields import InvalidField
from storage.errors import BadSchedule
from storage.jobs import schedules
from storage.jobs.schedule_rules import BadRule, Rule

NEVER: Final = ""
ADAPTIVE: Final = "adaptive"
OTHER: Final = "other"
CHOICES: Final[Mapping[str, object]] = {
    ADAPTIVE: _l("Adaptive (recommended)"),
    "every 30 min": _l("Every 30 minutes"),
    "every 1 h": _l("Every hour"),
    "every 6 h": _l("Every 6 hours"),
    "every 1 d": _l("Every day"),
    NEVER: _l("Never"),
    OTHER: _l("Custom (cron)…"),
}
PRESET: Final = ADAPTIVE
LONGEST_RULE: Final = 100


def chosen(rule: str | None, choices: Mapping[str, object] = CHOICES) -> tuple[str, str]:
    """The choice that shows `rule`, and the text of the field beside it (pure)."""
    if rule is None or rule == NEVER:
        return NEVER, ""
    return (rule, "") if rule in choices else (OTHER, rule)


def sent_rule() -> str | None:
    """The rule that the form chose; empty: no schedule; None: the form has no such field. Raises InvalidField."""
    if "rule" not in request.form:
        return None
    rule = form_fields.line("rule", LONGEST_RULE)
    if rule == OTHER:
        rule = form_fields.line("other_rule", LONGEST_RULE)
        if not rule:
            raise InvalidField(_("Enter a schedule such as “30 6 * * 1-5”."))
    try:
        if rule:
            Rule.parse(rule)
    except BadRule as error:
        raise InvalidField(
            _(
                "“%(rule)s” is not a valid schedule. Use five cron fields such as “30 6 * * 1-5”, or “every 6 h”.",
                rule=rule,
            )
        ) from error
    return rule


def set_rule(site_id: int, rule: str, *, jitter_s: int = 0) -> None:
    """Set the schedule of a site; an empty rule removes it. Raises InvalidField."""
    try:
        if rule:
            schedules.set_schedule(database(), site_id, rule, now=datetime.now(UTC), jitter_s=jitter_s)
        else:
            schedules.remove(database(), site_id)
    except BadSchedule as error:
        raise InvalidField(str(error)) from error
