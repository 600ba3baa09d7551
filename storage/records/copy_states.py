"""The state of a copy after a recheck of its page: a table of states. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from storage.types import CopyState, Sight

RECHECKS_APART: Final = timedelta(hours=6)
"""Between the two rechecks that confirm a removal: maintenance, a failed release or a block is over by then."""

STANDING_STATES: Final = frozenset({CopyState.THERE, CopyState.UNREADABLE})
"""The copy is present, as far as known: the last conclusive recheck found it."""

_OF_SIGHTS: Final[Mapping[Sight, CopyState]] = {
    Sight.THERE: CopyState.THERE,
    Sight.EDITED: CopyState.EDITED,
    Sight.ABSENT: CopyState.MISSING,
    Sight.ELSEWHERE: CopyState.ELSEWHERE,
    Sight.UNREADABLE: CopyState.UNREADABLE,
}


@dataclass(frozen=True, slots=True)
class CopyStanding:
    """`since`: the recheck that set the state. `missing_since`: the first recheck that found the page missing; cleared
    only when an article is read there again.
    """

    state: CopyState
    since: datetime
    missing_since: datetime | None = None


def after_recheck(before: CopyStanding | None, sight: Sight, at: datetime) -> CopyStanding:
    """The state after one recheck.

    An inconclusive recheck changes nothing, except that a present copy becomes unreadable. A removed copy stays removed
    until an article is read there again.
    """
    if sight in (Sight.THERE, Sight.EDITED):
        return _held(before, CopyStanding(_OF_SIGHTS[sight], at))
    missing = before.missing_since if before else None
    if before is not None and before.state is CopyState.REMOVED:
        return before
    if sight is Sight.UNREADABLE and before is not None and before.state is not CopyState.THERE:
        return before
    if sight is Sight.ABSENT:
        is_confirmed = missing is not None and at - missing >= RECHECKS_APART
        state = CopyState.REMOVED if is_confirmed else CopyState.MISSING
        return _held(before, CopyStanding(state, at, missing or at))
    return _held(before, CopyStanding(_OF_SIGHTS[sight], at, missing))


def _held(before: CopyStanding | None, now: CopyStanding) -> CopyStanding:
    """An unchanged state keeps its beginning."""
    if before is None or before.state is not now.state:
        return now
    return CopyStanding(now.state, before.since, now.missing_since)
