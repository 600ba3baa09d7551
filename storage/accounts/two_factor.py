"""Two-factor login: the secret shared with a phone, one-time codes, and recovery codes."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.access import RecoveryCode, TwoFactor

RECOVERY_CODES: Final = 10
_RECOVERY_BYTES: Final = 10
"""Random bytes in each: 80 bits, so that a hash without salt is enough."""


@dataclass(frozen=True, slots=True)
class SecondStep:
    """`confirmed_at` None: the phone is not confirmed yet, and no code is required."""

    secret: str
    confirmed_at: datetime | None
    codes_left: int


def second_step(session: Session, account_id: int) -> SecondStep | None:
    found = session.execute(
        select(TwoFactor.secret, TwoFactor.confirmed_at).where(TwoFactor.account_id == account_id)
    ).one_or_none()
    if found is None:
        return None
    left = select(func.count()).where(RecoveryCode.account_id == account_id, RecoveryCode.used_at.is_(None))
    return SecondStep(found.secret, found.confirmed_at, session.scalar(left) or 0)


def is_enabled(session: Session, account_id: int) -> bool:
    found = second_step(session, account_id)
    return found is not None and found.confirmed_at is not None


def begin(session: Session, account_id: int, secret: str) -> None:
    """Stores an unconfirmed secret, replacing another unconfirmed one. A confirmed one stays."""
    statement = insert(TwoFactor).values(account_id=account_id, secret=secret)
    session.execute(
        statement.on_conflict_do_update(
            index_elements=[TwoFactor.account_id],
            set_={"secret": secret, "last_step": 0},
            where=TwoFactor.confirmed_at.is_(None),
        )
    )


def confirm(session: Session, account_id: int, *, at: datetime) -> list[str]:
    """Confirms the secret: codes are required from now on. Returns the recovery codes, which are not stored."""
    here = update(TwoFactor).where(TwoFactor.account_id == account_id)
    session.execute(here.values(confirmed_at=at))
    return renew_recovery_codes(session, account_id)


def renew_recovery_codes(session: Session, account_id: int) -> list[str]:
    """Replaces the recovery codes. Returns the new ones, which are not stored."""
    session.execute(delete(RecoveryCode).where(RecoveryCode.account_id == account_id))
    codes = [_made() for _ in range(RECOVERY_CODES)]
    session.execute(insert(RecoveryCode), [{"account_id": account_id, "code_hash": _hash(code)} for code in codes])
    return codes


def use_step(session: Session, account_id: int, step: int) -> bool:
    """Marks the code of this half minute as used. False if it or a later one was used before."""
    taken = update(TwoFactor).where(TwoFactor.account_id == account_id, TwoFactor.last_step < step)
    return session.scalar(taken.values(last_step=step).returning(TwoFactor.account_id)) is not None


def use_recovery_code(session: Session, account_id: int, code: str, *, at: datetime) -> bool:
    """Uses a recovery code. Returns whether it was valid and unused."""
    taken = update(RecoveryCode).where(
        RecoveryCode.account_id == account_id, RecoveryCode.code_hash == _hash(code), RecoveryCode.used_at.is_(None)
    )
    return session.scalar(taken.values(used_at=at).returning(RecoveryCode.id)) is not None


def remove(session: Session, account_id: int) -> bool:
    """Disables two-factor login. Returns whether it was enabled."""
    session.execute(delete(RecoveryCode).where(RecoveryCode.account_id == account_id))
    gone = delete(TwoFactor).where(TwoFactor.account_id == account_id).returning(TwoFactor.account_id)
    return session.scalar(gone) is not None


def _made() -> str:
    """Four groups of digits and letters that are distinct in handwriting."""
    text = secrets.token_hex(_RECOVERY_BYTES)
    return "-".join(text[start : start + 5] for start in range(0, len(text), 5))


def _hash(code: str) -> str:
    plain = "".join(character for character in code.lower() if character.isalnum())
    return hashlib.sha256(plain.encode(errors="replace")).hexdigest()
