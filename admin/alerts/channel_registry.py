"""The registry of channel kinds: look one up by value, or by an address."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from typing import Final

from admin.alerts import kinds
from admin.alerts.addresses import NO_ADDRESS, BadAddress
from admin.alerts.apprise_service import find_service, schemes_of
from admin.alerts.channel_kind import ChannelKind
from admin.alerts.kinds import other, webhook
from storage.records.alerts import NewAddress

LONGEST: Final = 2_000

KINDS: Final[Mapping[str, ChannelKind]] = {
    kind.value: kind
    for kind in (import_module(f"{kinds.__name__}.{found.name}").KIND for found in pkgutil.iter_modules(kinds.__path__))
}
"""By value: the `KIND` of every module in `admin.alerts.kinds`."""


def kind_of(value: str) -> ChannelKind:
    """The kind stored as `value`; `other` if no module declares it any more."""
    return KINDS.get(value, other.KIND)


def read_address(text: str) -> NewAddress:
    """Read what somebody pasted: the address of a chat bot as its service shows it, an address of apprise, or a web
    address, which becomes a signed webhook. Makes no request. Raises BadAddress.
    """
    text = text.strip()
    if not text or len(text) > LONGEST or not text.isprintable():
        raise BadAddress(NO_ADDRESS)
    address = next(filter(None, (kind.as_apprise(text) for kind in KINDS.values())), text)
    service = find_service(address)
    if service is None:
        return NewAddress(webhook.KIND.value, address, webhook.shown_host(address), is_signed=True)
    schemes = schemes_of(service)
    kind = next((kind for kind in KINDS.values() if kind.schemes & schemes), other.KIND)
    return NewAddress(kind.value, address, kind.shown(service, address), is_signed=kind.is_signed)
