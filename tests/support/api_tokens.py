"""Tokens for tests."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Engine

from storage.accounts.api_tokens import TokenScope, add_token
from storage.engine import transaction
from storage.records.accounts import AccountRecord


def token_of(engine: Engine, account: AccountRecord, scopes: Collection[TokenScope], **fields: Any) -> str:
    """A token in force for a day, unless `fields` say otherwise."""
    more: dict[str, Any] = {"name": "编辑系统", "expires_at": datetime.now(UTC) + timedelta(days=1)} | fields
    with transaction(engine) as session:
        return add_token(session, account.id, scopes=scopes, **more)[0]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
