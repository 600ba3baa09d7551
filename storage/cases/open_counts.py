"""What waits for a decision, counted by what one would begin with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import String, cast, func, literal, select, union_all
from sqlalchemy.orm import Session

from storage.cases.severity import severity_of_case
from storage.models.cases import Case
from storage.models.sites import Owner
from storage.records.case_states import WAITING_STATES
from storage.types import CaseQueue

SHOWN_OWNERS: Final = 8


@dataclass(frozen=True, slots=True)
class Waiting:
    by_owner: list[tuple[str, int]]
    """Who is behind the copies, the most first."""
    by_severity: Mapping[str, int]
    by_credit: Mapping[str, int]


def waiting(session: Session) -> Waiting:
    """One question: the cases are read once for all three."""
    waits = (
        select(severity_of_case().label("severity"), Case.credit, Case.other_key, Case.other_owner_id)
        .where(Case.queue == CaseQueue.COPIED, Case.state.in_(WAITING_STATES))
        .cte("waits")
        .prefix_with("MATERIALIZED")
    )
    count = func.count().label("count")
    of_owner = waits.c.other_key, waits.c.other_owner_id
    most = select(*of_owner, count).group_by(*of_owner).order_by(count.desc(), waits.c.other_key).limit(SHOWN_OWNERS)
    owners = most.subquery()
    name = func.coalesce(Owner.name, func.substr(owners.c.other_key, len("host:") + 1))
    counted = union_all(
        select(literal("severity").label("by"), waits.c.severity.label("key"), count).group_by(waits.c.severity),
        select(literal("credit"), cast(waits.c.credit, String), count).group_by(waits.c.credit),
        select(literal("owner"), name, owners.c.count).outerjoin(Owner, Owner.id == owners.c.other_owner_id),
    )
    found: dict[str, dict[str, int]] = {"severity": {}, "credit": {}, "owner": {}}
    for by, key, number in session.execute(counted):
        if key is not None:
            found[by][key] = number
    by_owner = sorted(found["owner"].items(), key=lambda item: (-item[1], item[0]))
    return Waiting(by_owner, found["severity"], found["credit"])
