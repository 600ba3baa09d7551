"""Passwords: rules, hashing and generation."""

import secrets
from collections.abc import Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from admin.web.form_fields import LONGEST_PASSWORD
from storage.messages import N_

SHORTEST_PASSWORD: Final = 10
"""Longer than the 8 of NIST SP 800-63B; as there, without rules about kinds of characters."""
FEWEST_DIFFERENT: Final = 5
"""Different characters: “1111111111” and “1212121212” are as common as any listed password."""
MADE_BYTES: Final = 12
"""Random bytes of a generated password: 96 bits, 16 characters."""

_hasher: Final = PasswordHasher()

NOBODYS_HASH: Final = (
    "$argon2id$v=19$m=65536,t=3,p=4$9AdpcXpLfMYPDJTLmKlchw$icfcF2ptGI5ZHssni/TwOr+ZhMCeGo1bnw8hotA1E3M"
)
"""Verified where the account does not exist, so that the time taken does not reveal names."""

_COMMON_TEXT: Final = """
    1qaz2wsx3edc 1q2w3e4r5t 1q2w3e4r5t6y qazwsxedcrfv qwertyuiop qwerty12345 qwerty123456 qwer123456 zxcvbnm123
    asdfghjkl1 asdf123456 abc1234567 abc12345678 abc123456789 abcd123456 abcd12345678 a123456789 a1234567890
    aa123456789 123456789a 1234567890a 123456789q 123456789abc 123qweasdzxc password12 password123 password1234
    passw0rd123 p@ssw0rd123 p@ssword123 administrator admin12345 admin123456 administrator1 root123456 test123456
    user123456 welcome123 welcome1234 letmein123 changeme123 iloveyou123 iloveyou520 sunshine123 princess123
    football123 baseball123 superman123 liverpool1 woaini1314 woaini520 woaini521 woaini1314520 woaini123456
    woaiwojia123 5201314520 1314520520 5201314woaini asd123456789 zxc123456789 qq123456789 q123456789 w123456789
    z123456789 zhang123456 wang123456 li123456789 china123456 beijing2008 beijing123 shanghai123 nihao123456
    mima123456 zhiwen1234 zhiwen12345 zhiwen123456 zhiwenzhiwen default123 manager123 reviewer123
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())
"""Most frequent passwords of leaks that are long enough to be accepted otherwise."""


class Refused(StrEnum):
    """Why a password is refused."""

    TOO_SHORT = "too-short"
    TOO_LONG = "too-long"
    IS_NAME = "is-name"
    COMMON = "common"


REFUSED_WORDS: Final[Mapping[Refused, str]] = {
    Refused.TOO_SHORT: N_("Too short: use at least 10 characters, ideally a few words."),
    Refused.TOO_LONG: N_("Too long: use at most 1,024 characters."),
    Refused.IS_NAME: N_("The password is made up of the account name. Choose another one."),
    Refused.COMMON: N_("This password is too easy to guess. Choose another one."),
}


class PasswordRefused(ValueError):
    """A refused password: `why` names the rule, the message the remedy."""

    def __init__(self, why: Refused) -> None:
        super().__init__(REFUSED_WORDS[why])
        self.why = why


def refusal(password: str, *, name: str = "") -> Refused | None:
    """Why `password` is refused for the account `name`, or None (pure)."""
    if len(password) < SHORTEST_PASSWORD:
        return Refused.TOO_SHORT
    if len(password) > LONGEST_PASSWORD:
        return Refused.TOO_LONG
    plain, named = password.strip().casefold(), name.strip().casefold()
    if named and named in plain and not plain.replace(named, "").strip("0123456789!@#$%^&*._- "):
        return Refused.IS_NAME
    if plain in _COMMON or len(set(plain)) < FEWEST_DIFFERENT or _is_run(plain):
        return Refused.COMMON
    return None


def hash_password(password: str, *, name: str = "") -> str:
    """Hash a password with Argon2id and a salt. Raises PasswordRefused."""
    why = refusal(password, name=name)
    if why is not None:
        raise PasswordRefused(why)
    return _hasher.hash(password)


def verify(password_hash: str, password: str) -> bool:
    """Whether `password` matches `password_hash`; false also for an invalid hash."""
    try:
        return len(password) <= LONGEST_PASSWORD and _hasher.verify(password_hash, password)
    except (VerificationError, InvalidHashError, UnicodeError):
        return False


def is_outdated(password_hash: str) -> bool:
    """Whether the hash was made with weaker parameters than the current ones."""
    return _hasher.check_needs_rehash(password_hash)


def rehashed(password: str) -> str:
    """Hash a verified password again, without applying the rules: it may be older than they are."""
    return _hasher.hash(password)


def made_password() -> str:
    """A random password, shown to its user once."""
    return secrets.token_urlsafe(MADE_BYTES)


def _is_run(text: str) -> bool:
    """Whether the characters are consecutive, up or down, as in 1234567890 and zyxwvutsrq."""
    if text.isdecimal():
        return _steps(text, 10) <= {1, 9}
    return _steps(text, 0x110000) <= {1, 0x10FFFF}


def _steps(text: str, base: int) -> set[int]:
    """Distances between neighbouring characters; one element for a run."""
    steps = {(ord(after) - ord(before)) % base for before, after in pairwise(text)}
    return steps if len(steps) == 1 else {0}
