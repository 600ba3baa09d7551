"""Searches for the contacts of hosts: asked for, carried out, and what each source returned."""

from dataclasses import asdict
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.correspondence.contacts import Contact, ContactSearch
from storage.postgres.rows import record_of
from storage.postgres.text import storable
from storage.records.correspondence.contacts import (
    ContactProposal,
    ContactSearchRecord,
    ContactsFound,
    SearchOutcome,
    SourceNote,
)
from storage.records.correspondence.contacts import ContactSource as Source

NAME_CHARS: Final = 300
PLACE_CHARS: Final = 2_000
WORDS_CHARS: Final = 500


def ask_for_contacts(session: Session, host: str, *, asked_by: str) -> bool:
    """Notes that a search of this host is wanted. Returns whether it is new: False if one waits or runs."""
    wanted = insert(ContactSearch).values(host=host, asked_by=asked_by).on_conflict_do_nothing()
    return session.scalar(wanted.returning(ContactSearch.id)) is not None


def next_search(session: Session) -> ContactSearchRecord | None:
    """The oldest search that waits. It stays open until `finish_search`, so that a killed worker loses nothing."""
    open_ones = select(ContactSearch).where(ContactSearch.ended_at.is_(None)).order_by(ContactSearch.id).limit(1)
    found = session.scalar(open_ones)
    return None if found is None else _record(found)


def is_waiting(session: Session) -> bool:
    return session.scalar(select(ContactSearch.id).where(ContactSearch.ended_at.is_(None)).limit(1)) is not None


def finish_search(session: Session, search_id: int, found: ContactsFound) -> None:
    """Stores what a search found, and ends it. A proposal that is known keeps the decision of a person."""
    notes = [{name: storable(str(value))[:WORDS_CHARS] for name, value in asdict(note).items()} for note in found.notes]
    values = {"ended_at": func.clock_timestamp(), "requests": found.requests, "notes": notes}
    session.execute(update(ContactSearch).where(ContactSearch.id == search_id).values(**values))
    for proposal in found.proposals:
        add_proposal(session, found.host, proposal)


def add_proposal(session: Session, host: str, proposal: ContactProposal) -> int:
    """Stores a proposal, or what is new about a known one. Returns the id of the contact."""
    key = {"host": host, "kind": proposal.kind, "value": storable(proposal.value), "source": proposal.source}
    fresh = {
        "role": proposal.role,
        "name": storable(proposal.name)[:NAME_CHARS],
        "place": storable(proposal.place)[:PLACE_CHARS],
        "confidence": proposal.confidence,
        "seen_at": proposal.seen_at,
    }
    added = insert(Contact).values(**key, **fresh)
    stored = added.on_conflict_do_update(index_elements=list(key), set_=fresh).returning(Contact.id)
    return session.execute(stored).scalar_one()


def last_search(session: Session, host: str) -> ContactSearchRecord | None:
    newest = select(ContactSearch).where(ContactSearch.host == host).order_by(ContactSearch.id.desc()).limit(1)
    found = session.scalar(newest)
    return None if found is None else _record(found)


def last_ended(session: Session, host: str) -> ContactSearchRecord | None:
    """The newest search of a host that is over."""
    over = (ContactSearch.host == host, ContactSearch.ended_at.is_not(None))
    newest = select(ContactSearch).where(*over).order_by(ContactSearch.id.desc()).limit(1)
    found = session.scalar(newest)
    return None if found is None else _record(found)


def _record(row: ContactSearch) -> ContactSearchRecord:
    notes = tuple(
        SourceNote(Source(note["source"]), SearchOutcome(note["outcome"]), note["words"]) for note in row.notes
    )
    return record_of(ContactSearchRecord, row, notes=notes)
