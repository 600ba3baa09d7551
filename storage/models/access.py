"""Other ways in than a password in a browser: tokens for programs, and the second step that a person may ask for."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey


class ApiToken(Base):
    """What a program shows instead of a password. It may never do more than its account may."""

    __tablename__ = "api_token"
    __table_args__ = (
        CheckConstraint("per_minute > 0", name="per_minute"),
        CheckConstraint("cardinality(scopes) > 0", name="scopes"),
        Index(None, "account_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    """Which program it is for; for people alone."""
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the token: who reads the table cannot use it."""
    beginning: Mapped[str] = mapped_column(String(16))
    """Its first characters, by which a person knows it again."""
    scopes: Mapped[list[str]]
    per_minute: Mapped[int]
    """Requests."""
    created_at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    window_began_at: Mapped[datetime | None]
    """The minute in which requests are counted, for all processes alike."""
    window_count: Mapped[int] = mapped_column(server_default="0")


class TwoFactor(Base):
    """The secret that an account shares with an app on a phone. It asks for a code once it is confirmed."""

    __tablename__ = "two_factor"

    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    secret: Mapped[str] = mapped_column(String(64))
    """In base 32. Readable, since codes are computed from it: it protects against a stolen password, not against a
    stolen database.
    """
    last_step: Mapped[int] = mapped_column(BigKey, server_default="0")
    """The half minute of the last code that was accepted: neither it nor an earlier one is good again."""
    confirmed_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class RecoveryCode(Base):
    """A code that opens the account once, for whoever has lost the phone."""

    __tablename__ = "recovery_code"
    __table_args__ = (UniqueConstraint("account_id", "code_hash"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"))
    code_hash: Mapped[str] = mapped_column(String(64))
    used_at: Mapped[datetime | None]
