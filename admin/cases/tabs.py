"""The tabs of the list of cases."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from storage.cases.lists.filters import CaseFilter
from storage.records.case_states import WAITING_STATES
from storage.types import CaseQueue, CaseState


class Tab(StrEnum):
    """The lists of the desk; a case of ours is in one of the first four, and in `all`."""

    WAITING = "waiting"
    CONFIRMED = "confirmed"
    NOTIFIED = "notified"
    CLOSED = "closed"
    ALL = "all"
    COPIER = "copier"
    """Cases in which we may be the copier."""


_OURS: Final = CaseFilter(queue=CaseQueue.COPIED)


_CLOSED: Final = frozenset({CaseState.LICENSED, CaseState.DISMISSED, CaseState.REMOVED, CaseState.WITHDRAWN})


TABS: Final[Mapping[Tab, CaseFilter]] = {
    Tab.WAITING: replace(_OURS, states=WAITING_STATES),
    Tab.CONFIRMED: replace(_OURS, states=frozenset({CaseState.CONFIRMED})),
    Tab.NOTIFIED: replace(_OURS, states=frozenset({CaseState.NOTIFIED})),
    Tab.CLOSED: replace(_OURS, states=_CLOSED),
    Tab.ALL: _OURS,
    Tab.COPIER: CaseFilter(queue=CaseQueue.WE_MAY_BE_COPIER),
}
