"""Mail exchangers of a domain (MX, RFC 5321; the null MX of RFC 7505), by DNS."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import dns.exception
import dns.name
import dns.resolver

ANSWER_S: Final = 6.0
"""For all servers of the resolver together."""
MOST_SERVERS: Final = 20


class NoDns(Exception):
    """No name server answered; the message says why."""


@dataclass(frozen=True, slots=True)
class MailServers:
    """`hosts` by preference. Empty with `refuses_mail`: the domain says that it takes none; without: it names none."""

    hosts: tuple[str, ...]
    refuses_mail: bool = False


@dataclass(frozen=True, slots=True)
class MailServerLookup:
    """Asks the system's name servers; for tests, `nameservers` at `port`."""

    nameservers: Sequence[str] = ()
    port: int = 53
    answer_s: float = ANSWER_S

    def of(self, domain: str) -> MailServers:
        """Return the mail exchangers of a domain; none for one that does not exist. Raises NoDns."""
        try:
            answer = self._resolver().resolve(
                dns.name.from_text(domain), "MX", lifetime=self.answer_s, raise_on_no_answer=False, search=False
            )
        except dns.resolver.NXDOMAIN:
            return MailServers(())
        except (dns.exception.DNSException, OSError, UnicodeError) as error:
            message = f"{domain}: {error}"
            raise NoDns(message) from error
        records = sorted((one.preference, one.exchange.to_text(omit_final_dot=True)) for one in answer)
        hosts = tuple(host for _, host in records if host not in ("", "."))[:MOST_SERVERS]
        return MailServers(hosts, refuses_mail=bool(records) and not hosts)

    def _resolver(self) -> dns.resolver.Resolver:
        if not self.nameservers:
            return dns.resolver.Resolver()
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = list(self.nameservers), self.port
        return resolver
