"""Texts that a person has set aside as proving nothing, and what that did to cases."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.types import CaseState, SetAsideScope


class SetAsideText(Base):
    """A text that proves nothing by a person's decision. Its runs are rows of `boilerplate` while it is in force."""

    __tablename__ = "set_aside_text"
    __table_args__ = (
        CheckConstraint("(scope = 'site') = (site_id IS NOT NULL)", name="site"),
        CheckConstraint("(scope = 'owner') = (owner_key IS NOT NULL)", name="owner"),
        Index(None, "made_at", postgresql_where=text("withdrawn_at IS NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    body: Mapped[str]
    scope: Mapped[SetAsideScope] = mapped_column(word(SetAsideScope))
    site_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), index=True)
    owner_key: Mapped[str | None]
    """As in PageRecord.owner_key: an owner, an account, or a host without a known owner."""
    page_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("page.id", ondelete="SET NULL"), index=True)
    """Where it was seen; NULL for a text that was handed in."""
    note: Mapped[str] = mapped_column(server_default="")
    algorithm_version: Mapped[int]
    """Of its runs."""
    actor_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("account.id", ondelete="SET NULL"), index=True)
    actor: Mapped[str] = mapped_column(server_default="")
    """Empty: the command line."""
    made_at: Mapped[datetime] = mapped_column(server_default=func.now())
    withdrawn_at: Mapped[datetime | None]
    withdrawn_by: Mapped[str] = mapped_column(server_default="")


class SetAsideCase(Base):
    """A page of a case that rested on a text when it was set aside."""

    __tablename__ = "set_aside_case"

    set_aside_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("set_aside_text.id", ondelete="CASCADE"), primary_key=True
    )
    case_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("case.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    their_page_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    share: Mapped[float]
    """Of what the pair shares, how much is in the text, 0…1."""
    state_before: Mapped[CaseState] = mapped_column(word(CaseState))
    is_taken_back: Mapped[bool]
    """Whether the page has left the case; False: the case was decided, and only rests on the text."""
