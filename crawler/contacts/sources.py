"""What a search for contacts asks, its bounds, and the results of single sources."""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias

from crawler.contacts.mail_servers import MailServers
from crawler.contacts.rdap_answers import NamedContact
from crawler.contacts.rdap_bootstrap import Bootstrap
from crawler.network.public_addresses import Network, is_allowed
from storage.records.correspondence.contacts import (
    Confidence,
    ContactProposal,
    ContactSource,
    SearchOutcome,
    SourceNote,
)

if TYPE_CHECKING:
    from crawler.fetch.fetch import Fetched
    from crawler.outcomes.refusals import Refusal

MOST_REQUESTS: Final = 20
"""Pages, answers of registries and look-ups of one search."""
MOST_S: Final = 150.0

Get: TypeAlias = "Callable[[str], Fetched | Refusal]"


@dataclass(frozen=True, slots=True)
class Sources:
    """How each source is asked; all of it passes the guard.

    `page` obeys robots.txt and the pace of the host. `addresses`: the public addresses of a host. `root_whois`: the
    server that knows the WHOIS server of each registry.
    """

    page: Get
    rdap: Get
    whois: Callable[[str, str], str]
    mail_servers: Callable[[str], MailServers]
    addresses: Callable[[str], Sequence[str]]
    bootstrap: Bootstrap
    root_whois: str


@dataclass(slots=True)
class Budget:
    """Requests and time that are left for one search. `should_stop`: the program ends."""

    should_stop: Callable[[], bool] = lambda: False
    most: int = MOST_REQUESTS
    seconds: float = MOST_S
    used: int = 0
    _until: float = field(init=False)

    def __post_init__(self) -> None:
        self._until = monotonic() + self.seconds

    def take(self) -> bool:
        """Return whether one more request may be made, and count it."""
        if self.used >= self.most or monotonic() > self._until or self.should_stop():
            return False
        self.used += 1
        return True


@dataclass(slots=True)
class Reading:
    """What one source returned, while it is read."""

    source: ContactSource
    proposals: list[ContactProposal] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    outcome: SearchOutcome | None = None
    """Set where nothing was found for a reason."""

    def add(self, contacts: Sequence[NamedContact], place: str) -> None:
        for one in contacts:
            self.proposals.append(
                ContactProposal(
                    one.kind,
                    one.role,
                    one.value,
                    self.source,
                    place,
                    Confidence.STATED,
                    datetime.now(UTC),
                    one.name,
                )
            )

    @property
    def has_failed(self) -> bool:
        return not self.proposals and self.outcome in (SearchOutcome.FAILED, SearchOutcome.ABSENT)

    @property
    def note(self) -> SourceNote:
        outcome = SearchOutcome.FOUND if self.proposals else self.outcome or SearchOutcome.NONE
        return SourceNote(self.source, outcome, "; ".join(dict.fromkeys(self.words)))


def public_addresses(host: str, allowed: Sequence[Network] = ()) -> list[str]:
    """Return the addresses of a host that the guard lets through. Raises OSError for a name that does not resolve."""
    found = dict.fromkeys(str(one[4][0]) for one in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
    return [address for address in found if is_allowed(address, allowed)]
