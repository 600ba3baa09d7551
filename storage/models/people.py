"""Who may log in."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func

from storage.base import Base, BigKey
from storage.types import AccountRole, word


class Account(Base):
    """A person at the desk."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    password_hash: Mapped[str]
    role: Mapped[AccountRole] = mapped_column(word(AccountRole))
    language: Mapped[str] = mapped_column(String(16), server_default="")
    enabled: Mapped[bool] = mapped_column(server_default="true")
    session_token: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_login_at: Mapped[datetime | None]
