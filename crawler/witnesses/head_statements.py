"""What installations sign for one another: a head of a chain, and that it was heard. Pure; see docs/evidence.md.

A statement is text, some lines in a fixed order, so that `openssl pkeyutl -verify` checks its signature as it is. The
first line says what kind it is: nothing else that the key signs begins like it.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from crawler.evidence.signing_keys import PUBLIC_BYTES, SigningKey, key_id, verify
from storage.records.evidence import Head
from storage.records.witnesses import SignedStatement

MOST_CHARS: Final = 1_000
LARGEST_NUMBER: Final = 2**63 - 1
SIGNATURE_BYTES: Final = 64
_TIME: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}\+00:00"
_ID: Final = r"[0-9a-f]{64}"
_HEAD: Final = r"[1-9][0-9]{0,18}:[0-9a-f]{64}"
_OF_HEAD: Final = re.compile(rf"Zhiwen head 1\nkey (?P<key>{_ID})\nhead (?P<head>{_HEAD})\nat (?P<at>{_TIME})\n")
_OF_ANSWER: Final = re.compile(
    rf"Zhiwen countersignature 1\nkey (?P<key>{_ID})\nof (?P<of>{_ID})\nhead (?P<head>{_HEAD})\n"
    rf"at (?P<at>{_TIME})\nown head (?P<own>{_HEAD})\n"
)


class BadStatement(ValueError):
    """A statement that is not of the expected form, or not signed by the key that it names."""


@dataclass(frozen=True, slots=True)
class HeadStatement:
    """`key_id`: of the installation whose head it is. `at`: by its clock."""

    key_id: str
    head: Head
    at: datetime


@dataclass(frozen=True, slots=True)
class HeardStatement:
    """That an installation, the one with `key_id`, heard `head` of another, `of`, when its own chain ended at `own`."""

    key_id: str
    of: str
    head: Head
    at: datetime
    own: Head


def state_head(key: SigningKey, head: Head, at: datetime) -> SignedStatement:
    return _signed(key, f"Zhiwen head 1\nkey {key.id}\nhead {head}\nat {_written(at)}\n")


def state_heard(key: SigningKey, heard: HeadStatement, at: datetime, own: Head) -> SignedStatement:
    """`own`: our head with the entry about `heard`, so that our chain, too, proves that it was heard."""
    text = f"Zhiwen countersignature 1\nkey {key.id}\nof {heard.key_id}\nhead {heard.head}\nat {_written(at)}\n"
    return _signed(key, f"{text}own head {own}\n")


def read_head(statement: SignedStatement) -> HeadStatement:
    """Raises BadStatement, also if the signature does not hold."""
    found = _checked(statement, _OF_HEAD, "a head")
    return HeadStatement(found["key"], _head(found["head"]), _time(found["at"]))


def read_heard(statement: SignedStatement) -> HeardStatement:
    """Raises BadStatement, also if the signature does not hold."""
    found = _checked(statement, _OF_ANSWER, "a countersignature")
    return HeardStatement(found["key"], found["of"], _head(found["head"]), _time(found["at"]), _head(found["own"]))


def _signed(key: SigningKey, text: str) -> SignedStatement:
    return SignedStatement(text, key.sign(text.encode("ascii")), key.public)


def _checked(statement: SignedStatement, form: re.Pattern[str], what: str) -> re.Match[str]:
    found = form.fullmatch(statement.text) if len(statement.text) <= MOST_CHARS else None
    if found is None:
        raise BadStatement(f"it is no statement of {what}")
    if len(statement.public_key) != PUBLIC_BYTES or key_id(statement.public_key) != found["key"]:
        raise BadStatement("its public key is not the one that it names")
    if not verify(statement.public_key, statement.signature, statement.text.encode("ascii")):
        raise BadStatement(f"its signature by key {found['key'][:16]}… does not hold")
    return found


def _head(text: str) -> Head:
    head = Head.parse(text)
    if head.number > LARGEST_NUMBER:
        raise BadStatement("its number is larger than any chain is long")
    return head


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise BadStatement("its time does not exist") from error


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
