"""Back-ups made of the store, and request limits."""

from datetime import datetime

from sqlalchemy import BigInteger, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, BigKey


class Backup(Base):
    """A complete back-up of this store. Its present location is unknown: only where it was written."""

    __tablename__ = "backup"
    __table_args__ = (Index(None, "made_at"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    made_at: Mapped[datetime]
    """The moment of its snapshot."""
    place: Mapped[str]
    """The machine, and the path on it."""
    bytes: Mapped[int] = mapped_column(BigInteger)
    tested_at: Mapped[datetime | None]
    """When it was last restored into a scratch database and verified."""


class RequestCount(Base):
    """Number of requests of one kind by one address or token since a moment, over all processes of the desk.

    Unlogged: written for nearly every log-in attempt, and worthless after a crash.
    """

    __tablename__ = "request_count"
    __table_args__ = (Index(None, "ends_at"), {"prefixes": ["UNLOGGED"]})

    key: Mapped[str] = mapped_column(primary_key=True)
    hits: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[datetime]
    """From then on requests are counted from zero."""
