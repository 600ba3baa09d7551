"""Owners of sites."""

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.errors import NameTaken, NotKnown
from storage.models.sites import Owner
from storage.postgres.rows import record_of, records_of
from storage.records.sites import OwnerRecord


def add_owner(
    session: Session, name: str, *, registration: str = "", complaint_address: str = "", notes: str = ""
) -> OwnerRecord:
    """Raises NameTaken."""
    added = session.scalar(
        insert(Owner)
        .values(name=name, registration=registration, complaint_address=complaint_address, notes=notes)
        .on_conflict_do_nothing()
        .returning(Owner.id)
    )
    if added is None:
        raise NameTaken("owner", name)
    return get_owner(session, name)


def get_owner(session: Session, name: str) -> OwnerRecord:
    """Raises NotKnown."""
    owner = session.scalar(select(Owner).where(Owner.name == name))
    if owner is None:
        raise NotKnown("owner", name, "List them with: zhiwen owner list")
    return record_of(OwnerRecord, owner)


def list_owners(session: Session) -> list[OwnerRecord]:
    return records_of(OwnerRecord, session.scalars(select(Owner).order_by(Owner.name)))


def edit_owner(
    session: Session,
    name: str,
    *,
    registration: str | None = None,
    complaint_address: str | None = None,
    notes: str | None = None,
) -> OwnerRecord:
    """Changes the given fields. Raises NotKnown."""
    owner = session.scalar(select(Owner).where(Owner.name == name))
    if owner is None:
        raise NotKnown("owner", name, "List them with: zhiwen owner list")
    if registration is not None:
        owner.registration = registration
    if complaint_address is not None:
        owner.complaint_address = complaint_address
    if notes is not None:
        owner.notes = notes
    session.flush()
    return record_of(OwnerRecord, owner)


def owner_by_id(session: Session, owner_id: int) -> OwnerRecord | None:
    owner = session.get(Owner, owner_id)
    return None if owner is None else record_of(OwnerRecord, owner)
