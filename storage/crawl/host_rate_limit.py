"""Rate limit per host, over all processes and sites: a host with many sites is one machine."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import accumulate

from sqlalchemy import case, func, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.frontier import HostTurn


def take_turn(session: Session, host: str, *, delay_s: float) -> float:
    """Reserves the next request to `host`. Returns the seconds to wait; the one after it is `delay_s` later."""
    return take_turns(session, host, [delay_s])[0]


def take_turns(session: Session, host: str, delays_s: Sequence[float]) -> list[float]:
    """Reserves the next requests to `host`, each with the delay after it. Returns the seconds to wait for each."""
    delay = timedelta(seconds=sum(delays_s))
    # The database's clock is the only one shared by all processes.
    now = func.clock_timestamp()
    statement = insert(HostTurn).values(host=host, next_at=now + delay, refusals=0)
    mine = func.greatest(HostTurn.next_at, now, HostTurn.held_until)
    first_s = session.execute(
        statement.on_conflict_do_update(index_elements=[HostTurn.host], set_={"next_at": mine + delay}).returning(
            func.extract("epoch", HostTurn.next_at - delay - now)
        )
    ).scalar_one()
    before_s = accumulate(delays_s[:-1], initial=0.0)
    return [max(0.0, float(first_s) + passed_s) for passed_s in before_s]


def count_refusal(session: Session, host: str) -> int:
    """Counts a "too many requests" answer of `host`. Returns how many in a row; several during one pause count once."""
    is_held = func.coalesce(HostTurn.held_until > func.now(), False)
    statement = insert(HostTurn).values(host=host, next_at=func.now(), refusals=1)
    more = HostTurn.refusals + case((is_held, 0), else_=1)
    return session.execute(
        statement.on_conflict_do_update(index_elements=[HostTurn.host], set_={"refusals": more}).returning(
            HostTurn.refusals
        )
    ).scalar_one()


def hold_off(session: Session, host: str, *, until: datetime) -> None:
    """Blocks requests to `host` until `until`."""
    later = func.greatest(HostTurn.held_until, until)
    session.execute(update(HostTurn).where(HostTurn.host == host).values(held_until=later))


def answers_again(session: Session, host: str) -> None:
    """Resets the refusals of a host that answers normally; a pause it asked for stays."""
    is_over = case((HostTurn.held_until <= func.now(), None), else_=HostTurn.held_until)
    session.execute(
        update(HostTurn).where(HostTurn.host == host, HostTurn.refusals > 0).values(refusals=0, held_until=is_over)
    )
