"""Who may move a case from where to where. Pure."""

from collections.abc import Iterable, Mapping
from typing import Final

from storage.types import CaseQueue, CaseState, Standing

_S = CaseState

BY_PERSON: Final[Mapping[CaseState, frozenset[CaseState]]] = {
    _S.NEW: frozenset({_S.REVIEWING, _S.CONFIRMED, _S.LICENSED, _S.DISMISSED}),
    _S.REVIEWING: frozenset({_S.NEW, _S.CONFIRMED, _S.LICENSED, _S.DISMISSED}),
    _S.CONFIRMED: frozenset({_S.REVIEWING, _S.LICENSED, _S.DISMISSED, _S.NOTIFIED, _S.REMOVED}),
    _S.LICENSED: frozenset({_S.REVIEWING}),
    _S.DISMISSED: frozenset({_S.REVIEWING}),
    _S.NOTIFIED: frozenset({_S.CONFIRMED, _S.LICENSED, _S.DISMISSED, _S.REMOVED}),
    _S.REMOVED: frozenset({_S.NOTIFIED, _S.REAPPEARED}),
    _S.REAPPEARED: frozenset({_S.REVIEWING, _S.LICENSED, _S.DISMISSED, _S.NOTIFIED, _S.REMOVED}),
    _S.WITHDRAWN: frozenset({_S.REVIEWING}),
}
"""Each decision can be taken back one step, so that a slip of the hand is no verdict."""

_UNDECIDED: Final = frozenset({_S.NEW, _S.WITHDRAWN, _S.LICENSED})

BY_PROGRAM: Final[Mapping[CaseState, frozenset[CaseState]]] = {
    **{state: _UNDECIDED - {state} for state in _UNDECIDED},
    _S.REMOVED: frozenset({_S.REAPPEARED}),
}
"""Of these, all but the last hold only for a case that nobody has touched."""

OPEN_STATES: Final = frozenset({_S.NEW, _S.REVIEWING, _S.CONFIRMED, _S.NOTIFIED, _S.REAPPEARED})
"""Somebody still has something to do. The others are at rest."""

WAITING_STATES: Final = frozenset({_S.NEW, _S.REVIEWING, _S.REAPPEARED})
"""Of these nobody has decided yet, or not since another copy came."""


_OF_OURS: Final = frozenset({_S.NOTIFIED})
"""Only for copies of ours: where they were first, there is nobody to write to."""

QUEUED_IN: Final = frozenset({_S.NEW, _S.REVIEWING})
"""States in which a person may move a case from one list to the other: “confirmed” means another thing in each."""


def moves_from(state: CaseState, queue: CaseQueue) -> frozenset[CaseState]:
    """Where a person may move a case of this list."""
    return BY_PERSON[state] if queue is CaseQueue.COPIED else BY_PERSON[state] - _OF_OURS


def may_move(before: CaseState, after: CaseState, queue: CaseQueue = CaseQueue.COPIED) -> bool:
    """Whether a person may move a case so. A state is no move to itself."""
    return after in moves_from(before, queue)


def state_by_findings(standings: Iterable[Standing]) -> CaseState:
    """Where an untouched case stands, by what the licences say of each of its pages that still holds a copy."""
    found = set(standings)
    if not found:
        return CaseState.WITHDRAWN
    return CaseState.LICENSED if found == {Standing.LICENSED} else CaseState.NEW
