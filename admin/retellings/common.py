"""Shared parts of the pages of retellings: the current list, one retelling, and what was just decided."""

from typing import Any

from flask import abort, request, url_for

from admin.identity.permissions import actor
from admin.retellings.query import RetellingQuery, parse_retelling_query
from admin.web.db_session import database
from admin.web.url_converters import as_key
from storage.meaning import retelling_list
from storage.records.retellings import RetellingRecord
from storage.types import RetellingState


def retelling_query() -> RetellingQuery:
    """The list that the person works through: its filters are in the URL of every page of a retelling."""
    return parse_retelling_query(request.args)


def list_url(**more: object) -> str:
    """The URL of the list that the person works through."""
    values: dict[str, Any] = {**retelling_query().fields, **more}
    return url_for("retellings.index", **values)


def retelling_url(retelling_id: int, **more: object) -> str:
    """The URL of a retelling, with the list that the person works through."""
    values: dict[str, Any] = {**retelling_query().fields, **more}
    return url_for("retellings.detail", retelling_id=retelling_id, **values)


def retelling_or_404(retelling_id: int) -> RetellingRecord:
    found = retelling_list.get_retelling(database(), retelling_id)
    if found is None:
        abort(404)
    return found


def just_done() -> RetellingRecord | None:
    """The retelling that `done` names, if this person decided about it."""
    number = as_key(request.args.get("done", ""))
    found = None if number is None else retelling_list.get_retelling(database(), number)
    is_mine = found is not None and found.state is not RetellingState.OPEN and found.decided_by == actor().name
    return found if is_mine else None
