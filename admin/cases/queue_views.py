"""Moves of cases to another list: who was first, and whose text it is, as a person knows it."""

import secrets
from collections.abc import Mapping
from typing import Final

from admin.cases.common import person
from admin.identity.permissions import actor
from admin.web.db_session import database
from storage.accounts import audit_log
from storage.cases import actions
from storage.errors import MoveNotAllowed, NotKnown
from storage.records.case_states import QUEUED_IN
from storage.records.cases import CaseRecord
from storage.types import CaseQueue, CaseState

PREFIX: Final = "to-"
"""Marks a list among the values of the button of a decision: `to-agency`."""

_OTHERS: Final[Mapping[CaseQueue, tuple[CaseQueue, ...]]] = {
    CaseQueue.COPIED: (CaseQueue.WE_MAY_BE_COPIER, CaseQueue.AGENCY),
    CaseQueue.WE_MAY_BE_COPIER: (CaseQueue.COPIED,),
    CaseQueue.AGENCY: (CaseQueue.COPIED,),
    CaseQueue.SHARED_PASSAGE: (CaseQueue.COPIED,),
}

KEYS: Final[Mapping[tuple[CaseQueue, CaseQueue], str]] = {
    (CaseQueue.COPIED, CaseQueue.WE_MAY_BE_COPIER): "q",
    (CaseQueue.COPIED, CaseQueue.AGENCY): "h",
    (CaseQueue.WE_MAY_BE_COPIER, CaseQueue.COPIED): "q",
    (CaseQueue.AGENCY, CaseQueue.COPIED): "q",
    (CaseQueue.SHARED_PASSAGE, CaseQueue.COPIED): "q",
}


def queues_from(queue: CaseQueue) -> list[tuple[CaseQueue, str, str]]:
    """The lists to which a case of this one may be moved: list, name of the move, key."""
    return [(to, f"{queue}->{to}", KEYS[queue, to]) for to in _OTHERS[queue]]


def queue_moves(case: CaseRecord) -> list[str]:
    """The values of the buttons that move this case to another list."""
    return [f"{PREFIX}{to}" for to in _OTHERS[case.queue]] if case.state in QUEUED_IN else []


def requeue(seen: Mapping[int, CaseState], to: CaseQueue) -> list[int]:
    """Moves the cases that are still in the state in which the person saw them. Returns their ids."""
    moved, together = [], secrets.token_hex(8) if len(seen) > 1 else None
    for case_id in sorted(seen):  # in order, so that two requests cannot deadlock
        try:
            actions.requeue_case(database(), case_id, to, expected=seen[case_id], actor=person(), together=together)
        except (MoveNotAllowed, NotKnown):
            continue
        moved.append(case_id)
    if moved:
        subject = f"#{moved[0]}" if len(moved) == 1 else f"#{moved[0]} … ({len(moved)})"
        said = {"to": to.value} | ({} if len(moved) == 1 else {"cases": ", ".join(map(str, moved))})
        audit_log.record(database(), actor=actor(), act="case.queue", subject=subject, detail=said)
    return moved
