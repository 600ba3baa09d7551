"""Licences granted from a case, and the cases that they settle at once."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from matcher.cases.permissions import UNLICENSED, permission_for
from matcher.provenance.page_facts import facts_of_page
from storage.cases import actions, findings, licences, permissions
from storage.cases.totals import refresh_figures
from storage.errors import LicenceKnown, MoveNotAllowed, NobodyKnown
from storage.pages import pages
from storage.records.case_states import may_move
from storage.records.cases import Actor, CaseRecord, LicenceRecord, LicenceTerms
from storage.types import CaseEventKind, CaseQueue, CaseState, Credit, Standing

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

JUDGED_AT_ONCE: Final = 2_000
"""Copies that are judged at once, about a second of work. Further articles are queued, as by `zhiwen licence add`."""

_SETTLED_TOO: Final = frozenset({CaseState.NEW, CaseState.REVIEWING, CaseState.REAPPEARED})
"""Cases with actions keep their state: a letter may have been sent."""


class Scope(StrEnum):
    """Which of our articles the licence covers."""

    ARTICLE = "article"
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Judged:
    """Effect of a granted or revoked licence on cases. `waiting`: articles left to the next comparison."""

    licence: LicenceRecord
    settled: int = 0
    breaches: int = 0
    waiting: int = 0


def grant(
    session: "Session", case_id: int, scope: Scope, *, requires: Credit, expected: CaseState, actor: Actor
) -> Judged:
    """Grant the licence, or use an identical one, and move every case that it settles to licensed.

    Raises NotKnown, NobodyKnown if the copier (or we, for everything) is a host without an owner, and MoveNotAllowed if
    the case has changed since the person saw it.
    """
    case = actions.get_case(session, case_id)
    if case.state is not expected or case.queue is not CaseQueue.COPIED or not may_move(expected, CaseState.LICENSED):
        raise MoveNotAllowed(case_id, case.state.value, CaseState.LICENSED.value)
    if case.other_owner_id is None:
        raise NobodyKnown(case.other_name)
    licence = _made(session, _terms(session, case.our_page_id, case.other_name, scope, requires))
    judged, is_all = _judge_again(session, licence)
    allowed = [number for number, standings in judged.items() if standings == {Standing.LICENSED}]
    settled = [
        number for number in allowed if _settle(session, number, licence.id, actor, case if number == case_id else None)
    ]
    details = {"licence": licence.id, "scope": scope.value, "settled": len(settled)}
    findings.record_event(session, case_id, CaseEventKind.LICENSED, actor=actor, details=details)
    breaches = sum(Standing.BREACH in standings for standings in judged.values())
    return Judged(licence, len(settled), breaches, _leave_the_rest(session, licence, is_all))


def revoke(session: "Session", licence_id: int, *, actor: Actor) -> Judged:
    """Revoke a licence: cases that it settled return to their previous state. Raises NotKnown."""
    licence = licences.remove_licence(session, licence_id)
    judged, is_all = _judge_again(session, licence)
    reopened = [number for number in judged if _reopen(session, number, licence_id, actor)]
    return Judged(licence, len(reopened), waiting=_leave_the_rest(session, licence, is_all))


def _terms(session: "Session", our_page_id: int, copier: str, scope: Scope, requires: Credit) -> LicenceTerms:
    ours = pages.pages_by_id(session, [our_page_id])[our_page_id]
    if scope is Scope.ARTICLE:
        return LicenceTerms(article_url=ours.url, copier=copier, requires=requires)
    if ours.owner_name is None:
        raise NobodyKnown(ours.host)
    return LicenceTerms(owner=ours.owner_name, copier=copier, requires=requires)


def _made(session: "Session", terms: LicenceTerms) -> LicenceRecord:
    try:
        return licences.add_licence(session, terms)
    except LicenceKnown as error:
        return licences.get_licence(session, error.licence_id)


def _judge_again(session: "Session", licence: LicenceRecord) -> tuple[dict[int, set[Standing]], bool]:
    """Return the current licence standing of each case's live copies; and whether these are all that there are."""
    copies = permissions.copies_under(session, licence, limit=JUDGED_AT_ONCE)
    known = pages.pages_by_id(session, {page for copy in copies for page in (copy.our_page_id, copy.their_page_id)})
    granted = licences.list_licences(session)
    found: dict[int, set[Standing]] = {}
    for copy in copies:
        ours, theirs = known.get(copy.our_page_id), known.get(copy.their_page_id)
        permission = UNLICENSED
        if ours is not None and theirs is not None:
            permission = permission_for(facts_of_page(theirs), facts_of_page(ours), copy.credit, granted)
        permissions.keep_permission(
            session,
            copy.id,
            standing=permission.standing,
            broken=permission.broken,
            licence_id=permission.licence_id,
        )
        found.setdefault(copy.case_id, set()).add(permission.standing)
    for case_id in found:
        refresh_figures(session, case_id)
    return found, len(copies) < JUDGED_AT_ONCE


def _settle(session: "Session", case_id: int, licence_id: int, actor: Actor, asked: CaseRecord | None) -> bool:
    """Move the case if it has no actions, or if it is the one `asked` about, unchanged. Return whether it was moved."""
    state = actions.get_case(session, case_id).state
    if state not in _SETTLED_TOO and (asked is None or asked.state is not state):
        return False
    findings.set_state(
        session, case_id, before=state, after=CaseState.LICENSED, actor=actor, details={"licence": licence_id}
    )
    return True


def _reopen(session: "Session", case_id: int, licence_id: int, actor: Actor) -> bool:
    """Reopen the case if this licence moved it. Return whether it is open again."""
    last = actions.last_decision(session, case_id)
    is_settled = actions.get_case(session, case_id).state is CaseState.LICENSED
    if last is not None and last.details.get("licence") == licence_id and is_settled:
        actions.undo_decision(session, case_id, last.id, actor=actor)
        return True
    findings.settle(session, case_id)
    return False


def _leave_the_rest(session: "Session", licence: LicenceRecord, is_all: bool) -> int:
    """Queue the articles of the licence if not all copies were judged; return how many."""
    return 0 if is_all else licences.requeue_licensed(session, licence)
