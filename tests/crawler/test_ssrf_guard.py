"""The guard at the resolver."""

import ipaddress
from collections.abc import Sequence
from typing import Any

import pytest
from twisted.internet.address import IPv4Address

from crawler.network.public_addresses import is_allowed, networks
from crawler.network.ssrf_guard import GuardedResolver, Receiver

PRIVATE = (
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.1", "224.0.0.1",
    "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
    "2002:7f00:1::", "2001:0:0:0:0:0:80ff:fffe", "not an address",
)  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_no_private_address_is_allowed(address: str) -> None:
    assert not is_allowed(address, ())


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_allowed(address, ())


def test_a_network_can_be_opened() -> None:
    allowed = networks(["10.0.0.0/8"])
    assert is_allowed("10.1.2.3", allowed)
    assert is_allowed("::ffff:10.1.2.3", allowed)
    assert not is_allowed("192.168.1.1", allowed)


class Rebinding:
    """A name server that answers with a public address first and a private one ever after."""

    def __init__(self) -> None:
        self._answers = iter(("93.184.216.34", "127.0.0.1", "127.0.0.1"))

    def resolveHostName(
        self,
        resolutionReceiver: Receiver,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[Any]] | None = None,
        transportSemantics: str = "TCP",
    ) -> Any:
        resolutionReceiver.resolutionBegan(None)
        resolutionReceiver.addressResolved(IPv4Address("TCP", next(self._answers), portNumber))
        resolutionReceiver.resolutionComplete()


class Collected:
    """Stands where the connection would be made: to these addresses, and no others."""

    def __init__(self) -> None:
        self.addresses: list[str] = []

    def resolutionBegan(self, resolution: Any) -> None:
        """Nothing to collect yet."""

    def addressResolved(self, address: Any) -> None:
        self.addresses.append(address.host)

    def resolutionComplete(self) -> None:
        """Nothing more comes."""


def test_a_rebinding_name_reaches_no_private_address() -> None:
    guard = GuardedResolver(Rebinding(), allowed=())
    connected = Collected()

    for _ in range(3):
        guard.resolveHostName(connected, "rebind.example", 80)

    assert connected.addresses == ["93.184.216.34"]
    assert guard.has_blocked("rebind.example")
    assert not guard.has_blocked("other.example")


def test_an_opened_network_lets_the_answer_through() -> None:
    guard = GuardedResolver(Rebinding(), allowed=(ipaddress.ip_network("127.0.0.0/8"),))
    connected = Collected()
    for _ in range(2):
        guard.resolveHostName(connected, "rebind.example", 80)
    assert connected.addresses == ["93.184.216.34", "127.0.0.1"]
