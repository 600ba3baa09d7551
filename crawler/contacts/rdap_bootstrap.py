"""Which RDAP server to ask: files in the format of RFC 9224, as IANA publishes them. Pure but for the built-in files.

IANA's files are read from the address of the setting `rdap_bootstrap`, and kept. The built-in ones are dated and name
few registries; they serve where those cannot be read.
"""

import ipaddress
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Final, TypeAlias

MOST_SERVICES: Final = 20_000
"""IANA's file of domains has about 600 services for 1,200 names."""
_PAIR: Final = 2

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadBootstrap(ValueError):
    """A file that is not in the format of RFC 9224; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """`published`: the date that the file of domains states. `domains`: base addresses by name of the registry."""

    published: str
    domains: Mapping[str, str]
    networks: Mapping[Network, str] = field(default_factory=dict)

    def domain_server(self, domain: str) -> str | None:
        """Return the base address for a domain: of the longest known suffix; None if its registry has no server."""
        labels = domain.split(".")
        suffixes = (".".join(labels[place:]) for place in range(1, len(labels)))
        return next((self.domains[suffix] for suffix in suffixes if suffix in self.domains), None)

    def address_server(self, address: str) -> str | None:
        """Return the base address for an IP address: of the smallest network that holds it. Raises ValueError."""
        wanted = ipaddress.ip_address(address)
        holding = [network for network in self.networks if network.version == wanted.version and wanted in network]
        return self.networks[max(holding, key=lambda network: network.prefixlen)] if holding else None


def built_in() -> Bootstrap:
    """Return the dated tables of this package."""
    folder = files("crawler.contacts") / "data"
    return bootstrap_of(
        (folder / "rdap_dns.json").read_bytes(), addresses=((folder / "rdap_addresses.json").read_bytes(),)
    )


def bootstrap_of(domains: bytes, *, addresses: tuple[bytes, ...] = ()) -> Bootstrap:
    """Read a file of domains and files of addresses. Raises BadBootstrap."""
    table = _table(domains)
    networks: dict[Network, str] = {}
    for content in addresses:
        for name, server in _servers(_table(content)).items():
            try:
                networks[ipaddress.ip_network(name)] = server
            except ValueError as error:
                message = f"{name!r} is no network"
                raise BadBootstrap(message) from error
    return Bootstrap(str(table.get("publication", ""))[:40], _servers(table), networks)


def _table(content: bytes) -> Mapping[str, object]:
    try:
        table = json.loads(content)
    except (ValueError, RecursionError) as error:
        message = "it is no JSON"
        raise BadBootstrap(message) from error
    if not isinstance(table, dict) or not isinstance(table.get("services"), list):
        message = "it has no list of services (RFC 9224)"
        raise BadBootstrap(message)
    return table


def _servers(table: Mapping[str, object]) -> dict[str, str]:
    """The first https address of each service, by its entries; http only where there is no other."""
    services = table["services"]
    assert isinstance(services, list)  # noqa: S101  # `_table` has looked
    found: dict[str, str] = {}
    for service in services[:MOST_SERVICES]:
        if not isinstance(service, list) or len(service) < _PAIR:
            continue
        *_, entries, addresses = service
        usable = sorted(
            (one for one in _strings(addresses) if one.startswith(("https://", "http://"))),
            key=lambda one: not one.startswith("https://"),
        )
        if usable:
            found |= {entry.lower().strip("."): f"{usable[0].rstrip('/')}/" for entry in _strings(entries)}
    return found


def _strings(values: object) -> list[str]:
    return [one for one in values if isinstance(one, str)] if isinstance(values, list) else []
