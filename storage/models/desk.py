"""What the desk remembers for each person: lists they saved, and when they were last here."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func

from storage.base import Base, BigKey


class SavedView(Base):
    """A filter of the list of cases under a name."""

    __tablename__ = "saved_view"
    __table_args__ = (UniqueConstraint("account_id", "name"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    query: Mapped[str]
    """As it stands in the address of the list."""
    is_shared: Mapped[bool] = mapped_column(server_default="false")
    """Whether the others see it too."""
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DeskVisit(Base):
    """When a person was at the desk: what has come since the visit before is new to him."""

    __tablename__ = "desk_visit"

    account_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    previous_at: Mapped[datetime | None]
    """The last sign of the visit before this one."""
    last_at: Mapped[datetime]
    """The last sign of this one."""
