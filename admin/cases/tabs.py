"""The tabs of the list of cases."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from storage.cases.lists.filters import CaseFilter
from storage.records.case_states import WAITING_STATES
from storage.types import CaseQueue, CaseState


class Tab(StrEnum):
    """The lists of the desk; a copy of ours is in one of the first four, and in `all`."""

    WAITING = "waiting"
    CONFIRMED = "confirmed"
    NOTIFIED = "notified"
    CLOSED = "closed"
    ALL = "all"
    COPIER = "copier"
    """Cases in which we may be the copier."""
    AGENCY = "agency"
    """Cases whose text may be a news agency's."""
    PASSAGE = "passage"
    """Pages that a search service returned and that share a passage only."""
    SNOOZED = "snoozed"
    """Cases that are put off until later, of all lists."""


_OURS: Final = CaseFilter(queue=CaseQueue.COPIED)


_CLOSED: Final = frozenset({CaseState.LICENSED, CaseState.DISMISSED, CaseState.REMOVED, CaseState.WITHDRAWN})


_OF_COPIER: Final = WAITING_STATES | {CaseState.CONFIRMED}
"""What we republished stays until ours is taken down or allowed."""


TABS: Final[Mapping[Tab, CaseFilter]] = {
    Tab.WAITING: replace(_OURS, states=WAITING_STATES, snoozed=False),
    Tab.CONFIRMED: replace(_OURS, states=frozenset({CaseState.CONFIRMED})),
    Tab.NOTIFIED: replace(_OURS, states=frozenset({CaseState.NOTIFIED})),
    Tab.CLOSED: replace(_OURS, states=_CLOSED),
    Tab.ALL: _OURS,
    Tab.COPIER: CaseFilter(queue=CaseQueue.WE_MAY_BE_COPIER, states=_OF_COPIER, snoozed=False),
    Tab.AGENCY: CaseFilter(queue=CaseQueue.AGENCY, states=WAITING_STATES, snoozed=False),
    Tab.PASSAGE: CaseFilter(queue=CaseQueue.SHARED_PASSAGE, states=WAITING_STATES, snoozed=False),
    Tab.SNOOZED: CaseFilter(snoozed=True),
}

TAB_OF_QUEUE: Final[Mapping[CaseQueue, Tab]] = {
    CaseQueue.COPIED: Tab.WAITING,
    CaseQueue.WE_MAY_BE_COPIER: Tab.COPIER,
    CaseQueue.AGENCY: Tab.AGENCY,
    CaseQueue.SHARED_PASSAGE: Tab.PASSAGE,
}
"""Where a case of a list waits."""
