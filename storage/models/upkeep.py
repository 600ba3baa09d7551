"""What keeps the store safe and fair: the back-ups that were made of it, and what was asked for lately by whom."""

from datetime import datetime

from sqlalchemy import BigInteger, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, BigKey


class Backup(Base):
    """A back-up of this store that was made whole. Where it lies now is not known here: only where it was put."""

    __tablename__ = "backup"
    __table_args__ = (Index(None, "made_at"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    made_at: Mapped[datetime]
    """What it holds is the store as it was then."""
    place: Mapped[str]
    """The machine, and the path on it."""
    bytes: Mapped[int] = mapped_column(BigInteger)
    tested_at: Mapped[datetime | None]
    """When it was last restored into a scratch database and found whole."""


class RequestCount(Base):
    """How often one address, or one token, asked for one thing since a moment: counted for all processes of the desk.

    Unlogged: written for nearly every log-in attempt, and worth nothing after a crash.
    """

    __tablename__ = "request_count"
    __table_args__ = (Index(None, "ends_at"), {"prefixes": ["UNLOGGED"]})

    key: Mapped[str] = mapped_column(primary_key=True)
    hits: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[datetime]
    """From then on it counts anew."""
