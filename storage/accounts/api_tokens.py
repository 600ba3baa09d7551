"""API tokens: shown once, stored as hashes, rate-limited by the minute.

A token has 256 random bits, so its SHA-256 needs no salt and nobody can guess one.
"""

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, Final

from sqlalchemy import Select, case, delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.errors import NotKnown
from storage.models.access import ApiToken
from storage.models.alerts import FeedToken
from storage.models.people import Account
from storage.postgres.rows import record_of
from storage.postgres.text import storable
from storage.records.accounts import AccountRecord

PREFIX: Final = "zwt_"
"""Makes tokens recognisable, for example in leaked files."""
LONGEST_NAME: Final = 80
DEFAULT_PER_MINUTE: Final = 120
MOST_PER_MINUTE: Final = 6_000
DEFAULT_DAYS: Final = 365
MOST_DAYS: Final = 1_095
MOST_TOKENS: Final = 50
"""Valid tokens per account."""
WINDOW: Final = timedelta(minutes=1)
_SHOWN_CHARS: Final = 10


class TokenScope(StrEnum):
    """What a token may be used for, within the rights of its account."""

    READ = "read"
    CHECK = "check"
    ORIGINALS = "originals"
    DECIDE = "decide"
    WITNESS = "witness"


@dataclass(frozen=True, slots=True)
class TokenRecord:
    id: int
    account_id: int
    account_name: str
    name: str
    beginning: str
    scopes: tuple[TokenScope, ...]
    per_minute: int
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    last_used_at: datetime | None

    def is_in_force(self, at: datetime) -> bool:
        return self.revoked_at is None and at < self.expires_at


@dataclass(frozen=True, slots=True)
class Use:
    """One request with a token. `count`: requests in the current minute, which ends at `ends_at`, this one included."""

    token: TokenRecord
    account: AccountRecord
    count: int
    ends_at: datetime

    @property
    def is_too_many(self) -> bool:
        return self.count > self.token.per_minute

    @property
    def remaining(self) -> int:
        return max(0, self.token.per_minute - self.count)


def add_token(
    session: Session,
    account_id: int,
    *,
    name: str,
    scopes: Collection[TokenScope],
    expires_at: datetime,
    per_minute: int = DEFAULT_PER_MINUTE,
) -> tuple[str, TokenRecord]:
    """Makes a token. Returns the secret, which is not stored, and its record. Raises NotKnown: no such account."""
    if session.scalar(select(Account.id).where(Account.id == account_id)) is None:
        raise NotKnown("account", str(account_id))
    secret = PREFIX + secrets.token_urlsafe(32)
    values = {
        "account_id": account_id,
        "name": storable(name)[:LONGEST_NAME],
        "token_hash": _hash(secret),
        "beginning": secret[:_SHOWN_CHARS],
        "scopes": [scope.value for scope in TokenScope if scope in scopes],
        "per_minute": per_minute,
        "expires_at": expires_at,
    }
    token_id = session.scalars(insert(ApiToken).values(**values).returning(ApiToken.id)).one()
    return secret, _record(*session.execute(_tokens().where(ApiToken.id == token_id)).one())


def use_token(session: Session, secret: str, *, at: datetime) -> Use | None:
    """Counts a request with this token; None if it is unknown, revoked or expired, or its account is disabled.

    Commit at once: concurrent requests with the same token wait for this row.
    """
    is_same_window = ApiToken.window_began_at > at - WINDOW
    used = (
        update(ApiToken)
        .where(ApiToken.token_hash == _hash(secret), ApiToken.revoked_at.is_(None), ApiToken.expires_at > at)
        .where(ApiToken.account_id == Account.id, Account.enabled, Account.must_change_password.is_(False))
        .values(
            last_used_at=at,
            window_count=case((is_same_window, ApiToken.window_count + 1), else_=1),
            window_began_at=case((is_same_window, ApiToken.window_began_at), else_=at),
        )
        .returning(ApiToken.id)
        .execution_options(synchronize_session=False)
    )
    token_id = session.scalar(used)
    if token_id is None:
        return None
    token, account = session.execute(_tokens().where(ApiToken.id == token_id)).one()
    return Use(
        _record(token, account), record_of(AccountRecord, account), token.window_count, token.window_began_at + WINDOW
    )


def list_tokens(session: Session, *, account_id: int | None = None) -> list[TokenRecord]:
    """All tokens, newest first, including revoked and expired ones."""
    statement = _tokens().order_by(ApiToken.id.desc())
    if account_id is not None:
        statement = statement.where(ApiToken.account_id == account_id)
    return [_record(*row) for row in session.execute(statement)]


def count_in_force(session: Session, account_id: int, *, at: datetime) -> int:
    return sum(token.is_in_force(at) for token in list_tokens(session, account_id=account_id))


def revoke_token(session: Session, token_id: int, *, at: datetime, account_id: int | None = None) -> TokenRecord:
    """Revokes a token; idempotent. `account_id`: only a token of this account. Raises NotKnown."""
    wanted = _tokens().where(ApiToken.id == token_id)
    if account_id is not None:
        wanted = wanted.where(ApiToken.account_id == account_id)
    if session.execute(wanted).one_or_none() is None:
        raise NotKnown("token", str(token_id))
    is_open = ApiToken.revoked_at.is_(None)
    session.execute(update(ApiToken).where(ApiToken.id == token_id, is_open).values(revoked_at=at))
    session.expire_all()
    return _record(*session.execute(wanted).one())


def close_access(session: Session, account_id: int, *, at: datetime) -> None:
    """Revokes all tokens and feed addresses of an account, for example after a stolen password."""
    is_open = ApiToken.revoked_at.is_(None)
    session.execute(update(ApiToken).where(ApiToken.account_id == account_id, is_open).values(revoked_at=at))
    session.execute(delete(FeedToken).where(FeedToken.account_id == account_id))
    session.expire_all()


@cache
def _tokens() -> Select[*tuple[Any, ...]]:
    return select(ApiToken, Account).join(Account, Account.id == ApiToken.account_id)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _record(token: ApiToken, account: Account) -> TokenRecord:
    return record_of(TokenRecord, token, account_name=account.name)
