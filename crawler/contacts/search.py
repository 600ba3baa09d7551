"""The search for whom to write to about a host: all sources, within its bounds. It stores nothing."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from crawler.contacts.domains import is_address, name_of, registered_domain
from crawler.contacts.mail_servers import NoDns
from crawler.contacts.registries import ask_address, ask_domain
from crawler.contacts.site_pages import read_site
from crawler.contacts.sources import Budget, Reading, Sources
from storage.records.correspondence.contacts import (
    Confidence,
    ContactKind,
    ContactProposal,
    ContactRole,
    ContactsFound,
    ContactSource,
    SearchOutcome,
)

CONVENTION: Final = "abuse"
"""The mailbox that RFC 2142 asks of every domain that takes mail."""


def find_contacts(host: str, sources: Sources, budget: Budget) -> ContactsFound:
    """Return whom one could write to about `host` (a name or an address, with an optional port), by source; and what
    each source returned, failures included.

    At most `budget.most` requests. A source that fails does not end the search.
    """
    name = name_of(host)
    domain = registered_domain(host)
    readings = [read_site(host, sources, budget)]
    if domain is not None:
        readings += ask_domain(domain, sources, budget)
    else:
        outcome, words = SearchOutcome.ABSENT, [f"{name} is under no domain that somebody registered"]
        readings.append(Reading(ContactSource.RDAP_DOMAIN, words=words, outcome=outcome))
    readings += _networks(name, sources, budget)
    if domain is not None:
        readings.append(_mailbox(domain, _known(readings), sources, budget))
    proposals = [one for reading in readings for one in reading.proposals]
    return ContactsFound(host, _once(proposals), [reading.note for reading in readings], budget.used)


def _networks(name: str, sources: Sources, budget: Budget) -> list[Reading]:
    """The network of the first address: the others are nearly always of the same company."""
    try:
        addresses = [name] if is_address(name) else sources.addresses(name)
    except (OSError, UnicodeError) as error:
        return [Reading(ContactSource.RDAP_ADDRESS, words=[f"{name}: {error}"], outcome=SearchOutcome.FAILED)]
    if not addresses:
        words = [f"{name} has no public address"]
        return [Reading(ContactSource.RDAP_ADDRESS, words=words, outcome=SearchOutcome.ABSENT)]
    return ask_address(addresses[0], sources, budget)


def _mailbox(domain: str, known: Sequence[str], sources: Sources, budget: Budget) -> Reading:
    """The mail exchangers of the domain: only a domain that has one gets the mailbox by convention proposed."""
    reading = Reading(ContactSource.MAIL_SERVERS)
    if not budget.take():
        reading.outcome = SearchOutcome.LEFT_OUT
        return reading
    try:
        found = sources.mail_servers(domain)
    except NoDns as error:
        reading.outcome = SearchOutcome.FAILED
        reading.words.append(str(error))
        return reading
    reading.words.append(", ".join(found.hosts) or ("it takes no mail" if found.refuses_mail else "no mail exchanger"))
    address = f"{CONVENTION}@{domain}"
    if found.hosts and address not in known:
        reading.proposals.append(
            ContactProposal(
                ContactKind.MAIL,
                ContactRole.ABUSE,
                address,
                ContactSource.MAIL_SERVERS,
                found.hosts[0],
                Confidence.GUESS,
                datetime.now(UTC),
                "RFC 2142",
            )
        )
    return reading


def _known(readings: Sequence[Reading]) -> list[str]:
    return [one.value for reading in readings for one in reading.proposals]


def _once(proposals: Sequence[ContactProposal]) -> tuple[ContactProposal, ...]:
    """Each value of a source once, with its highest confidence."""
    rank = list(Confidence)
    best: dict[tuple[ContactKind, str, ContactSource], ContactProposal] = {}
    for one in proposals:
        key = (one.kind, one.value, one.source)
        if key not in best or rank.index(one.confidence) < rank.index(best[key].confidence):
            best[key] = one
    return tuple(best.values())
