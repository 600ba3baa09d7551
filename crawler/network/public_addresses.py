"""Which addresses may be connected to: public ones, and networks that were opened. Pure."""

import ipaddress
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

ALLOWED_NETWORKS_SETTING: Final = "ZHIWEN_ALLOWED_NETWORKS"

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
