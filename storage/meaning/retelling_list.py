"""The list of possible retellings: filters, order, counts, and what people decide.

Pairs with a match of their wording are hits, and are not listed here unless a person has decided about them.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, exists, func, literal, or_, select, tuple_, update
from sqlalchemy.orm import Session

from storage.meaning.retellings import retelling_record, select_retellings, without_hits
from storage.models.meaning import Retelling
from storage.models.pages import Page, PageVersion
from storage.models.sites import Owner, Site
from storage.postgres.text import storable
from storage.records.cases import Actor
from storage.records.retellings import RetellingFilter, RetellingRecord
from storage.types import Dismissal, RetellingState

EVERYTHING: Final = RetellingFilter()
CHUNK: Final = 200
"""Records read at once: each has its sentences."""


def ids_of_retellings(session: Session, where: RetellingFilter, *, bound: int) -> list[int]:
    """Ids of matching retellings, highest score first, at most `bound`."""
    return list(session.scalars(_ids(where).order_by(Retelling.score.desc(), Retelling.id).limit(bound)))


def retellings_by_id(session: Session, ids: Sequence[int]) -> list[RetellingRecord]:
    """Those of these retellings that exist, in this order."""
    return list(_chunks(session, ids))


def stream_retellings(session: Session, where: RetellingFilter, *, limit: int) -> Iterator[RetellingRecord]:
    """Matching retellings, highest score first, fetched in chunks."""
    return _chunks(session, ids_of_retellings(session, where, bound=limit))


def retellings_below(
    session: Session, where: RetellingFilter, *, below: int | None, limit: int
) -> list[RetellingRecord]:
    """Matching retellings, newest first; with `below`, those with lower ids."""
    wanted = _ids(where).order_by(Retelling.id.desc()).limit(limit)
    if below is not None:
        wanted = wanted.where(Retelling.id < below)
    return retellings_by_id(session, session.scalars(wanted).all())


def get_retelling(session: Session, retelling_id: int) -> RetellingRecord | None:
    found = retellings_by_id(session, [retelling_id])
    return found[0] if found else None


def count_by_state(session: Session, where: RetellingFilter = EVERYTHING) -> dict[RetellingState, int]:
    """How many match in each state, whatever state `where` names; states without any are left out."""
    conditions = [*_conditions(where), is_listed()]
    rows = session.execute(
        select(Retelling.state, func.count()).where(*conditions).group_by(Retelling.state).order_by(Retelling.state)
    )
    return {RetellingState(state): count for state, count in rows}


def next_retelling(
    session: Session, where: RetellingFilter, after: RetellingRecord, *, backwards: bool = False
) -> int | None:
    """The id of the retelling that follows in the list, or precedes with `backwards`."""
    place = tuple_(-Retelling.score, Retelling.id)
    here = tuple_(literal(-after.score), literal(after.id))
    if backwards:
        wanted = _ids(where).where(place < here).order_by(Retelling.score, Retelling.id.desc())
    else:
        wanted = _ids(where).where(place > here).order_by(Retelling.score.desc(), Retelling.id)
    return session.scalar(wanted.limit(1))


def retellings_of_case(session: Session, case_id: int) -> dict[tuple[int, int], RetellingRecord]:
    """The retellings that a case rests on, by their pages (copy, source)."""
    rows = session.execute(select_retellings().where(Retelling.case_id == case_id).order_by(Retelling.id))
    records = map(retelling_record, rows)
    return {(record.copy.page_id, record.source.page_id): record for record in records}


def dismiss_retelling(session: Session, retelling_id: int, because: Dismissal, *, actor: Actor) -> bool:
    """Dismiss an open retelling. Returns False if somebody else decided meanwhile."""
    values = {"state": RetellingState.DISMISSED, "dismissed_because": because}
    return _decide(session, retelling_id, RetellingState.OPEN, actor, values)


def reopen_retelling(session: Session, retelling_id: int, *, expected: RetellingState) -> bool:
    """Undo a decision: the retelling is open again. Returns False if it is not in the `expected` state any more."""
    values = {"state": RetellingState.OPEN, "dismissed_because": None, "case_id": None}
    return _decide(session, retelling_id, expected, None, values)


def mark_case(session: Session, retelling_id: int, case_id: int, *, actor: Actor | None) -> bool:
    """Record that an open retelling has become a case. `actor`: None is the program. Returns False if somebody decided
    meanwhile.
    """
    values = {"state": RetellingState.CASE, "case_id": case_id}
    return _decide(session, retelling_id, RetellingState.OPEN, actor, values, at=datetime.now(UTC))


def _decide(
    session: Session,
    retelling_id: int,
    expected: RetellingState,
    actor: Actor | None,
    values: dict[str, Any],
    *,
    at: datetime | None = None,
) -> bool:
    decided = {
        "decided_by": None if actor is None else actor.account_id,
        "decided_at": at if actor is None else datetime.now(UTC),
    }
    changed = (
        update(Retelling)
        .where(Retelling.id == retelling_id, Retelling.state == expected)
        .values(**values, **decided)
        .returning(Retelling.id)
    )
    return session.scalar(changed) is not None


def _chunks(session: Session, ids: Sequence[int]) -> Iterator[RetellingRecord]:
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        rows = session.execute(select_retellings().where(Retelling.id.in_(chunk)))
        found = {record.id: record for record in map(retelling_record, rows)}
        yield from (found[one] for one in chunk if one in found)


def _ids(where: RetellingFilter) -> Select[int]:
    state = [] if where.state is None else [Retelling.state == where.state]
    return select(Retelling.id).where(*_conditions(where), *state, is_listed())


def is_listed() -> ColumnElement[bool]:
    """Whether it is decided about, or no match of wording is stored of its pages: such pairs are hits."""
    return or_(Retelling.state != RetellingState.OPEN, without_hits())


def _conditions(where: RetellingFilter) -> list[ColumnElement[bool]]:
    """All conditions but the state."""
    conditions: list[ColumnElement[bool]] = []
    if where.kind:
        conditions.append(Retelling.kind == where.kind)
    if where.relation:
        conditions.append(Retelling.relation == where.relation)
    if where.min_score > 0:
        conditions.append(Retelling.score >= where.min_score)
    if where.site:
        conditions.append(_on_either_side(Site.name == storable(where.site)))
    if where.owner:
        conditions.append(_on_either_side(Owner.name == storable(where.owner)))
    if where.role:
        of_source = select(Site.role).where(Page.id == Retelling.source_page_id, Site.id == Page.site_id)
        conditions.append(of_source.scalar_subquery() == where.role)
    if where.text:
        conditions.append(_named(storable(where.text)))
    return conditions


def _on_either_side(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    sites = select(Site.id).outerjoin(Owner, Owner.id == Site.owner_id).where(condition)
    pages = select(Page.id).where(Page.site_id.in_(sites))
    return or_(Retelling.low_page_id.in_(pages), Retelling.high_page_id.in_(pages))


def _named(piece: str) -> ColumnElement[bool]:
    """Whether either page has the piece in its URL or in a title of any version, ignoring case."""
    sides = (Retelling.low_page_id, Retelling.high_page_id)
    return or_(
        *(exists().where(Page.id == side, _has(Page.url, piece)) for side in sides),
        *(exists().where(PageVersion.page_id == side, _has(PageVersion.title, piece)) for side in sides),
    )


def _has(column: Any, piece: str) -> ColumnElement[bool]:
    return func.strpos(func.lower(column), func.lower(piece)) > 0
