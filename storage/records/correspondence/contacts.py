"""Records of contacts: whom a letter could go to, where that was read, and with which confidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ContactKind(StrEnum):
    """What a contact is."""

    MAIL = "mail"
    PAGE = "page"
    """The address of a page with a form or with instructions."""
    REGISTRATION = "registration"
    """备案号: no address, but it names the operator in the public register."""


class ContactRole(StrEnum):
    """Whom a contact reaches, as far as its source says."""

    COPYRIGHT = "copyright"
    ABUSE = "abuse"
    LEGAL = "legal"
    GENERAL = "general"
    REGISTRANT = "registrant"
    """Whoever registered the domain."""
    REGISTRAR_ABUSE = "registrar-abuse"
    """The abuse desk of the company at which the domain is registered."""
    NETWORK_ABUSE = "network-abuse"
    """The abuse desk of the network that the server is in: the hosting company, or a delivery network before it."""


class ContactSource(StrEnum):
    """Where a contact was read."""

    SITE = "site"
    RDAP_DOMAIN = "rdap-domain"
    RDAP_ADDRESS = "rdap-address"
    WHOIS_DOMAIN = "whois-domain"
    WHOIS_ADDRESS = "whois-address"
    MAIL_SERVERS = "mail-servers"
    """Nobody states it: the domain takes mail, and RFC 2142 asks for such a mailbox."""
    PERSON = "person"


class Confidence(StrEnum):
    """The confidence in a proposal, without a person's look."""

    STATED = "stated"
    """The source says it, for this purpose."""
    LIKELY = "likely"
    """The source says it, for another or no purpose."""
    GUESS = "guess"
    """It was put together: decoded from a disguise, or by a convention."""


class ContactDecision(StrEnum):
    CONFIRMED = "confirmed"
    REFUSED = "refused"


class SearchOutcome(StrEnum):
    """What one source of a search returned."""

    FOUND = "found"
    NONE = "none"
    """It answered, and names no contact."""
    ABSENT = "absent"
    """There is no such source for this host: its registry has no RDAP server, its address is not of a domain."""
    FAILED = "failed"
    LEFT_OUT = "left-out"
    """The bound on requests or time was reached."""


@dataclass(frozen=True, slots=True)
class ContactProposal:
    """A contact as a source names it. `value`: a mail address, a web address, or a registration number. `name`: of the
    person, company or page, if the source has one. `place`: the page or server that says so.
    """

    kind: ContactKind
    role: ContactRole
    value: str
    source: ContactSource
    place: str
    confidence: Confidence
    seen_at: datetime
    name: str = ""


@dataclass(frozen=True, slots=True)
class SourceNote:
    """What became of one source: `words` has its servers, or why it failed; in English, from programs."""

    source: ContactSource
    outcome: SearchOutcome
    words: str = ""


@dataclass(frozen=True, slots=True)
class ContactsFound:
    """The result of one search. No proposals: none found."""

    host: str
    proposals: Sequence[ContactProposal]
    notes: Sequence[SourceNote]
    requests: int


@dataclass(frozen=True, slots=True)
class ContactRecord:
    """A stored contact of a host, with a person's decision, if there is one."""

    id: int
    host: str
    kind: ContactKind
    role: ContactRole
    value: str
    name: str
    source: ContactSource
    place: str
    confidence: Confidence
    seen_at: datetime
    owner_id: int | None
    """The owner with whom it is remembered, since a person confirmed it."""
    decision: ContactDecision | None
    decided_by: str
    decided_at: datetime | None


@dataclass(frozen=True, slots=True)
class ContactSearchRecord:
    """A search for the contacts of a host. `ended_at` None: it waits or runs."""

    id: int
    host: str
    asked_at: datetime
    asked_by: str
    ended_at: datetime | None
    requests: int
    notes: tuple[SourceNote, ...]
