"""Labels of contacts: what they are, where they were read, their confidence; and acts in the audit log."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.records.correspondence.contacts import (
    Confidence,
    ContactDecision,
    ContactKind,
    ContactRole,
    ContactSource,
    SearchOutcome,
)

CONTACT_ACTS: Final[Mapping[str, object]] = {
    "contact.look": _l("contacts searched"),
    "contact.confirm": _l("contact confirmed"),
    "contact.refuse": _l("contact rejected"),
    "contact.add": _l("contact entered"),
}

CONTACT_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "contact_kind": {
        ContactKind.MAIL: _l("Mail address"),
        ContactKind.PAGE: _l("Page or form"),
        ContactKind.REGISTRATION: _l("Registration"),
    },
    "contact_role": {
        ContactRole.COPYRIGHT: _l("for copyright"),
        ContactRole.ABUSE: _l("for complaints"),
        ContactRole.LEGAL: _l("for legal matters"),
        ContactRole.GENERAL: _l("general"),
        ContactRole.REGISTRANT: _l("holder of the domain"),
        ContactRole.REGISTRAR_ABUSE: _l("registrar of the domain"),
        ContactRole.NETWORK_ABUSE: _l("network of the server"),
    },
    "contact_source": {
        ContactSource.SITE: _l("the site itself"),
        ContactSource.RDAP_DOMAIN: _l("RDAP of the domain"),
        ContactSource.RDAP_ADDRESS: _l("RDAP of the address"),
        ContactSource.WHOIS_DOMAIN: _l("WHOIS of the domain"),
        ContactSource.WHOIS_ADDRESS: _l("WHOIS of the address"),
        ContactSource.MAIL_SERVERS: _l("mail servers of the domain"),
        ContactSource.PERSON: _l("entered at this desk"),
    },
    "contact_confidence": {
        Confidence.STATED: _l("stated"),
        Confidence.LIKELY: _l("likely"),
        Confidence.GUESS: _l("a guess"),
    },
    "contact_decision": {
        ContactDecision.CONFIRMED: _l("confirmed"),
        ContactDecision.REFUSED: _l("rejected"),
    },
    "search_outcome": {
        SearchOutcome.FOUND: _l("found"),
        SearchOutcome.NONE: _l("no contact given"),
        SearchOutcome.ABSENT: _l("not available for this host"),
        SearchOutcome.FAILED: _l("failed"),
        SearchOutcome.LEFT_OUT: _l("not queried: limit reached"),
    },
}
