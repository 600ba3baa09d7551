"""One decision on many cases, in a few statements whatever their number."""

from collections.abc import Mapping

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from storage.cases.decisions import TOGETHER
from storage.models.cases import Case, CaseEvent
from storage.records.case_states import may_move
from storage.records.cases import Actor
from storage.types import CaseEventKind, CaseState, Dismissal


def states_of(session: Session, case_ids: list[int]) -> dict[int, CaseState]:
    """The states of those of these cases that exist, by id in ascending order."""
    rows = session.execute(select(Case.id, Case.state).where(Case.id.in_(case_ids)).order_by(Case.id))
    return {row.id: row.state for row in rows}


def move_cases(
    session: Session,
    seen: Mapping[int, CaseState],
    to: CaseState,
    *,
    actor: Actor,
    together: str,
    because: Dismissal | None = None,
) -> list[int]:
    """Moves the cases that are still in the state that the person saw and may go from there. Returns their ids.

    As `storage.cases.actions.move_case` for each. `together`: the token that their events share.
    """
    # In order of id, so that two requests cannot deadlock.
    locked = session.execute(
        select(Case.id, Case.state, Case.queue)
        .where(Case.id.in_(list(seen)))
        .order_by(Case.id)
        .with_for_update(key_share=True)
    ).all()
    moved = {row.id: row.state for row in locked if row.state is seen[row.id] and may_move(row.state, to, row.queue)}
    if not moved:
        return []
    reason = because if to is CaseState.DISMISSED else None
    values = {
        "state": to,
        "dismissed_because": reason,
        "touched": True,
        "changed_at": func.now(),
        "snoozed_until": None,
    }
    session.execute(update(Case).where(Case.id.in_(list(moved))).values(**values))
    details = {TOGETHER: together} | ({} if reason is None else {"because": reason.value})
    session.execute(
        insert(CaseEvent),
        [
            {
                "case_id": case_id,
                "kind": CaseEventKind.MOVED,
                "actor_id": actor.account_id,
                "actor": actor.name,
                "from_state": state,
                "to_state": to,
                "details": details,
            }
            for case_id, state in moved.items()
        ],
    )
    return list(moved)
