"""Checked texts with their results: each belongs to one person, and is deleted after its time.

Expired ones are never returned, whether or not `drop_expired` has run.
"""

import secrets
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, delete, func, select, update
from sqlalchemy.orm import Session

from storage.errors import NotKnown
from storage.intake.check_json import result_from_json, result_to_json
from storage.intake.check_records import CheckedResult, CheckedText, CheckRecord, KeptCheck
from storage.models.submissions import TextCheck
from storage.pages.pages import text_digest
from storage.postgres.rows import columns_of, record_of, records_of
from storage.postgres.text import storable
from storage.types import CheckState

KEY_BYTES: Final = 16
NAME_CHARS: Final = 200
SHOWN: Final = 50

_COLUMNS = columns_of(CheckRecord, TextCheck)
_LIVE: Final = TextCheck.expires_at > func.now()


def new_key() -> str:
    """A key that cannot be guessed, of 22 letters that need no quoting in addresses."""
    return secrets.token_urlsafe(KEY_BYTES)


def keep_check(
    session: Session,
    text: CheckedText,
    result: CheckedResult,
    *,
    account_id: int,
    expires_at: datetime,
    is_shared: bool = False,
) -> str:
    """Store a text with its result. Returns the key. `is_shared`: everybody who may check texts and has the key may
    read it.
    """
    drop_expired(session)
    key = new_key()
    values = {"key": key, "account_id": account_id, "is_shared": is_shared, "expires_at": expires_at}
    session.add(TextCheck(**values, **text_values(text), **result_values(text.body, result)))
    session.flush()
    return key


def text_values(text: CheckedText) -> dict[str, Any]:
    """Columns of a checked text."""
    return {
        "title": storable(text.title),
        "author": storable(text.author),
        "url": storable(text.url),
        "kind": text.kind,
        "collection": storable(text.collection),
        "by_meaning": text.by_meaning,
    }


def result_values(body: str, result: CheckedResult) -> dict[str, Any]:
    """Columns of a finished check."""
    stored = storable(body)
    return {
        "state": CheckState.DONE,
        "problem": "",
        "body": stored,
        "chars": len(stored),
        "sha256": text_digest(stored),
        "verdict": result.verdict,
        "share": result.share,
        "sources": len(result.sources) + sum(not one.beside for one in result.retold),
        "result": result_to_json(result),
        "checked_at": func.now(),
    }


def get_check(session: Session, key: str, *, account_id: int) -> KeptCheck:
    """A finished check that `account_id` may read. Raises NotKnown, also if it has expired."""
    statement = (
        select(*_COLUMNS, TextCheck.body, TextCheck.sha256, TextCheck.result)
        .where(TextCheck.key == key, TextCheck.state == CheckState.DONE, _LIVE)
        .where((TextCheck.account_id == account_id) | TextCheck.is_shared)
    )
    row = session.execute(statement).one_or_none()
    if row is None:
        raise NotKnown("check", key)
    record = record_of(CheckRecord, row)
    return KeptCheck(record, row.body, bytes(row.sha256), result_from_json(row.result))


def list_checks(
    session: Session, *, account_id: int, batch: str | None = None, before_id: int | None = None, limit: int = SHOWN
) -> list[CheckRecord]:
    """A person's checks, newest first; those of a batch in the order of its files."""
    statement = _owned(account_id).limit(limit)
    if batch is not None:
        return records_of(
            CheckRecord, session.execute(statement.where(TextCheck.batch == batch).order_by(TextCheck.id))
        )
    if before_id is not None:
        statement = statement.where(TextCheck.id < before_id)
    return records_of(CheckRecord, session.execute(statement.order_by(TextCheck.id.desc())))


def extend_check(session: Session, key: str, *, account_id: int, expires_at: datetime) -> CheckRecord:
    """Keep a person's check until `expires_at`. Raises NotKnown."""
    changed = update(TextCheck).where(*_own(key, account_id)).values(expires_at=expires_at).returning(*_COLUMNS)
    return _record(session, changed, key)


def delete_check(session: Session, key: str, *, account_id: int) -> CheckRecord:
    """Delete a person's check with its text. Raises NotKnown."""
    return _record(session, delete(TextCheck).where(*_own(key, account_id)).returning(*_COLUMNS), key)


def delete_all_checks(session: Session, *, account_id: int) -> int:
    """Delete all checks of a person. Returns how many."""
    gone = delete(TextCheck).where(TextCheck.account_id == account_id).returning(TextCheck.id)
    return len(session.scalars(gone).all())


def drop_expired(session: Session) -> int:
    """Delete expired checks. Returns how many."""
    return len(session.scalars(delete(TextCheck).where(~_LIVE).returning(TextCheck.id)).all())


def _owned(account_id: int) -> Select[*tuple[Any, ...]]:
    return select(*_COLUMNS).where(TextCheck.account_id == account_id, _LIVE)


def _own(key: str, account_id: int) -> tuple[ColumnElement[bool], ...]:
    return TextCheck.key == key, TextCheck.account_id == account_id, _LIVE


def _record(session: Session, statement: Any, key: str) -> CheckRecord:
    row = session.execute(statement).one_or_none()
    if row is None:
        raise NotKnown("check", key)
    return record_of(CheckRecord, row)
