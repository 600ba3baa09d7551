"""Accounts, their sessions and links, the first account's code, failed log-ins, and the audit log."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func

from storage.base import Base, BigKey
from storage.column_types import word
from storage.types import AccountRole


class Account(Base):
    """A person at the desk."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    password_hash: Mapped[str]
    role: Mapped[AccountRole] = mapped_column(word(AccountRole))
    language: Mapped[str] = mapped_column(String(16), server_default="")
    time_zone: Mapped[str] = mapped_column(String(64), server_default="")
    """Empty: the language of the installation."""
    enabled: Mapped[bool] = mapped_column(server_default="true")
    must_change_password: Mapped[bool] = mapped_column(server_default="false")
    """Somebody else chose the password: it only opens the page where a new one is chosen."""
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_login_at: Mapped[datetime | None]


class DeskSession(Base):
    """A logged-in browser. Deleting the row revokes it."""

    __tablename__ = "desk_session"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the session's secret: reading the table does not give access."""
    browser: Mapped[str] = mapped_column(String(400), server_default="")
    address: Mapped[str] = mapped_column(String(64), server_default="")
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)


class PasswordLink(Base):
    """A link by which a person sets a password once: sent to new people instead of a password."""

    __tablename__ = "password_link"

    account_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    expires_at: Mapped[datetime]


class FirstAccountCode(Base):
    """What the code of the first account is derived from. At most one row, and none once there is an account."""

    __tablename__ = "first_account_code"
    __table_args__ = (CheckConstraint("id = 1", name="one"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    nonce: Mapped[bytes]
    """The code is a keyed hash of it: reading the table does not give access."""
    expires_at: Mapped[datetime]


class LoginFailure(Base):
    """A failed log-in. Stored, so that neither a restart nor a second process resets the count."""

    __tablename__ = "login_failure"
    __table_args__ = (Index(None, "name_hash", "at"), Index(None, "address", "at"), Index(None, "at"))

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name_hash: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the name entered: people sometimes enter the password there."""
    address: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(server_default=func.now())


class AuditEvent(Base):
    """A change made by a person. Rows are only ever added."""

    __tablename__ = "audit_event"
    __table_args__ = (Index(None, "actor_id", "id"), Index(None, "act", "id"), Index(None, "at"))

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    actor_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("account.id", ondelete="SET NULL"))
    actor: Mapped[str] = mapped_column(String(80), server_default="")
    """The name at that time; empty for changes on the command line."""
    act: Mapped[str] = mapped_column(String(60))
    subject: Mapped[str] = mapped_column(String(400))
    detail: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
