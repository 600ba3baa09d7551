"""The form of a rule, read from the request."""

from enum import StrEnum
from typing import Final, TypeVar

from flask import abort, request
from flask_babel import gettext as _

from admin.identity.time_zone import is_zone
from admin.web import form_fields
from admin.web.form_fields import InvalidField
from admin.web.url_converters import as_key
from storage.alerts.rules import NAME_CHARS
from storage.alerts.timing import parse_time_of_day
from storage.records.alerts import AlertKind, RuleTerms
from storage.types import CaseKind, CaseQueue, Credit, Severity

BOTH: Final = "both"

_Word = TypeVar("_Word", bound=StrEnum)


class When(StrEnum):
    """When alerts about cases are sent."""

    DIGEST = "digest"
    AT_ONCE = "at-once"


def submitted_terms(view_ids: frozenset[int], kept_view: int | None = None) -> RuleTerms:
    """Read the form of this request. `view_ids`: the saved lists that this person may choose; a rule that has another
    one keeps it. Raises Wrong for invalid fields.
    """
    name, kinds, when = form_fields.line("name"), _ticked("event", AlertKind), form_fields.choice("when", When)
    if not name or len(name) > NAME_CHARS:
        raise InvalidField(_("A name must have 1 to %(most)s characters.", most=NAME_CHARS))
    if not kinds:
        raise InvalidField(_("Tick at least one kind of alert."))
    view_id = _key("view")
    if view_id is not None and view_id != kept_view and view_id not in view_ids:
        abort(400)
    return RuleTerms(
        name=name,
        kinds=kinds,
        queue=None if form_fields.line("queue") == BOTH else form_fields.choice("queue", CaseQueue),
        site_id=_key("site"),
        owner_id=_key("owner"),
        least=form_fields.choice("least", Severity),
        match_kinds=_ticked("kind", CaseKind),
        credits=_ticked("credit", Credit),
        view_id=view_id,
        digest_at=_time() if when is When.DIGEST else None,
        time_zone=_zone(),
        enabled=form_fields.is_ticked("enabled"),
        mentioned_id=_key("mentioned"),
    )


def _time() -> str:
    text = form_fields.line("digest_at")
    at = parse_time_of_day(text)
    if at is None:
        raise InvalidField(_("“%(text)s” is not a valid time (use HH:MM).", text=text[:40]))
    return f"{at:%H:%M}"


def _zone() -> str:
    name = form_fields.line("time_zone")
    if name and not is_zone(name):
        abort(400)
    return name


def _key(name: str) -> int | None:
    text = form_fields.line(name)
    key = as_key(text) if text else None
    if text and key is None:
        abort(400)
    return key


def _ticked(name: str, words: type[_Word]) -> frozenset[_Word]:
    try:
        return frozenset(map(words, request.form.getlist(name)))
    except ValueError:
        abort(400)
