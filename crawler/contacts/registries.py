"""What registries know: of the domain its registrar and registrant, of the address its network. RDAP, else WHOIS."""

from typing import Final
from urllib.parse import quote

from crawler.contacts.rdap_answers import BadAnswer, RdapAnswer, read_rdap
from crawler.contacts.sources import Budget, Reading, Sources
from crawler.contacts.whois_answers import WhoisAnswer, read_whois
from crawler.contacts.whois_client import WhoisFailed
from crawler.outcomes.refusals import Refusal
from storage.records.correspondence.contacts import ContactSource, SearchOutcome

MOST_REFERRALS: Final = 2
"""From the registry to the registrar, and from the root to the registry."""
_BOUND: Final = "the bound was reached"
_WITHHELD: Final = "some data are withheld"


def ask_domain(domain: str, sources: Sources, budget: Budget) -> list[Reading]:
    """Ask the registry of a domain by RDAP; where that has no server or fails, by WHOIS."""
    server = sources.bootstrap.domain_server(domain)
    reading = Reading(ContactSource.RDAP_DOMAIN)
    if server is None:
        reading.outcome = SearchOutcome.ABSENT
        reading.words.append(f"no RDAP server is known for .{domain.rpartition('.')[2]}")
    else:
        _ask_rdap(f"{server}domain/{quote(domain)}", reading, sources, budget, is_network=False)
    return (
        [reading] if not reading.has_failed else [reading, _whois(domain, ContactSource.WHOIS_DOMAIN, sources, budget)]
    )


def ask_address(address: str, sources: Sources, budget: Budget) -> list[Reading]:
    """Ask the registry of an IP address, by RDAP, else by WHOIS: it knows the company whose network it is."""
    server = sources.bootstrap.address_server(address)
    reading = Reading(ContactSource.RDAP_ADDRESS, words=[address])
    if server is None:
        reading.outcome = SearchOutcome.ABSENT
        reading.words.append("no RDAP server is known for this address")
    else:
        _ask_rdap(f"{server}ip/{quote(address, safe=':')}", reading, sources, budget, is_network=True)
    if not reading.has_failed:
        return [reading]
    return [reading, _whois(address, ContactSource.WHOIS_ADDRESS, sources, budget)]


def _ask_rdap(url: str, reading: Reading, sources: Sources, budget: Budget, *, is_network: bool) -> None:
    """Ask one server, and for a domain the registrar's, to which the registry links."""
    asked: set[str] = set()
    waiting = [url]
    while waiting and len(asked) <= MOST_REFERRALS:
        address = waiting.pop(0)
        if address in asked:
            continue
        asked.add(address)
        answer = _rdap_answer(address, reading, sources, budget, is_network=is_network)
        if answer is None:
            continue
        reading.add(answer.contacts, address)
        if answer.is_withheld:
            reading.words.append(_WITHHELD)
        waiting += [link for link in answer.related if not is_network]


def _rdap_answer(
    url: str, reading: Reading, sources: Sources, budget: Budget, *, is_network: bool
) -> RdapAnswer | None:
    if not budget.take():
        reading.outcome = SearchOutcome.LEFT_OUT
        reading.words.append(_BOUND)
        return None
    answer = sources.rdap(url)
    refusal = answer if isinstance(answer, Refusal) else answer.refusal
    if isinstance(answer, Refusal) or refusal is not None:
        reading.outcome = reading.outcome or SearchOutcome.FAILED
        reading.words.append(f"{url}: {refusal}")
        return None
    try:
        return read_rdap(answer.body, is_network=is_network)
    except BadAnswer as error:
        reading.outcome = reading.outcome or SearchOutcome.FAILED
        reading.words.append(f"{url}: {error}")
        return None


def _whois(query: str, source: ContactSource, sources: Sources, budget: Budget) -> Reading:
    """Ask the root server for that of the registry, then the registry, then the registrar that it names."""
    reading = Reading(source)
    is_domain = source is ContactSource.WHOIS_DOMAIN
    first = query.rpartition(".")[2] if is_domain else query
    root = _whois_answer(sources.root_whois, first, reading, sources, budget)
    if root is None:
        reading.outcome = reading.outcome or SearchOutcome.FAILED
        return reading
    if root.referral is None:
        reading.outcome = SearchOutcome.ABSENT
        reading.words.append(f"{sources.root_whois} names no server for {first}")
        return reading
    server: str | None = root.referral
    asked: set[str] = set()
    while server is not None and server not in asked and len(asked) < MOST_REFERRALS:
        asked.add(server)
        answer = _whois_answer(server, query, reading, sources, budget)
        if answer is None:
            reading.outcome = reading.outcome or SearchOutcome.FAILED
            break
        reading.add(answer.contacts, f"whois://{server}/{query}")
        reading.words += [server] + ([_WITHHELD] if answer.is_withheld else [])
        server = answer.referral
    return reading


def _whois_answer(server: str, query: str, reading: Reading, sources: Sources, budget: Budget) -> WhoisAnswer | None:
    if not budget.take():
        reading.outcome = SearchOutcome.LEFT_OUT
        reading.words.append(_BOUND)
        return None
    try:
        answer = read_whois(sources.whois(server, query))
    except WhoisFailed as error:
        reading.words.append(str(error))
        return None
    if answer.is_missing:
        reading.words.append(f"{server} knows no {query}")
    return answer
