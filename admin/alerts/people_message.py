"""The content of alerts for a person: a comment that names her, cases that are assigned to her (pure but for words)."""

from typing import Final

from flask_babel import gettext as _

from admin.alerts.cards import Fact, Said
from admin.alerts.plain_words import inert
from admin.hooks.template_filters import number
from storage.records.alerts import ASSIGNED_CASES, EventRecord

WORDS_CHARS: Final = 400


def for_person(event: EventRecord, facts: tuple[Fact, ...], desk_url: str) -> Said:
    """Who is meant, by whom, and why. `facts`: of the case, if it is about one."""
    name, by = (inert(str(event.details.get(field, "")), 40) for field in ("name", "by"))
    count = event.details.get(ASSIGNED_CASES)
    if count is None:
        subject = _("@%(name)s: %(by)s wrote about case #%(number)s", name=name, by=by, number=event.case_id)
        words = inert(str(event.details.get("words", "")), WORDS_CHARS)
        link = f"{desk_url}/cases/{event.case_id}#comments"
        return Said(str(subject), facts[:1], link, str(_("Open case")), words)
    if event.case_id is not None:
        subject = _("@%(name)s: %(by)s assigned case #%(number)s to you", name=name, by=by, number=event.case_id)
        return Said(str(subject), facts, f"{desk_url}/cases/{event.case_id}", str(_("Open case")))
    subject = _("@%(name)s: %(by)s assigned cases to you: %(count)s", name=name, by=by, count=number(int(str(count))))
    return Said(str(subject), (), f"{desk_url}/cases?assignee=@me", str(_("My cases")))
