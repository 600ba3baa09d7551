"""Guard against server-side request forgery: no request leaves for a private address.

Every connection asks the reactor's name resolver for an address, literal addresses in any spelling included. The
guard is that resolver: it drops addresses that are not public from each answer, and the connection is made to an
address of that very answer. So a name that resolves to another address a moment later (rebinding) gains nothing, and a
redirect is a new connection like any other.
"""

import ipaddress
import os
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from twisted.internet.base import ReactorBase

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

ALLOWED_NETWORKS_SETTING: Final = "ZHIWEN_ALLOWED_NETWORKS"
HOSTS_REMEMBERED: Final = 1_000

_NOT_PUBLIC: Final = tuple(
    ipaddress.ip_network(network)
    for network in (
        # IANA's registries of special addresses, as far as releases of Python differ on them.
        "192.0.0.0/24",  # protocol assignments; 192.0.0.192 served metadata in Oracle's older cloud
        "192.88.99.0/24",  # relays of 6to4, given up
        "2001::/23",  # protocol assignments, Teredo among them
        "3fff::/20",  # documentation
        # Public by registry, but answered inside a cloud alone.
        "168.63.129.16/32",  # Azure's platform: WireServer, DNS, health probes
    )
)
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""Global unicast as IANA assigns it. The rest of IPv6 is local or reserved, such as fec0::/10 and 5f00::/16."""

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_ISATAP: Final = frozenset({0x0000_5EFE, 0x0200_5EFE})
"""RFC 5214: the four bytes before the IPv4 address, under any prefix."""
_IPV4_BITS: Final = 0xFFFF_FFFF


def networks(spellings: Iterable[str]) -> tuple[Network, ...]:
    """Networks as CIDRs; raises ValueError for anything else."""
    return tuple(ipaddress.ip_network(spelling.strip(), strict=False) for spelling in spellings if spelling.strip())


def allowed_networks(settings: "BaseSettings") -> tuple[Network, ...]:
    """From Scrapy's settings, else from the environment: the reactor starts before there is a spider."""
    spellings: list[str] = settings.getlist(ALLOWED_NETWORKS_SETTING)
    return networks(spellings or os.environ.get(ALLOWED_NETWORKS_SETTING, "").split(","))


def is_allowed(host: str, allowed: Sequence[Network]) -> bool:
    """Whether a connection may be made to the address `host`. Not for names: what is no address is not allowed."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    carried = _carried(address)
    if _is_in(allowed, address) or (carried and all(_is_in(allowed, one) for one in carried)):
        return True
    return _is_public(address) and all(map(_is_public, carried))


def _is_in(networks: Iterable[Network], address: Address) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address not in _UNICAST:
        return False
    is_special = address.is_multicast or address.is_reserved or _is_in(_NOT_PUBLIC, address)
    return address.is_global and not is_special


def _carried(address: Address) -> tuple[ipaddress.IPv4Address, ...]:
    """The IPv4 addresses inside an IPv6 one to which a host, a relay or a translator would send."""
    if isinstance(address, ipaddress.IPv4Address):
        return ()
    last = ipaddress.IPv4Address(int(address) & _IPV4_BITS)
    if address in _NAT64 or (int(address) >> 32) & _IPV4_BITS in _ISATAP:
        return (last,)
    return tuple(one for one in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())) if one is not None)


class Receiver(Protocol):
    """Twisted's IResolutionReceiver, for the type checker."""

    def resolutionBegan(self, resolution: Any) -> None: ...
    def addressResolved(self, address: Any) -> None: ...
    def resolutionComplete(self) -> None: ...


class Resolver(Protocol):
    """Twisted's IHostnameResolver, the same."""

    def resolveHostName(
        self,
        resolutionReceiver: Receiver,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[Any]] | None = None,
        transportSemantics: str = "TCP",
    ) -> Any: ...


@implementer(IHostnameResolver)
class GuardedResolver:
    """Answers as `inner` does, less the addresses that may not be connected to."""

    def __init__(self, inner: Resolver, *, allowed: Sequence[Network]) -> None:
        self._inner = inner
        self._allowed = tuple(allowed)
        self._blocked: OrderedDict[str, None] = OrderedDict()
        self._reactor: ReactorBase | None = None

    @classmethod
    def from_crawler(cls, crawler: "Crawler", reactor: "ReactorBase") -> "GuardedResolver":
        guard = cls(cast("Resolver", reactor.nameResolver), allowed=allowed_networks(crawler.settings))
        guard._reactor = reactor
        return guard

    def install_on_reactor(self) -> None:
        """Called by Scrapy when it starts."""
        if self._reactor is not None:
            self._reactor.installNameResolver(self)  # type: ignore[arg-type]  # zope's interface

    def has_blocked(self, host: str) -> bool:
        """Whether `host` was lately refused an address: distinguishes a blocked name from one that does not exist."""
        return host.strip("[]") in self._blocked

    def resolveHostName(
        self,
        resolutionReceiver: Receiver,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[Any]] | None = None,
        transportSemantics: str = "TCP",
    ) -> Any:
        receiver = _GuardedReceiver(resolutionReceiver, hostName, self)
        return self._inner.resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)

    def passes(self, host: str, address: str) -> bool:
        if is_allowed(address, self._allowed):
            return True
        self._blocked[host] = None
        if len(self._blocked) > HOSTS_REMEMBERED:
            self._blocked.popitem(last=False)
        return False


@implementer(IResolutionReceiver)
class _GuardedReceiver:
    def __init__(self, receiver: Receiver, host: str, guard: GuardedResolver) -> None:
        self._receiver = receiver
        self._host = host
        self._guard = guard

    def resolutionBegan(self, resolution: Any) -> None:
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:
        if self._guard.passes(self._host, address.host):
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:
        self._receiver.resolutionComplete()
