"""Shared parts of the pages of cases: the current list, reviewers, and undoing recent decisions."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from flask import abort, g, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from admin.cases.query import Asker, CaseQuery, parse_case_query
from admin.identity.permissions import actor, has_role
from admin.identity.time_zone import viewer_zone
from admin.web.db_session import database
from admin.web.url_converters import as_key
from matcher.cases.licensing import revoke
from storage.accounts import accounts as stored_accounts
from storage.accounts import audit_log
from storage.cases import actions, decisions, letter_notices, licences, listing
from storage.errors import NothingToUndo, NotKnown, TooLate
from storage.letters import writing
from storage.postgres.text import storable
from storage.records.case_states import QUEUED_IN
from storage.records.cases import Actor, CaseEventRecord, CaseRecord, LicenceRecord
from storage.types import AccountRole, CaseEventKind, CaseState

MOST_AT_ONCE: Final = 200
"""Ticked cases in one decision, and cases that an address names."""
MOST_OF_A_LIST: Final = 1_000
"""Cases in one decision on a whole list: as many are undone in about as many milliseconds times five."""

STEPS_BACK: Final = timedelta(hours=12)
"""Steps that can be undone from the list; older decisions are undone on the page of their case."""

_UNDONE: Final = "undone"
_AT_ONCE: Final = "@"

Answer = str | tuple[str, int] | AnyResponse


@dataclass(frozen=True, slots=True)
class Done:
    """A decision that can still be undone, as the page after it shows it."""

    case: CaseRecord
    event: CaseEventRecord


def case_query() -> CaseQuery:
    """The list that the person works through: its filters are in the URL of every page of a case."""
    asker = Asker(actor().id, datetime.now(UTC), ZoneInfo(viewer_zone()))
    return parse_case_query(request.args, asker)


def list_url(**more: object) -> str:
    """The URL of the list that the person works through."""
    values: dict[str, Any] = {**case_query().fields, **more}
    return url_for("cases.index", **values)


def case_url(case_id: int, **more: object) -> str:
    """The URL of a case, with the list that the person works through."""
    values: dict[str, Any] = {**case_query().fields, **more}
    return url_for("case.page", case_id=case_id, **values)


def person() -> Actor:
    account = actor()
    return Actor(account.id, account.name)


def case_or_404(case_id: int) -> CaseRecord:
    found = listing.get_case(database(), case_id)
    if found is None:
        abort(404)
    return found


def just_done() -> list[Done]:
    """The cases that `done` names, as far as their last decision is this person's and can be undone."""
    wanted = _named(request.args.get("done", ""), undone=False)
    events = decisions.last_decisions(database(), wanted)
    mine = {number: event for number, event in events.items() if event.actor == actor().name}
    return [Done(case, mine[case.id]) for case in listing.cases_by_id(database(), mine)]


@dataclass(frozen=True, slots=True)
class Undone:
    """A decision that was undone a moment ago. `event`: the decision."""

    case: CaseRecord
    event: CaseEventRecord

    @property
    def may_be_redone(self) -> bool:
        return is_redoable(self.event) and may_be_taken_again(self.event, self.case)


def is_redoable(event: CaseEventRecord) -> bool:
    """Whether a decision was a move alone. The undoing of a notice or a licence has removed it."""
    return event.to_state is not CaseState.NOTIFIED and "licence" not in event.details


def may_be_taken_again(event: CaseEventRecord, case: CaseRecord) -> bool:
    """Whether a decision that was undone may be taken again from where the case is now."""
    if event.kind is CaseEventKind.QUEUED:
        return decisions.queue_before(event) is case.queue and case.state in QUEUED_IN
    return event.from_state is case.state


def name_of(case_ids: Collection[int], token: str | None) -> str | None:
    """Names decided cases for the next page: by their numbers, or by the token of the decision where they are many."""
    if len(case_ids) > MOST_AT_ONCE and token is not None:
        return f"{_AT_ONCE}{token}"
    return ",".join(map(str, list(case_ids)[:MOST_AT_ONCE])) or None


