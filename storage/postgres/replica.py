"""Read-only work on a replica: a hot standby of the database, used while it is close enough behind the primary.

Which positions count is decided by the primary: it is asked for its own, then the replica for the one that it has
replayed. If the replica has not reached it, its lag is at most the time since the last commit that it has replayed, by
the primary's clock.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from storage.engine import transaction
from storage.postgres.timeouts import is_timeout

if TYPE_CHECKING:
    from sqlalchemy import Engine, Row
    from sqlalchemy.orm import Session

T = TypeVar("T")

CHECKED_EVERY_S: Final = 1.0
"""How long an answer about the replica is used: its lag may exceed the bound by so much."""
AWAY_S: Final = 10.0
"""How long a replica that failed is not asked again: each attempt may wait for a connection."""

LOOKS: Final = 3
LOOK_AGAIN_S: Final = 0.02
"""Streaming takes a millisecond or two on a local network."""

_PRIMARY: Final = text(
    """SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint AS position, clock_timestamp() AS at,
        (SELECT system_identifier FROM pg_control_system()) AS cluster,
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database"""
)
_REPLICA: Final = text(
    """SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint AS position,
        pg_last_xact_replay_timestamp() AS at, pg_is_in_recovery() AS is_standby,
        (SELECT system_identifier FROM pg_control_system()) AS cluster,
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database"""
)
_POSITION: Final = text("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReplicaState:
    """`position`: up to where the replica has replayed the primary's log, in bytes. `lag_s`: at most so many seconds
    behind; None if unknown. `problem`: why it is not used.
    """

    position: int = 0
    lag_s: float | None = None
    problem: str | None = None

    @property
    def is_usable(self) -> bool:
        return self.problem is None


@dataclass(slots=True)
class Replica:
    """Chooses between `engine`, on a hot standby, and `primary`, for work that only reads. For use by many threads.

    `longest_lag_s`: the replica is used up to this lag.
    """

    primary: "Engine"
    engine: "Engine"
    longest_lag_s: float
    clock: Callable[[], float] = monotonic
    _state: ReplicaState | None = None
    _checked_at: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def state(self, *, after: int = 0) -> ReplicaState:
        """The state of the last second; asked for again if the replica had not reached the position `after` then.

        While one thread asks, which may take seconds, the others use what is known.
        """
        found = self._state
        if found is not None and self._is_recent(found) and (not found.is_usable or found.position >= after):
            return found
        if not self._lock.acquire(blocking=False):
            return found or ReplicaState(problem="it is being asked for the first time")
        try:
            found = self._examine()
            self._note(found)
        finally:
            self._lock.release()
        return found

    def _is_recent(self, found: ReplicaState) -> bool:
        wait_s = AWAY_S if found.lag_s is None else CHECKED_EVERY_S
        return self.clock() - self._checked_at < wait_s

    def reads(self, *, after: int = 0) -> bool:
        """Whether work that has to see everything up to the position `after` can be done on the replica."""
        found = self.state(after=after)
        return found.is_usable and found.position >= after

    def run(self, work: "Callable[[Session], T]") -> T:
        """Runs a unit of work that only reads, on the replica or, if that is away, late or fails, on the primary."""
        if self.reads():
            try:
                with transaction(self.engine) as session:
                    return work(session)
            except DBAPIError as error:
                if not self.failed(error):
                    raise
        with transaction(self.primary) as session:
            return work(session)

    def failed(self, error: Exception) -> bool:
        """Whether work failed because of the replica: then it is not used for a while, and the primary does the work.

        A statement that takes too long would take as long there.
        """
        if not isinstance(error, DBAPIError) or is_timeout(error):
            return False
        self._note(ReplicaState(problem=_first_line(error)))
        return True

    def written(self) -> int:
        """The primary's position now: what was committed before is seen by whoever waits for it."""
        with self.primary.connect() as connection:
            return int(connection.execute(_POSITION).scalar_one())

    def _note(self, found: ReplicaState) -> None:
        before, self._state, self._checked_at = self._state, found, self.clock()
        if found.problem is not None and (before is None or before.is_usable):
            log.warning("the replica is not used: %s", found.problem)
        if found.problem is None and before is not None and not before.is_usable:
            log.info("the replica is used again")

    def _examine(self) -> ReplicaState:
        with self.primary.connect() as connection:
            ahead = connection.execute(_PRIMARY).one()
        try:
            behind = self._seen_from_replica(ahead.position)
        except DBAPIError as error:
            return ReplicaState(problem=_first_line(error))
        if not behind.is_standby:
            return ReplicaState(problem="it is no standby, but takes changes itself")
        if (behind.cluster, behind.database) != (ahead.cluster, ahead.database):
            return ReplicaState(problem="it is a standby of another database")
        if behind.position is not None and behind.position >= ahead.position:
            return ReplicaState(behind.position, 0.0)
        lag_s = None if behind.at is None else max(0.0, (ahead.at - behind.at).total_seconds())
        if lag_s is None or lag_s > self.longest_lag_s:
            words = "an unknown time" if lag_s is None else f"up to {lag_s:.1f} s"
            problem = f"it is {words} behind; the bound is {self.longest_lag_s:g} s"
            return ReplicaState(behind.position or 0, lag_s, problem)
        return ReplicaState(behind.position, lag_s)

    def _seen_from_replica(self, position: int) -> "Row[Any]":
        """Asks again for a moment if it has not reached `position`: on a quiet store, its last commit is long ago."""
        with self.engine.connect() as connection:
            for _ in range(LOOKS):
                found = connection.execute(_REPLICA).one()
                connection.rollback()
                if found.position is None or found.position >= position:
                    break
                time.sleep(LOOK_AGAIN_S)
        return found


def run_reading(primary: "Engine", replica: Replica | None, work: "Callable[[Session], T]") -> T:
    """Runs a unit of work that only reads, on the replica if there is one that can be used."""
    if replica is not None:
        return replica.run(work)
    with transaction(primary) as session:
        return work(session)


def _first_line(error: DBAPIError) -> str:
    return (str(error.orig).strip() or "no answer").splitlines()[0]
