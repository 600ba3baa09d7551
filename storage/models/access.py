"""Further credentials: tokens for programs, and the second factor of accounts."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey


class ApiToken(Base):
    """A credential of a program. Its permissions never exceed those of its account."""

    __tablename__ = "api_token"
    __table_args__ = (
        CheckConstraint("per_minute > 0", name="per_minute"),
        CheckConstraint("cardinality(scopes) > 0", name="scopes"),
        Index(None, "account_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    """The program that it is for, as a note to people."""
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the token: reading the table does not give access."""
    beginning: Mapped[str] = mapped_column(String(16))
    """Its first characters, by which a person recognises it."""
    scopes: Mapped[list[str]]
    per_minute: Mapped[int]
    """Requests per minute."""
    created_at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    window_began_at: Mapped[datetime | None]
    """The minute in which requests are counted, shared by all processes."""
    window_count: Mapped[int] = mapped_column(server_default="0")


class TwoFactor(Base):
    """The secret that an account shares with an authenticator app. In force once it is confirmed."""

    __tablename__ = "two_factor"

    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    secret: Mapped[str] = mapped_column(String(64))
    """In base 32. Readable, since codes are computed from it: it protects against a stolen password, not against a
    stolen database.
    """
    last_step: Mapped[int] = mapped_column(BigKey, server_default="0")
    """The half minute of the last accepted code: neither it nor an earlier one is accepted again."""
    confirmed_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class RecoveryCode(Base):
    """A code that opens the account once, for a person without the phone."""

    __tablename__ = "recovery_code"
    __table_args__ = (UniqueConstraint("account_id", "code_hash"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"))
    code_hash: Mapped[str] = mapped_column(String(64))
    used_at: Mapped[datetime | None]
