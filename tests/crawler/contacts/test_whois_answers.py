"""WHOIS answers of several registries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.contacts.whois_answers import read_whois
from storage.records.correspondence.contacts import ContactRole

CNNIC = """Domain Name: copier-news.cn
ROID: 20200101s10001s00000000-cn
Domain Status: ok
Registrant: 抄写传媒有限公司
Registrant Contact Email: admin@copier-news.cn
Sponsoring Registrar: 某某云计算有限公司
Name Server: ns1.dns-host.com
Registration Time: 2020-01-01 00:00:00
"""
GENERIC = """   Domain Name: COPIER-NEWS.COM\r
   Registrar WHOIS Server: whois.registrar-co.com\r
   Registrar: Registrar Co\r
   Registrar Abuse Contact Email: Abuse@registrar-co.com\r
   Registrar Abuse Contact Phone: +1.5555551234\r
   Not Registrar Abuse Contact Email: wrong@registrar-co.com\r
   Registrant Email: REDACTED FOR PRIVACY\r
   Registrant Organization: REDACTED FOR PRIVACY\r
>>> Last update of whois database: 2026-06-01T00:00:00Z <<<\r
# Registrar Abuse Contact Email: comment@registrar-co.com\r
"""
ROUTES = """% Information related to '203.0.113.0 - 203.0.113.255'
% Abuse contact for '203.0.113.0 - 203.0.113.255' is 'abuse@network-co.com'
inetnum:        203.0.113.0 - 203.0.113.255
netname:        NETWORK-CO
abuse-mailbox:  abuse@network-co.com
"""
ARIN = "OrgName:        Network Co\nOrgAbuseEmail:  abuse@network-co.com\nOrgTechEmail:  tech@network-co.com\n"


def test_a_registry_without_privacy_names_the_registrant() -> None:
    found = read_whois(CNNIC)

    assert [(one.value, one.role, one.name) for one in found.contacts] == [
        ("admin@copier-news.cn", ContactRole.REGISTRANT, "抄写传媒有限公司")
    ]
    assert (found.referral, found.is_withheld, found.is_missing) == (None, False, False)


def test_the_field_of_the_registrar_s_abuse_desk_is_read_exactly() -> None:
    found = read_whois(GENERIC)

    assert [(one.value, one.role, one.name) for one in found.contacts] == [
        ("abuse@registrar-co.com", ContactRole.REGISTRAR_ABUSE, "Registrar Co")
    ]
    assert found.referral == "whois.registrar-co.com"
    assert found.is_withheld


@pytest.mark.parametrize("text", [ROUTES, ARIN])
def test_a_network_s_abuse_desk_is_read_once(text: str) -> None:
    found = read_whois(text)

    assert [(one.value, one.role) for one in found.contacts] == [("abuse@network-co.com", ContactRole.NETWORK_ABUSE)]


@pytest.mark.parametrize(
    ("line", "server"),
    [
        ("refer:        whois.cnnic.cn", "whois.cnnic.cn"),
        ("whois:        whois.cnnic.cn", "whois.cnnic.cn"),
        ("ReferralServer:  whois://whois.ripe.net:43/x", "whois.ripe.net:43"),
        ("whois:", None),
        ("domain: CN", None),
    ],
)
def test_a_referral_is_followed_to_its_host(line: str, server: str | None) -> None:
    assert read_whois(f"% IANA WHOIS server\n\n{line}\n").referral == server


@pytest.mark.parametrize("text", ['No match for "X.COM".', "No matching record.", "NOT FOUND", "Domain not found."])
def test_an_unknown_name_is_said_to_be_missing(text: str) -> None:
    assert read_whois(text).is_missing


@given(st.text(max_size=400))
def test_any_answer_is_read(text: str) -> None:
    read_whois(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0" * 1000,
        ":" * 200_000,
        "a:\n" * 100_000,
        "registrant email: " + "x" * 500_000,
        "\ud800: a@b.com",
        "% Abuse contact for '" * 9000,
    ],
)
def test_a_hostile_answer_names_nobody(text: str) -> None:
    assert read_whois(text).contacts == ()
