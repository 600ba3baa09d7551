"""Contacts of hosts, and the decisions of people about them; a confirmed one is remembered with the owner."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import case, or_, select, update
from sqlalchemy.orm import Session

from storage.contacts.searches import add_proposal
from storage.errors import NotKnown
from storage.models.correspondence.contacts import Contact
from storage.models.sites import Owner, Site
from storage.postgres.rows import record_of, records_of
from storage.records.correspondence.contacts import (
    Confidence,
    ContactDecision,
    ContactKind,
    ContactProposal,
    ContactRecord,
    ContactRole,
    ContactSource,
)

MOST_SHOWN: Final = 60
_ROLES: Final = (
    *(ContactRole.COPYRIGHT, ContactRole.LEGAL, ContactRole.ABUSE, ContactRole.GENERAL, ContactRole.REGISTRANT),
    *(ContactRole.NETWORK_ABUSE, ContactRole.REGISTRAR_ABUSE),
)
"""Nearest to the copier first."""
_SURE: Final = (Confidence.STATED, Confidence.LIKELY, Confidence.GUESS)


def contacts_of(
    session: Session, hosts: Collection[str], *, owner_id: int | None = None, limit: int = MOST_SHOWN
) -> list[ContactRecord]:
    """Contacts of these hosts, and those remembered with the owner: those that are confirmed first, then by purpose."""
    of_party = [Contact.host.in_(list(hosts))] + ([Contact.owner_id == owner_id] if owner_id is not None else [])
    decided = case((Contact.decision == ContactDecision.CONFIRMED, 0), (Contact.decision.is_(None), 1), else_=2)
    order = (
        decided,
        case({role.value: place for place, role in enumerate(_ROLES)}, value=Contact.role),
        case({sure.value: place for place, sure in enumerate(_SURE)}, value=Contact.confidence),
        Contact.id,
    )
    return records_of(
        ContactRecord, session.scalars(select(Contact).where(or_(*of_party)).order_by(*order).limit(limit))
    )


def get_contact(session: Session, contact_id: int) -> ContactRecord:
    """Raises NotKnown."""
    found = session.get(Contact, contact_id)
    if found is None:
        raise NotKnown("contact", str(contact_id))
    return record_of(ContactRecord, found)


def decide(
    session: Session,
    contact_id: int,
    decision: ContactDecision,
    *,
    by: str,
    at: datetime,
    owner_id: int | None,
    enters_at_owner: bool = True,
) -> ContactRecord:
    """Records what a person decided about a contact, wherever else the same value was read for this host.

    Confirmed, it is remembered with the owner; with `enters_at_owner`, a registration number and an address for
    complaints are entered there if the owner has none. Raises NotKnown.
    """
    found = get_contact(session, contact_id)
    remembered = owner_id if decision is ContactDecision.CONFIRMED else None
    same = (Contact.host == found.host, Contact.kind == found.kind, Contact.value == found.value)
    values = {"decision": decision, "decided_by": by, "decided_at": at, "owner_id": remembered}
    session.execute(update(Contact).where(*same).values(**values))
    if remembered is not None and enters_at_owner:
        _enter_at_owner(session, remembered, found)
    session.expire_all()
    return get_contact(session, contact_id)


def add_by_hand(session: Session, host: str, kind: ContactKind, value: str, *, by: str, at: datetime) -> int:
    """A contact that a person knows of. Returns its id."""
    known = ContactProposal(
        kind, ContactRole.GENERAL, value, ContactSource.PERSON, place=by, confidence=Confidence.STATED, seen_at=at
    )
    return add_proposal(session, host, known)


def confirmed_address(session: Session, hosts: Collection[str], owner_id: int | None = None) -> str:
    """Where a letter may go by a person's decision: a mail address before a page; empty if nothing is confirmed."""
    known = [
        one
        for one in contacts_of(session, hosts, owner_id=owner_id)
        if one.decision is ContactDecision.CONFIRMED and one.kind is not ContactKind.REGISTRATION
    ]
    by_mail = [one for one in known if one.kind is ContactKind.MAIL]
    return next((one.value for one in (*by_mail, *known)), "")


def owner_of_host(session: Session, host: str) -> int | None:
    """The owner of the site with this host."""
    return session.scalar(select(Site.owner_id).where(Site.hosts.contains([host])).order_by(Site.id).limit(1))


def hosts_of_owner(session: Session, owner_id: int) -> list[str]:
    found = session.scalars(select(Site.hosts).where(Site.owner_id == owner_id).order_by(Site.id))
    return list(dict.fromkeys(host for hosts in found for host in hosts))


def _enter_at_owner(session: Session, owner_id: int, contact: ContactRecord) -> None:
    owner = session.get(Owner, owner_id)
    if owner is None:
        raise NotKnown("owner", str(owner_id))
    if contact.kind is ContactKind.REGISTRATION:
        owner.registration = owner.registration or contact.value
    else:
        owner.complaint_address = owner.complaint_address or contact.value
    session.flush()
