"""Mail addresses in text: as they are written, and in the disguises that people use against harvesters. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from crawler.contacts.domains import registered_domain

LONGEST_TEXT: Final = 400_000
"""Characters of a page's text that are read."""
MOST_ADDRESSES: Final = 50
LONGEST_ADDRESS: Final = 254
"""RFC 5321, 4.5.3.1.3."""

_LOCAL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9._%+\-]{0,62}[A-Za-z0-9_+\-])?"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?"
_PLAIN: Final = re.compile(
    rf"""(?<![A-Za-z0-9._%+\-@#])      # the whole of the local part
    (?P<local>{_LOCAL})
    [@＠]
    (?P<domain>(?:{_LABEL}[.．]){{1,5}}[A-Za-z]{{2,24}})
    (?![A-Za-z0-9@\-])                # and the whole of the domain""",
    re.VERBOSE,
)
_OPEN, _CLOSE = r"[(\[{（【<]", r"[)\]}）】>]"
_AT: Final = rf"[ ]{{0,2}}(?:{_OPEN}[ ]?(?:at|AT|At|a|艾特|@)[ ]?{_CLOSE}|\#|★|☆)[ ]{{0,2}}|[ ](?:at|AT|艾特)[ ]"
_BETWEEN: Final = rf"[ ]?{_OPEN}[ ]?(?:dot|DOT|Dot|点|。|\.)[ ]?{_CLOSE}[ ]?|[ ](?:dot|DOT|点)[ ]|\."
_HIDDEN: Final = re.compile(
    rf"""(?<![A-Za-z0-9._%+\-@#])
    (?P<local>{_LOCAL})
    (?:{_AT})
    (?P<domain>{_LABEL}(?:(?:{_BETWEEN}){_LABEL}){{1,4}})
    (?![A-Za-z0-9@\-])""",
    re.VERBOSE,
)
_DOT: Final = re.compile(r"[ ]?[(\[{（【]?[ ]?(?:\b(?:dot|DOT|Dot)\b|点|。|[.．])[ ]?[)\]}）】]?[ ]?")
_EXAMPLES: Final = frozenset({"example.com", "example.net", "example.org", "domain.com", "email.com", "yourdomain.com"})
"""RFC 2606, and what stands in input fields."""


@dataclass(frozen=True, slots=True)
class WrittenAddress:
    """`address` in lower case. `start`, `end`: where it stands in the text. `is_hidden`: it had to be decoded."""

    address: str
    start: int
    end: int
    is_hidden: bool


def addresses_in(text: str) -> list[WrittenAddress]:
    """Return the mail addresses in a text by place, each once, at most `MOST_ADDRESSES`.

    Only those under a suffix that exists: `logo@2x.png` is none. A disguised one is returned only where it is not also
    written plainly.

    >>> [one.address for one in addresses_in("版权投诉：legal#copier-news.com（# 换成 @）")]
    ['legal@copier-news.com']
    """
    read = text[:LONGEST_TEXT]
    found: dict[str, WrittenAddress] = {}
    for written in (*_matches(_PLAIN, read, is_hidden=False), *_matches(_HIDDEN, read, is_hidden=True)):
        found.setdefault(written.address, written)
        if len(found) >= MOST_ADDRESSES:
            break
    return sorted(found.values(), key=lambda one: one.start)


def mail_address(text: str) -> str | None:
    """Return `text` as an address in lower case; None if it is none that mail could reach.

    >>> mail_address(" Abuse@Copier-News.com ")
    'abuse@copier-news.com'
    >>> mail_address("REDACTED FOR PRIVACY")
    """
    found = _PLAIN.fullmatch(text.strip()[: LONGEST_ADDRESS + 1])
    return None if found is None else _usable(found["local"], found["domain"])


def _matches(pattern: re.Pattern[str], text: str, *, is_hidden: bool) -> Iterator[WrittenAddress]:
    for match in pattern.finditer(text):
        address = _usable(match["local"], match["domain"])
        if address is not None:
            yield WrittenAddress(address, match.start(), match.end(), is_hidden)


def _usable(local: str, domain: str) -> str | None:
    plain = _DOT.sub(".", domain).lower()
    address = f"{local.lower()}@{plain}"
    if len(address) > LONGEST_ADDRESS or ".." in address or plain in _EXAMPLES or registered_domain(plain) is None:
        return None
    return address
