"""M6: ranges that are not public, whatever the Python says that runs us."""

import pytest

from crawler.network.public_addresses import is_allowed, networks

NOT_PUBLIC = (
    "192.0.0.8", "192.0.0.9", "192.0.0.10", "192.0.0.192", "192.0.0.255",
    "192.88.99.1", "168.63.129.16",
    "fec0::1", "feff::1", "3fff::1", "3fff:fff::1", "5f00::1", "4000::1", "e000::1",
    "2001::1", "2001:1::1", "2001:2::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:db8::1",
    "100::1", "100:0:0:1::1", "64:ff9b:1::7f00:1", "64:ff9b:1::5db8:d822",
)  # fmt: skip

CARRYING = (
    # ISATAP, under a public prefix, with both forms of the interface identifier.
    "2606:2800:220:1:0:5efe:10.1.2.3", "2606:2800:220:1:200:5efe:169.254.169.254", "2606:2800:220:1:0:5efe:192.0.0.192",
    "fe80::5efe:93.184.216.34",
    # 6to4, NAT64, mapped, compatible, translated (SIIT), and Teredo through a private server.
    "2002:a9fe:a9fe::1", "2002:c000:c0::1", "2002:a83f:8110::1", "64:ff9b::192.0.0.192", "64:ff9b::168.63.129.16",
    "::ffff:192.0.0.192", "::ffff:168.63.129.16", "::10.1.2.3", "::93.184.216.34", "::ffff:0:10.1.2.3",
    "2001:0:a00:1:0:0:a247:27dd",
)  # fmt: skip

PUBLIC = (
    "93.184.216.34", "168.63.129.15", "168.63.129.17", "192.0.1.1", "192.88.98.255", "192.88.100.1",
    "2606:2800:220:1:248:1893:25c8:1946", "2001:200::1", "2400:3200::1", "2002:5db8:d822::1",
    "2606:2800:220:1:0:5efe:93.184.216.34",
)  # fmt: skip


@pytest.mark.parametrize("address", [*NOT_PUBLIC, *CARRYING])
def test_m6_what_is_not_public_is_refused(address: str) -> None:
    assert not is_allowed(address, ())


@pytest.mark.parametrize("address", PUBLIC)
def test_m6_their_neighbours_are_reached(address: str) -> None:
    assert is_allowed(address, ())


def test_m6_whoever_opens_such_a_network_reaches_it_in_every_spelling() -> None:
    allowed = networks(["10.0.0.0/8", "fec0::/10"])
    for address in ("10.1.2.3", "fec0::1", "::ffff:10.1.2.3", "2606:2800:220:1:0:5efe:10.1.2.3", "64:ff9b::10.1.2.3"):
        assert is_allowed(address, allowed)


def test_m6_an_open_server_of_teredo_opens_nothing_behind_it() -> None:
    # The server is 10.0.0.1, the host behind it 127.0.0.1.
    assert not is_allowed("2001:0:a00:1:0:0:80ff:fffe", networks(["10.0.0.0/8"]))
