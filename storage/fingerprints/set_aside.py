"""Texts that people have set aside as proving nothing, and the stored texts that hold them."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any, Final

from sqlalchemy import Integer, Select, case, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage.column_types import array_literal
from storage.errors import NotKnown
from storage.fingerprints.boilerplate import save_verdicts
from storage.models.matches import Boilerplate
from storage.models.pages import Page, PageVersion
from storage.models.set_aside import SetAsideCase, SetAsideText
from storage.models.sites import Owner, Site
from storage.pages.backlog_entry import enqueue
from storage.postgres.planner import indexes_forced
from storage.postgres.rows import columns_of, record_or_none, records_of
from storage.postgres.text import storable
from storage.records.candidates import BoilerplateRun
from storage.records.set_aside import NewSetAside, SetAsideRecord

NOTE_CHARS: Final = 2_000
_OWNER: Final = "owner:"

_HOLD: Final = text(
    """
    SELECT text_id FROM fingerprint
    WHERE seeds && CAST(:seeds AS integer[]) AND algorithm_version + 0 = :version ORDER BY text_id DESC LIMIT :bound
    """
)


def add(session: Session, new: NewSetAside, *, actor_id: int | None, actor: str) -> int:
    """Keeps a text that is set aside, without its runs. Returns its number."""
    values = {
        "body": storable(new.body),
        "scope": new.scope,
        "site_id": new.site_id,
        "owner_key": new.owner_key,
        "page_id": new.page_id,
        "note": storable(new.note[:NOTE_CHARS]),
        "algorithm_version": ALGORITHM_VERSION,
        "actor_id": actor_id,
        "actor": actor,
    }
    return session.execute(insert(SetAsideText).values(**values).returning(SetAsideText.id)).scalar_one()


def keep_runs(session: Session, set_aside_id: int, runs: Iterable[BoilerplateRun]) -> None:
    """Replaces the runs of a text by those of the present algorithm version."""
    session.execute(delete(Boilerplate).where(Boilerplate.set_aside_id == set_aside_id))
    save_verdicts(session, runs)
    renewed = update(SetAsideText).where(SetAsideText.id == set_aside_id)
    session.execute(renewed.values(algorithm_version=ALGORITHM_VERSION))


def withdraw(session: Session, set_aside_id: int, *, by: str) -> bool:
    """Withdraws a text: its runs go. Returns whether it was in force. Raises NotKnown."""
    session.execute(delete(Boilerplate).where(Boilerplate.set_aside_id == set_aside_id))
    values = {"withdrawn_at": func.now(), "withdrawn_by": by}
    in_force = update(SetAsideText).where(SetAsideText.id == set_aside_id, SetAsideText.withdrawn_at.is_(None))
    if session.scalar(in_force.values(**values).returning(SetAsideText.id)) is not None:
        return True
    get(session, set_aside_id)
    return False


def get(session: Session, set_aside_id: int) -> SetAsideRecord:
    """Raises NotKnown."""
    found = record_or_none(SetAsideRecord, session.execute(_records().where(SetAsideText.id == set_aside_id)))
    if found is None:
        raise NotKnown("set-aside text", str(set_aside_id), "List them with: zhiwen boilerplate list")
    return found


def list_set_aside(
    session: Session, *, withdrawn: bool = False, limit: int | None = None, offset: int = 0, below: int | None = None
) -> list[SetAsideRecord]:
    """The texts in force, or those `withdrawn`, newest first. `below`: with lower ids."""
    statement = _records().where(SetAsideText.withdrawn_at.is_not(None) if withdrawn else _in_force())
    if below is not None:
        statement = statement.where(SetAsideText.id < below)
    rows = session.execute(statement.order_by(SetAsideText.id.desc()).limit(limit).offset(offset))
    return records_of(SetAsideRecord, rows)


def count(session: Session, *, withdrawn: bool = False) -> int:
    where = SetAsideText.withdrawn_at.is_not(None) if withdrawn else _in_force()
    return session.scalar(select(func.count()).select_from(SetAsideText).where(where)) or 0


def outdated(session: Session) -> list[SetAsideRecord]:
    """Texts in force whose runs are of another algorithm version."""
    return records_of(
        SetAsideRecord,
        session.execute(_records().where(_in_force(), SetAsideText.algorithm_version != ALGORITHM_VERSION)),
    )


def texts_holding(session: Session, seeds: Collection[int], *, bound: int) -> list[int]:
    """Stored texts that hold any of these seeds, newest first."""
    if not seeds:
        return []
    asked = {"seeds": array_literal(seeds), "version": ALGORITHM_VERSION, "bound": bound}
    with indexes_forced(session, alone=True):
        return list(session.scalars(_HOLD, asked))


def compare_again(session: Session, text_ids: Collection[int], page_ids: Collection[int] = ()) -> int:
    """Puts the current versions of these texts and pages on the backlog, whether they have matches or not. Returns how
    many.
    """
    versions = select(PageVersion.id).where(PageVersion.is_current)
    found = {
        *session.scalars(versions.where(PageVersion.text_id.in_(list(text_ids)))),
        *session.scalars(versions.where(PageVersion.page_id.in_(list(page_ids)))),
    }
    enqueue(session, found)
    return len(found)


def _in_force() -> Any:
    return SetAsideText.withdrawn_at.is_(None)


@cache
def _records() -> Select[*tuple[Any, ...]]:
    return (
        select(
            *columns_of(
                SetAsideRecord,
                SetAsideText,
                site=Site.name,
                owner=func.coalesce(Owner.name, func.regexp_replace(SetAsideText.owner_key, "^(host|account):", "")),
                page_url=Page.url,
                taken_back=_cases(taken_back=True),
                resting=_cases(taken_back=False),
            )
        )
        .outerjoin(Site, Site.id == SetAsideText.site_id)
        .outerjoin(Owner, Owner.id == _owner_id())
        .outerjoin(Page, Page.id == SetAsideText.page_id)
    )


def _owner_id() -> Any:
    """The owner that the key names. CASE, since Postgres may test conditions in any order."""
    number = func.substr(SetAsideText.owner_key, len(_OWNER) + 1).cast(Integer)
    return case((SetAsideText.owner_key.like(f"{_OWNER}%"), number), else_=None)


def _cases(*, taken_back: bool) -> Any:
    return (
        select(func.count(SetAsideCase.case_id.distinct()))
        .where(SetAsideCase.set_aside_id == SetAsideText.id, SetAsideCase.is_taken_back.is_(taken_back))
        .correlate(SetAsideText)
        .scalar_subquery()
    )
