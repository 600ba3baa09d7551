"""The one-time code of the first account: derived, logged and compared.

The code is the keyed hash of a stored nonce (`storage.accounts.first_account`). Every process of the desk has the key,
so that each can log and check the same code.
"""

import hashlib
import hmac
import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from storage.accounts import first_account
from storage.accounts.first_account import OpenCode
from storage.engine import transaction

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

LIFETIME: Final = timedelta(hours=1)
CODE_LETTERS: Final = 12
"""Of 32 each: 60 bits, with a few attempts a minute beyond guessing."""

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's: none is taken for another."""
_MISREAD: Final = str.maketrans("OILU", "011V")
_GROUP: Final = 4
_PURPOSE: Final = b"zhiwen first account\0"

log = logging.getLogger(__name__)


def code_of(secret_key: str, nonce: bytes) -> str:
    """The code as it is written, such as `7K3M-90QA-XB2C` (pure)."""
    digest = hmac.new(secret_key.encode(), _PURPOSE + nonce, hashlib.sha256).digest()
    letters = "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:CODE_LETTERS])
    return "-".join(letters[start : start + _GROUP] for start in range(0, CODE_LETTERS, _GROUP))


def is_code(secret_key: str, nonce: bytes, given: str) -> bool:
    """Whether `given` is the code, in capitals or not, with or without hyphens and spaces. Takes constant time."""
    plain = "".join(one for one in given.upper() if one.isalnum()).translate(_MISREAD)
    expected = code_of(secret_key, nonce).replace("-", "")
    return hmac.compare_digest(expected.encode(), plain.encode(errors="replace"))


def opened_code(engine: "Engine") -> OpenCode | None:
    """The code in force, begun if necessary; None once there is an account."""
    with transaction(engine) as session:
        return first_account.open_code(session, now=datetime.now(UTC), lifetime=LIFETIME)


def log_code(
    engine: "Engine", secret_key: str, *, address: str = "", say: "Callable[[str], None] | None" = None
) -> None:
    """Write the code of the first account to the log if there is no account yet. `say`: instead of the log."""
    found = opened_code(engine)
    if found is None:
        return
    words = f"Nobody can log in yet. Open {address}/first-account and enter the code {code_of(secret_key, found.nonce)}"
    until = (
        f"{words} (valid until {found.expires_at.astimezone(UTC):%H:%M} UTC). Or add an account: zhiwen user add NAME"
    )
    if say is None:
        log.warning("%s", until)
    else:
        say(until)
