"""Searches for contacts with the networks, name and servers of the settings; their results are stored as proposals."""

import ipaddress
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from crawler.contacts.mail_servers import MailServerLookup
from crawler.contacts.search import find_contacts
from crawler.contacts.sources import Budget, Sources, public_addresses
from crawler.contacts.whois_client import WhoisClient
from crawler.fetch.fetch import Fetched, ask
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import host_of
from storage.contacts import searches
from storage.engine import transaction
from zhiwen.contacts.bootstrap_files import kept_bootstrap
from zhiwen.web_search.turns import HostTurns

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.correspondence.contacts import ContactsFound
    from zhiwen.config.settings import Settings

PAGE_S: Final = 20.0
PAGE_BYTES: Final = 3_000_000
RDAP_TYPE: Final = "application/rdap+json"
RDAP_BYTES: Final = 2_000_000
BOOTSTRAP_BYTES: Final = 5_000_000
"""IANA's largest file has 60 kB."""

log = logging.getLogger(__name__)


def look_for_contacts(
    settings: "Settings", engine: "Engine", host: str, *, should_stop: Callable[[], bool] = lambda: False
) -> "ContactsFound":
    """Return whom one could write to about `host`. Blocks for up to three minutes; nothing is stored."""
    return find_contacts(host, sources_of(settings, engine, should_stop), Budget(should_stop))


def sources_of(settings: "Settings", engine: "Engine", should_stop: Callable[[], bool]) -> Sources:
    client = _Client(settings, HostTurns(engine), should_stop)
    networks = settings.allowed_networks
    return Sources(
        page=client.page,
        rdap=client.rdap,
        whois=WhoisClient(networks).ask,
        mail_servers=MailServerLookup().of,
        addresses=partial(public_addresses, allowed=networks),
        bootstrap=kept_bootstrap(settings.home, settings.rdap_bootstrap, client.table),
        root_whois=settings.whois_server,
    )


def work_off(settings: "Settings", engine: "Engine", *, should_stop: Callable[[], bool]) -> int:
    """Carry out the searches that people asked for, oldest first. Returns how many; a stopped one waits for the next
    worker.
    """
    done = 0
    while not should_stop():
        with transaction(engine) as session:
            wanted = searches.next_search(session)
        if wanted is None:
            break
        found = look_for_contacts(settings, engine, wanted.host, should_stop=should_stop)
        if should_stop():
            break
        with transaction(engine) as session:
            searches.finish_search(session, wanted.id, found)
        log.info("contacts of %s: %s proposals, %s requests", wanted.host, len(found.proposals), found.requests)
        done += 1
    return done


@dataclass(frozen=True, slots=True)
class _Client:
    settings: "Settings"
    turns: HostTurns
    should_stop: Callable[[], bool]

    def page(self, url: str) -> Fetched | Refusal:
        """A page of the site: nobody asked for it, so robots.txt and the pace of the host hold."""
        if not self.turns.wait(host_of(url), self.should_stop):
            return Refusal.HOST_HELD
        answer = self._ask(url, most_bytes=PAGE_BYTES, obeys_robots=True)
        if isinstance(answer, Fetched):
            self.turns.answered_page(answer)
        return answer

    def rdap(self, url: str) -> Fetched | Refusal:
        """An answer of a registry, by https; without it only from a server in a network that the settings open."""
        if urlsplit(url).scheme != "https" and not self._is_opened(url):
            return Refusal.OUT_OF_SCOPE
        return self._ask(url, most_bytes=RDAP_BYTES, accept=RDAP_TYPE)

    def table(self, url: str) -> bytes | None:
        answer = self._ask(url, most_bytes=BOOTSTRAP_BYTES, accept="application/json")
        return None if isinstance(answer, Refusal) or answer.refusal is not None else answer.body

    def _ask(
        self, url: str, *, most_bytes: int, obeys_robots: bool = False, accept: str | None = None
    ) -> Fetched | Refusal:
        return ask(
            url,
            allowed_networks=self.settings.allowed_networks,
            user_agent=self.settings.user_agent,
            timeout_s=PAGE_S,
            max_bytes=most_bytes,
            obeys_robots=obeys_robots,
            accept=accept,
        )

    def _is_opened(self, url: str) -> bool:
        try:
            address = ipaddress.ip_address(urlsplit(url).hostname or "")
        except ValueError:
            return False
        networks = self.settings.allowed_networks
        return any(address.version == network.version and address in network for network in networks)
