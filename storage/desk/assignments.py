"""Assignment of cases to a person, who gets an alert."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.cases import actions
from storage.jobs import alert_events
from storage.models.cases import CaseEvent
from storage.records.alerts import ASSIGNED_CASES, AlertKind
from storage.records.cases import Actor


def assign(session: Session, case_ids: Sequence[int], assignee: Actor | None, *, actor: Actor) -> None:
    """Assigns cases to a person, or to nobody; all of them raise one alert, unless one assigns them to oneself.

    Raises NotKnown.
    """
    for case_id in case_ids:
        actions.assign_case(session, case_id, assignee, actor=actor)
    if not case_ids or assignee is None or assignee.account_id == actor.account_id:
        return
    event_id = session.scalar(select(func.max(CaseEvent.id)).where(CaseEvent.case_id == case_ids[-1]))
    said: dict[str, str | int | float] = {
        "account": assignee.account_id,
        "name": assignee.name,
        "by": actor.name,
        ASSIGNED_CASES: len(case_ids),
    }
    only = case_ids[0] if len(case_ids) == 1 else None
    alert_events.raise_event(session, AlertKind.MENTIONED, key=f"assigned:{event_id}", case_id=only, details=said)
