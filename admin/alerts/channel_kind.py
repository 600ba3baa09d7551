"""The declaration of a kind of channel: its addresses, the limits of its messages, and how they are sent."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from admin.alerts.addresses import mark
from admin.alerts.apprise_service import send_by_apprise
from admin.alerts.orders import Order, Outcome

CHAT_BYTES: Final = 3_000
"""Default length of a digest for a chat, in UTF-8."""

Send: TypeAlias = Callable[[Order, str], Outcome]
"""Takes an order and the User-Agent to send it with. Raises OSError, HTTPException, SMTPException or ValueError when it
fails. Runs only in the guarded child process.
"""


def service_and_mark(service: Any, address: str) -> str:
    """The name of the service, and a mark that distinguishes its addresses."""
    return f"{service.service_name} · {mark(address)}"


@dataclass(frozen=True, slots=True)
class ChannelKind:
    """One kind of channel. A service that apprise sends to needs only the first four fields."""

    value: str
    """The stored value, which never changes."""
    label: object
    """The name of the kind, translated when shown."""
    example: str
    """An address as people paste it, with placeholders for secrets. Shown on the form."""
    schemes: frozenset[str] = frozenset()
    """Schemes of the addresses in the form of apprise."""
    as_apprise: Callable[[str], str | None] = lambda _address: None
    """Converts an address that only the service itself uses into the form of apprise; None for any other address."""
    shown: Callable[[Any, str], str] = service_and_mark
    """The part of an address that is not secret, from apprise's service and the address. Raises BadAddress."""
    digest_bytes: int | None = CHAT_BYTES
    """Maximum length of a digest's text, in UTF-8; None: only the number of lines is limited."""
    send: Send = send_by_apprise
    gets_card: bool = False
    """Whether a message about one case also holds its card (`admin.alerts.cards`)."""
    gets_data: bool = False
    """Whether messages also hold the events as data."""
    is_signed: bool = False
    """Whether each channel gets a secret of its own that signs its messages."""
