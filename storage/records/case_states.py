"""The state machine of cases: who may move a case from which state to which. Pure."""

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
"""Each decision can be taken back one step, so that a wrong click is not final."""

_UNDECIDED: Final = frozenset({_S.NEW, _S.WITHDRAWN, _S.LICENSED})

BY_PROGRAM: Final[Mapping[CaseState, frozenset[CaseState]]] = {
    **{state: _UNDECIDED - {state} for state in _UNDECIDED},
    _S.REMOVED: frozenset({_S.REAPPEARED}),
}
"""All but the last apply only to cases that no person has touched."""

OPEN_STATES: Final = frozenset({_S.NEW, _S.REVIEWING, _S.CONFIRMED, _S.NOTIFIED, _S.REAPPEARED})
"""Cases that need an action. The others are closed."""

WAITING_STATES: Final = frozenset({_S.NEW, _S.REVIEWING, _S.REAPPEARED})
"""Cases without a decision, or without one since another copy appeared."""


_NOT_IN: Final[Mapping[CaseQueue, frozenset[CaseState]]] = {
    CaseQueue.WE_MAY_BE_COPIER: frozenset({_S.NOTIFIED}),
    CaseQueue.AGENCY: frozenset({_S.CONFIRMED, _S.LICENSED, _S.NOTIFIED}),
    CaseQueue.SHARED_PASSAGE: frozenset({_S.CONFIRMED, _S.LICENSED, _S.NOTIFIED}),
}
"""If theirs was first, there is nobody to notify; of an agency's story, and of a passage that both may have from
elsewhere, nothing is confirmed or licensed either.
"""

QUEUED_IN: Final = frozenset({_S.NEW, _S.REVIEWING})
"""States in which a person may move a case to the other list: “confirmed” has another meaning in each."""


def moves_from(state: CaseState, queue: CaseQueue) -> frozenset[CaseState]:
    """The states to which a person may move a case of this list."""
    return BY_PERSON[state] - _NOT_IN.get(queue, frozenset())


def may_move(before: CaseState, after: CaseState, queue: CaseQueue = CaseQueue.COPIED) -> bool:
    """Whether a person may make this move. Staying in a state is not a move."""
    return after in moves_from(before, queue)


def state_by_findings(standings: Iterable[Standing]) -> CaseState:
    """The state of an untouched case, from the licence standings of its pages that still hold a copy."""
    found = set(standings)
    if not found:
        return CaseState.WITHDRAWN
    return CaseState.LICENSED if found == {Standing.LICENSED} else CaseState.NEW
