"""What is declared of a kind of channel: its addresses, how much a message may hold, and how one is sent."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from admin.alerts.addresses import mark
from admin.alerts.apprise_service import send_by_apprise
from admin.alerts.orders import Order, Outcome

CHAT_BYTES: Final = 3_000
"""Of a digest for a chat in general."""

Send: TypeAlias = Callable[[Order, str], Outcome]
"""Sends an order, under a User-Agent. Raises OSError, HTTPException, SMTPException or ValueError for failures. Runs in
the guarded child process alone.
"""


def service_and_mark(service: Any, address: str) -> str:
    """The service's name, and what tells two addresses of it apart."""
    return f"{service.service_name} · {mark(address)}"


@dataclass(frozen=True, slots=True)
class ChannelKind:
    """One kind of channel. Only the first three have to be declared for a service that apprise sends to."""

    value: str
    """As it is stored: it never changes."""
    label: object
    """Its name, in the reader's language."""
    example: str
    """An address as people paste it, with names in the places of secrets."""
    schemes: frozenset[str] = frozenset()
    """Schemes of addresses as apprise writes them."""
    as_apprise: Callable[[str], str | None] = lambda _address: None
    """An address of this kind as apprise writes it, where apprise does not know it as the service shows it; else None.
    """
    shown: Callable[[Any, str], str] = service_and_mark
    """As much of an address as may be read, from apprise's service and the address. Raises BadAddress for one that
    cannot be used.
    """
    digest_bytes: int | None = CHAT_BYTES
    """How long the text of a digest may be, in UTF-8; None: bounded by the number of its lines alone."""
    send: Send = send_by_apprise
    gets_data: bool = False
    """Whether messages hold the events as data too."""
    is_signed: bool = False
    """Whether a channel has a secret of its own, by which the receiver knows us."""
