"""Settings changed at the desk, back-ups made of the store, and request limits."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func

from storage.base import Base, BigKey


class SettingChange(Base):
    """A setting changed at the desk. Rows are only ever added: the newest of a name holds."""

    __tablename__ = "setting_change"
    __table_args__ = (Index(None, "name", "id"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    value: Mapped[str | None]
    """As text, like an environment variable; NULL: the default again."""
    changed_by: Mapped[str] = mapped_column(server_default="")
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())


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
