"""Contacts of hosts, the searches that found them, and what people decided about them."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.records.correspondence.contacts import Confidence, ContactDecision, ContactKind, ContactRole, ContactSource


class ContactSearch(Base):
    """One search for whom to write to about a host."""

    __tablename__ = "contact_search"
    __table_args__ = (
        Index(None, "host", "id"),
        # At most one search of a host waits or runs.
        Index("uq_contact_search_open", "host", unique=True, postgresql_where=text("ended_at IS NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    host: Mapped[str] = mapped_column(String(300))
    asked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    asked_by: Mapped[str] = mapped_column(server_default="")
    ended_at: Mapped[datetime | None]
    requests: Mapped[int] = mapped_column(server_default="0")
    notes: Mapped[list[dict[str, Any]]] = mapped_column(server_default="[]")


class Contact(Base):
    """A contact of a host: proposed by a search or entered by a person."""

    __tablename__ = "contact"
    __table_args__ = (
        UniqueConstraint("host", "kind", "value", "source"),
        CheckConstraint("(decision IS NULL) = (decided_at IS NULL)", name="decided"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    host: Mapped[str] = mapped_column(String(300))
    kind: Mapped[ContactKind] = mapped_column(word(ContactKind))
    role: Mapped[ContactRole] = mapped_column(word(ContactRole))
    value: Mapped[str] = mapped_column(String(2000))
    name: Mapped[str] = mapped_column(server_default="")
    source: Mapped[ContactSource] = mapped_column(word(ContactSource))
    place: Mapped[str] = mapped_column(server_default="")
    confidence: Mapped[Confidence] = mapped_column(word(Confidence))
    seen_at: Mapped[datetime]
    owner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("owner.id", ondelete="SET NULL"), index=True)
    decision: Mapped[ContactDecision | None] = mapped_column(word(ContactDecision))
    decided_by: Mapped[str] = mapped_column(server_default="")
    decided_at: Mapped[datetime | None]
