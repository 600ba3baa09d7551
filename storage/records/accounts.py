"""Records of accounts."""

from dataclasses import dataclass
from datetime import datetime

from storage.types import AccountRole


@dataclass(frozen=True, slots=True)
class AccountRecord:
    id: int
    name: str
    password_hash: str
    role: AccountRole
    language: str
    enabled: bool
    time_zone: str = ""
    must_change_password: bool = False


@dataclass(frozen=True, slots=True)
class AccountSummary:
    """An account in the list of people."""

    account: AccountRecord
    created_at: datetime
    last_login_at: datetime | None
    open_sessions: int
    link_expires_at: datetime | None
    """Expiry of the link to set a password; None without a link."""
