"""Answers of WHOIS servers: the contacts in their “name: value” lines. Pure.

Names are compared as a whole and never by parts: `Registrar Abuse Contact Email` (ICANN's form of generic domains),
`Registrant Contact Email` (CNNIC), `abuse-mailbox` and the comment “Abuse contact for '…' is '…'” (RIPE, APNIC,
AFRINIC), `OrgAbuseEmail` (ARIN).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from crawler.contacts.mail_addresses import mail_address
from crawler.contacts.rdap_answers import NamedContact
from storage.records.correspondence.contacts import ContactKind, ContactRole

MOST_LINES: Final = 4_000
LONGEST_LINE: Final = 1_000
NAME_CHARS: Final = 200

_MAIL_OF: Final[Mapping[str, ContactRole]] = {
    "registrar abuse contact email": ContactRole.REGISTRAR_ABUSE,
    "abuse contact email": ContactRole.ABUSE,
    "registrant email": ContactRole.REGISTRANT,
    "registrant contact email": ContactRole.REGISTRANT,
    "admin email": ContactRole.REGISTRANT,
    "administrative contact email": ContactRole.REGISTRANT,
    "tech email": ContactRole.GENERAL,
    "orgabuseemail": ContactRole.NETWORK_ABUSE,
    "abuse-mailbox": ContactRole.NETWORK_ABUSE,
}
_NAME_OF: Final[Mapping[ContactRole, tuple[str, ...]]] = {
    ContactRole.REGISTRAR_ABUSE: ("registrar", "sponsoring registrar"),
    ContactRole.REGISTRANT: ("registrant organization", "registrant", "registrant name"),
    ContactRole.NETWORK_ABUSE: ("orgname", "org-name", "netname", "descr"),
}
_REFERRALS: Final = ("refer", "whois", "registrar whois server", "whois server", "referralserver")
_ABUSE_LINE: Final = re.compile(r"^[%#]\s{0,4}Abuse contact for '[^']{1,100}' is '([^']{3,254})'", re.MULTILINE)
_MISSING: Final = re.compile(
    r"^\s{0,4}(?:no match|not found|no matching record|no data found|domain not found|no entries found)",
    re.IGNORECASE | re.MULTILINE,
)
_WITHHELD: Final = ("redacted for privacy", "data protected", "not disclosed", "withheld for privacy")
_SCHEME: Final = re.compile(r"^(?:whois|rwhois)://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WhoisAnswer:
    """`referral`: the server that knows more, if it names one. `is_missing`: it knows no such object."""

    contacts: tuple[NamedContact, ...]
    referral: str | None
    is_withheld: bool
    is_missing: bool


def read_whois(text: str) -> WhoisAnswer:
    """Return what an answer says of contacts; nothing of it for text in an unknown form."""
    lines = list(_lines(text))
    stated: dict[str, str] = {}
    for name, value in lines:
        stated.setdefault(name, value)
    found = [
        NamedContact(ContactKind.MAIL, role, address, _name(role, stated))
        for role, value in _addresses(lines, text)
        if (address := mail_address(value)) is not None
    ]
    referral = next((_host(stated[name]) for name in _REFERRALS if stated.get(name)), None)
    lowered = text.lower()
    is_withheld = any(mark in lowered for mark in _WITHHELD)
    return WhoisAnswer(tuple(dict.fromkeys(found)), referral, is_withheld, _MISSING.search(text) is not None)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Names in lower case and values. Comments, and what is longer than any server writes, are left out."""
    for line in text.splitlines()[:MOST_LINES]:
        name, colon, value = line.partition(":")
        if colon and len(line) <= LONGEST_LINE and not line.lstrip().startswith(("%", "#", ">>>")):
            yield " ".join(name.split()).lower(), value.strip()


def _addresses(lines: list[tuple[str, str]], text: str) -> Iterator[tuple[ContactRole, str]]:
    for name, value in lines:
        if name in _MAIL_OF:
            yield _MAIL_OF[name], value
    for match in _ABUSE_LINE.finditer(text):
        yield ContactRole.NETWORK_ABUSE, match[1]


def _name(role: ContactRole, stated: Mapping[str, str]) -> str:
    name = next((stated[key] for key in _NAME_OF.get(role, ()) if stated.get(key)), "")
    return "" if any(mark in name.lower() for mark in _WITHHELD) else name[:NAME_CHARS]


def _host(value: str) -> str | None:
    """A server as a referral names it, without scheme and path."""
    host = _SCHEME.sub("", value).partition("/")[0].strip().lower()
    return host or None
