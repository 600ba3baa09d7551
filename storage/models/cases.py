"""Cases: one page of ours and one copying owner under a person's judgement, with pages, events and notices."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.types import CaseEventKind, CaseKind, CaseQueue, CaseState, Credit, Dismissal, NoticeChannel, Standing


class Case(Base):
    """A case. Pages that it refers to are not deleted, nor their versions and texts."""

    __tablename__ = "case"
    __table_args__ = (
        UniqueConstraint("our_page_id", "other_key"),
        Index(None, "queue", "state", "id"),
        Index(None, "opened_at"),
        Index(None, "deadline", postgresql_where=text("deadline IS NOT NULL")),
        Index(None, "snoozed_until", postgresql_where=text("snoozed_until IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    our_page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="RESTRICT"))
    other_key: Mapped[str]
    """The copier, as in PageRecord.owner_key: an owner, or a host without a known owner."""
    other_owner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("owner.id", ondelete="RESTRICT"), index=True)
    queue: Mapped[CaseQueue] = mapped_column(word(CaseQueue))
    state: Mapped[CaseState] = mapped_column(word(CaseState), server_default=CaseState.NEW.value)
    touched: Mapped[bool] = mapped_column(server_default="false")
    """Whether a person has acted on it: the program does not move it any more."""
    assignee_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("account.id", ondelete="SET NULL"), index=True)
    deadline: Mapped[datetime | None]
    snoozed_until: Mapped[datetime | None]
    """Until then it is out of the lists of what is to decide. Any change of its state clears it."""
    notes: Mapped[str] = mapped_column(server_default="")
    opened_at: Mapped[datetime] = mapped_column(server_default=func.now())
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())
    dismissed_because: Mapped[Dismissal | None] = mapped_column(word(Dismissal))
    # Totals over its live pages, by which lists are sorted and filtered.
    pages: Mapped[int] = mapped_column(server_default="0")
    chars: Mapped[int] = mapped_column(server_default="0")
    our_share: Mapped[float] = mapped_column(server_default="0")
    their_share: Mapped[float] = mapped_column(server_default="0")
    kind: Mapped[CaseKind | None] = mapped_column(word(CaseKind))
    credit: Mapped[Credit | None] = mapped_column(word(Credit))
    standing: Mapped[Standing | None] = mapped_column(word(Standing))
    score: Mapped[float | None]


class CasePage(Base):
    """A page of the copier in a case, with the last judgement of the pair."""

    __tablename__ = "case_page"
    __table_args__ = (
        UniqueConstraint("case_id", "their_page_id"),
        CheckConstraint("our_share BETWEEN 0 AND 1 AND their_share BETWEEN 0 AND 1", name="shares"),
        Index(None, "their_page_id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    case_id: Mapped[int] = mapped_column(BigKey, ForeignKey("case.id", ondelete="CASCADE"))
    their_page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="RESTRICT"))
    our_text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="RESTRICT"), index=True)
    their_text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="RESTRICT"), index=True)
    kind: Mapped[CaseKind] = mapped_column(word(CaseKind))
    chars: Mapped[int]
    our_share: Mapped[float]
    their_share: Mapped[float]
    credit: Mapped[Credit] = mapped_column(word(Credit))
    standing: Mapped[Standing] = mapped_column(word(Standing))
    broken_terms: Mapped[list[str]] = mapped_column(server_default="{}")
    licence_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("licence.id", ondelete="SET NULL"), index=True)
    found_at: Mapped[datetime] = mapped_column(server_default=func.now())
    gone_at: Mapped[datetime | None]
    """When a later judgement no longer confirmed the pair."""


class CaseEvent(Base):
    """An event of a case; never changed."""

    __tablename__ = "case_event"
    __table_args__ = (Index(None, "case_id", "id"), Index(None, "kind", "at"))

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    case_id: Mapped[int] = mapped_column(BigKey, ForeignKey("case.id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))
    kind: Mapped[CaseEventKind] = mapped_column(word(CaseEventKind))
    actor_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("account.id", ondelete="SET NULL"))
    """NULL: the program, or a removed account; `actor` keeps its name."""
    actor: Mapped[str] = mapped_column(server_default="")
    from_state: Mapped[CaseState | None] = mapped_column(word(CaseState, check="from_state"))
    to_state: Mapped[CaseState | None] = mapped_column(word(CaseState, check="to_state"))
    note: Mapped[str] = mapped_column(server_default="")
    details: Mapped[dict[str, Any]] = mapped_column(server_default="{}")


class CaseNotice(Base):
    """That a copier was written to, and what came back. A case may have several."""

    __tablename__ = "case_notice"
    __table_args__ = (
        Index(None, "case_id", "id"),
        Index(None, "letter_id", postgresql_where=text("letter_id IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    case_id: Mapped[int] = mapped_column(BigKey, ForeignKey("case.id", ondelete="CASCADE"))
    recipient: Mapped[str]
    channel: Mapped[NoticeChannel] = mapped_column(word(NoticeChannel))
    sent_at: Mapped[datetime] = mapped_column(server_default=func.now())
    reply: Mapped[str] = mapped_column(server_default="")
    replied_at: Mapped[datetime | None]
    letter_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("letter.id", ondelete="RESTRICT"))
    """The stored letter; NULL where a person noted the notice alone."""