def _named(name: str, *, undone: bool) -> set[int]:
    if name.startswith(_AT_ONCE):
        since = datetime.now(UTC) - STEPS_BACK
        token = storable(name.removeprefix(_AT_ONCE))
        found = decisions.decided_with(database(), actor().id, since, token, undone=undone)
        return set(found[:MOST_OF_A_LIST])
    numbers = (as_key(part) for part in name.split(",")[:MOST_AT_ONCE])
    return {number for number in numbers if number is not None}


def remember_undone(case_ids: list[int], token: str | None) -> None:
    """Has the next page say that the last decisions on these cases were undone. `token`: of decisions taken at once."""
    session[_UNDONE] = name_of(case_ids, token) or ""


def just_undone() -> list[Undone]:
    """What was undone by the act before this page, as far as nothing has happened to it since. Reported once."""
    if _UNDONE not in g:
        g.setdefault(_UNDONE, session.pop(_UNDONE, ""))
    events = decisions.last_undone(database(), _named(g.get(_UNDONE), undone=True), actor().name)
    return [Undone(case, events[case.id]) for case in listing.cases_by_id(database(), events)]


def earlier_done() -> str | None:
    """The cases of this person's previous decisions, for the URL of the next page: decisions can be undone one after
    another.
    """
    since = datetime.now(UTC) - STEPS_BACK
    found = decisions.latest_of(database(), actor().id, since)
    if len(found) <= MOST_AT_ONCE:
        return name_of(found, None)
    return name_of(found, token_of(found[0]))


def token_of(case_id: int) -> str | None:
    """The token of the last decision on a case, if it was taken on several at once."""
    last = actions.last_decision(database(), case_id)
    token = None if last is None else last.details.get(decisions.TOGETHER)
    return token if isinstance(token, str) else None


def reviewers() -> list[Actor]:
    """Accounts to which a case can be assigned."""
    accounts = stored_accounts.list_accounts(database())
    return [Actor(one.id, one.name) for one in accounts if one.enabled and has_role(one, AccountRole.REVIEWER)]


def chosen_reviewer() -> Actor | None:
    """The account that the form names; ends the request if it may not decide."""
    value = request.form.get("assignee", "")
    if not value:
        return None
    found = next((one for one in reviewers() if one.account_id == as_key(value)), None)
    if found is None:
        abort(400)
    return found


def undo_one(case_id: int, event_id: int) -> bool:
    """Undo a decision, and with it the licence that it made. False if something else happened meanwhile."""
    last = actions.last_decision(database(), case_id)
    made = last.details if last is not None and last.id == event_id else {}
    licence_id, letter_id = made.get("licence"), made.get(actions.LETTER)
    if isinstance(letter_id, int):
        return take_letter_back(letter_id)
    if letter_notices.is_undone_with_letter(database(), case_id, event_id):
        return True
    try:
        if isinstance(licence_id, int):
            revoke_licence(licences.get_licence(database(), licence_id))
        else:
            actions.undo_decision(database(), case_id, event_id, actor=person())
    except (NotKnown, NothingToUndo):
        return False
    return True


def take_letter_back(letter_id: int) -> bool:
    """Undo what a letter did to all of its cases, if it did not leave. False if it did."""
    try:
        restored, _left = writing.take_back(database(), letter_id, actor=person(), at=datetime.now(UTC))
    except (NotKnown, TooLate):
        return False
    detail = {"cases": ", ".join(map(str, restored))}
    audit_log.record(database(), actor=actor(), act="letter.take-back", subject=f"{letter_id}", detail=detail)
    return True


def revoke_licence(licence: LicenceRecord) -> int:
    """Revoke a licence; one for everything needs a manager. Returns how many cases are open again."""
    require_role_for(licence)
    judged = revoke(database(), licence.id, actor=person())
    audit_log.record(database(), actor=actor(), act="case.revoke", subject=f"{licence.id}")
    return judged.settled


def require_role_for(licence: LicenceRecord) -> None:
    if licence.terms.article_url is None and not has_role(actor(), AccountRole.MANAGER):
        abort(403)


def is_overdue(case: CaseRecord) -> bool:
    return case.state is CaseState.NOTIFIED and case.deadline is not None and case.deadline < datetime.now(UTC)
