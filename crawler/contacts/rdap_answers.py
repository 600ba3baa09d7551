"""Answers of RDAP servers (RFC 9083): the contacts of their entities, from jCard (RFC 7095). Pure.

Registries of generic domains withhold most registrants. What is left is often the registrar's abuse mailbox alone: such
contacts say whose they are, and that something was withheld is returned too (RFC 9537, and the older remarks).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from crawler.contacts.mail_addresses import mail_address
from crawler.outcomes.errors import UnusableUrl
from crawler.urls.canonical import web_url
from storage.records.correspondence.contacts import ContactKind, ContactRole

MOST_ENTITIES: Final = 200
DEEPEST: Final = 4
"""Entities inside entities. A registrar with its abuse desk is two."""
MOST_PROPERTIES: Final = 100
NAME_CHARS: Final = 200
_PROPERTY: Final = 4
"""Name, parameters, type and value (RFC 7095, 3.3)."""

_WITHHELD: Final = ("redacted", "withheld", "not disclosed", "data protected", "privacy service")
_ROLES: Final[Mapping[str, ContactRole]] = {
    "abuse": ContactRole.ABUSE,
    "registrant": ContactRole.REGISTRANT,
    "administrative": ContactRole.REGISTRANT,
    "technical": ContactRole.GENERAL,
    "registrar": ContactRole.REGISTRAR_ABUSE,
}


class BadAnswer(ValueError):
    """Not an answer in the format of RFC 9083; the message says why."""


@dataclass(frozen=True, slots=True)
class NamedContact:
    kind: ContactKind
    role: ContactRole
    value: str
    name: str


@dataclass(frozen=True, slots=True)
class RdapAnswer:
    """`is_withheld`: it says that data were left out. `related`: addresses of the same object at its registrar."""

    contacts: tuple[NamedContact, ...]
    is_withheld: bool
    related: tuple[str, ...]


def read_rdap(content: bytes, *, is_network: bool) -> RdapAnswer:
    """Return what an answer about a domain, or with `is_network` about an address, says of contacts.

    Raises BadAnswer for what is no such object, an error of the server (RFC 9083, 6) among it.
    """
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError) as error:
        message = "it is no JSON"
        raise BadAnswer(message) from error
    if not isinstance(answer, dict) or "objectClassName" not in answer:
        described = answer.get("title") if isinstance(answer, dict) else None
        message = f"the server says: {described}"[:NAME_CHARS] if described else "it describes no object (RFC 9083)"
        raise BadAnswer(message)
    found = dict.fromkeys(
        contact for roles, card in _entities(answer) for contact in _contacts(roles, card, is_network=is_network)
    )
    return RdapAnswer(tuple(found), _is_withheld(answer), tuple(_related(answer)))


def _entities(answer: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """The roles of each entity, those of the entities around it first, and its card's properties."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), one) for one in _list(answer.get("entities"))]
    seen = 0
    while waiting and seen < MOST_ENTITIES:
        outer, entity = waiting.pop(0)
        seen += 1
        if not isinstance(entity, dict):
            continue
        roles = (*outer, *(role.lower() for role in _list(entity.get("roles")) if isinstance(role, str)))
        card = _list(entity.get("vcardArray"))
        yield roles, _list(card[1])[:MOST_PROPERTIES] if len(card) > 1 else []
        if len(outer) < DEEPEST:
            waiting += [(roles or ("",), one) for one in _list(entity.get("entities"))[:MOST_ENTITIES]]


def _contacts(roles: tuple[str, ...], card: list[Any], *, is_network: bool) -> Iterator[NamedContact]:
    role = _role(roles, is_network=is_network)
    if role is None:
        return
    name = next((value for key, value in _properties(card) if key in ("fn", "org") and value), "")
    for key, value in _properties(card):
        address = mail_address(value.removeprefix("mailto:")) if key == "email" else None
        if address is not None:
            yield NamedContact(ContactKind.MAIL, role, address, name[:NAME_CHARS])
        elif key == "contact-uri" and _is_web(value):
            yield NamedContact(ContactKind.PAGE, role, value, name[:NAME_CHARS])


def _role(roles: tuple[str, ...], *, is_network: bool) -> ContactRole | None:
    """For what a contact in such an entity is; None for roles that nobody writes to about a page (sponsor, notary)."""
    if "abuse" in roles:
        if is_network:
            return ContactRole.NETWORK_ABUSE
        return ContactRole.REGISTRAR_ABUSE if "registrar" in roles else ContactRole.ABUSE
    known = [_ROLES[role] for role in roles if role in _ROLES and role != "registrar"]
    if is_network:
        return ContactRole.NETWORK_ABUSE if known else None
    # A registrar's general mailbox is for its customers.
    return known[-1] if known and "registrar" not in roles else None


def _properties(card: list[Any]) -> Iterator[tuple[str, str]]:
    for one in card:
        if isinstance(one, list) and len(one) >= _PROPERTY and isinstance(one[0], str):
            value = one[3] if isinstance(one[3], str) else ""
            if not any(mark in value.lower() for mark in _WITHHELD):
                yield one[0].lower(), " ".join(value.split())


def _is_withheld(answer: Mapping[str, Any]) -> bool:
    if _list(answer.get("redacted")):
        return True
    remarks = [*_list(answer.get("remarks")), *(remark for one in _own(answer) for remark in _list(one.get("remarks")))]
    titles = (str(one.get("title", "")).lower() for one in remarks if isinstance(one, dict))
    return any(mark in title for title in titles for mark in _WITHHELD)


def _own(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for one in _list(answer.get("entities"))[:MOST_ENTITIES] if isinstance(one, dict)]


def _related(answer: Mapping[str, Any]) -> Iterator[str]:
    """Addresses of the same object at another server, as RDAP and by https."""
    for link in _list(answer.get("links")):
        if isinstance(link, dict) and link.get("rel") == "related" and "rdap" in str(link.get("type", "")):
            target = link.get("href")
            if isinstance(target, str) and _is_web(target):
                yield target


def _is_web(value: str) -> bool:
    try:
        web_url(value)
    except UnusableUrl:
        return False
    return True


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
