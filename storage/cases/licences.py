"""Licences: who may republish which of our articles."""

from dataclasses import asdict
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, delete, exists, func, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session, aliased

from storage.errors import LicenceKnown, NotKnown
from storage.models.cases import Case
from storage.models.matches import PageMatch
from storage.models.pages import Page, PageVersion
from storage.models.sites import Licence, Owner, Site
from storage.pages.backlog_entry import enqueue
from storage.postgres.rows import columns_of, record_or_none, records_of
from storage.postgres.text import storable
from storage.records.cases import LicenceRecord, LicenceTerms

ENDS_SOON: Final = timedelta(days=30)
"""A licence that ends within this time is due: its renewal takes some weeks."""

_licensor, _copier = aliased(Owner, name="licensor"), aliased(Owner, name="copier")


def add_licence(session: Session, terms: LicenceTerms) -> LicenceRecord:
    """Adds a licence. Raises NotKnown for an unknown owner, and LicenceKnown if an identical licence exists.

    The database refuses contradictory terms (no licensor or two, a term that ends before it begins): validate first.
    """
    values = {
        **{name: value for name, value in asdict(terms).items() if name not in ("owner", "copier", "notes")},
        "owner_id": _owner_id(session, terms.owner),
        "author": _storable_or_none(terms.author),
        "article_url": _storable_or_none(terms.article_url),
        "copier_id": _owner_id(session, terms.copier),
        "columns": sorted(map(storable, set(terms.columns))),
    }
    statement = insert(Licence).values(**values, notes=storable(terms.notes))
    added = session.scalar(statement.on_conflict_do_nothing().returning(Licence.id))
    if added is None:
        # In SQL nothing equals NULL, but nulls are alike to this question as they are to the constraint.
        same = [getattr(Licence, name).is_not_distinct_from(value) for name, value in values.items()]
        raise LicenceKnown(session.scalars(select(Licence.id).where(*same)).one())
    return get_licence(session, added)


def get_licence(session: Session, licence_id: int) -> LicenceRecord:
    """Raises NotKnown."""
    found = record_or_none(LicenceRecord, session.execute(_licences().where(Licence.id == licence_id)))
    if found is None:
        raise NotKnown("licence", str(licence_id), "List them with: zhiwen licence list")
    return found


def list_licences(session: Session) -> list[LicenceRecord]:
    return records_of(LicenceRecord, session.execute(_licences().order_by(Licence.id)))


def list_ending(session: Session, now: datetime, before: datetime) -> list[LicenceRecord]:
    """The licences that end after `now` and before a moment, the first to end first."""
    wanted = _licences().where(ending(now, before)).order_by(Licence.valid_until, Licence.id)
    return records_of(LicenceRecord, session.execute(wanted))


def ending(now: datetime, before: datetime) -> ColumnElement[bool]:
    """Whether a licence ends after `now` and before a moment; never NULL."""
    return and_(Licence.valid_until.is_not(None), Licence.valid_until > now, Licence.valid_until <= before)


def count_ending(session: Session, now: datetime, before: datetime) -> int:
    """Number of licences that end soon; there are some hundred licences at most."""
    return session.scalar(select(func.count()).select_from(Licence).where(ending(now, before))) or 0


def remove_licence(session: Session, licence_id: int) -> LicenceRecord:
    """Removes a licence and returns it. Raises NotKnown."""
    found = get_licence(session, licence_id)
    session.execute(delete(Licence).where(Licence.id == licence_id))
    return found


def requeue_licensed(session: Session, licence: LicenceRecord) -> int:
    """Puts the pages that a licence covers back on the backlog, if they have matches or cases. Returns how many."""
    conditions: list[ColumnElement[bool]] = [PageVersion.is_current.is_(True)]
    if licence.owner_id is not None:
        conditions.append(Site.owner_id == licence.owner_id)
    if licence.terms.author is not None:
        conditions.append(PageVersion.author == storable(licence.terms.author))
    if licence.terms.article_url is not None:
        conditions.append(Page.url == storable(licence.terms.article_url))
    in_match = exists().where(or_(PageMatch.low_page_id == Page.id, PageMatch.high_page_id == Page.id))
    in_case = exists().where(Case.our_page_id == Page.id)
    versions = session.scalars(
        select(PageVersion.id)
        .join(Page, Page.id == PageVersion.page_id)
        .outerjoin(Site, Site.id == Page.site_id)
        .where(*conditions, or_(in_match, in_case))
    ).all()
    enqueue(session, versions)
    return len(versions)


@cache
def _licences() -> Select[*tuple[Any, ...]]:
    terms = columns_of(LicenceTerms, Licence, owner=_licensor.name, copier=_copier.name)
    return (
        select(*columns_of(LicenceRecord, Licence, terms=terms))
        .outerjoin(_licensor, _licensor.id == Licence.owner_id)
        .outerjoin(_copier, _copier.id == Licence.copier_id)
    )


def _owner_id(session: Session, name: str | None) -> int | None:
    if name is None:
        return None
    found = session.scalar(select(Owner.id).where(Owner.name == storable(name)))
    if found is None:
        raise NotKnown("owner", name, "List them with: zhiwen owner list")
    return found


def _storable_or_none(value: str | None) -> str | None:
    return None if value is None else storable(value)
