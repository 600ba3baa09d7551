"""The schedule of backups in the form: a list with the usual rules, and a field for any other."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.sites.schedule_choice import LONGEST_RULE, OTHER, chosen
from admin.web import form_fields

NAME: Final = "backup_rule"
OTHER_FIELD: Final = "other_backup_rule"
CHOICES: Final[Mapping[str, object]] = {
    "30 3 * * *": _l("Every day at 03:30"),
    "every 12 h": _l("Every 12 hours"),
    "every 6 h": _l("Every 6 hours"),
    "30 3 * * 0": _l("Every Sunday at 03:30"),
    OTHER: _l("Custom (cron)…"),
}


def choice_of(rule: str) -> tuple[str, str]:
    """The choice that shows `rule`, and the text of the field beside it."""
    return chosen(rule, CHOICES)


def sent_rule() -> str:
    """The rule of the form; empty: the default."""
    rule = form_fields.line(NAME, LONGEST_RULE)
    return form_fields.line(OTHER_FIELD, LONGEST_RULE) if rule == OTHER else rule
