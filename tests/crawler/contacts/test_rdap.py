"""RDAP answers and the tables that say whom to ask."""

import json
from typing import Any

import pytest

from crawler.contacts.rdap_answers import BadAnswer, read_rdap
from crawler.contacts.rdap_bootstrap import BadBootstrap, bootstrap_of, built_in
from storage.records.correspondence.contacts import ContactKind, ContactRole


def card(name: str, **properties: str) -> list[Any]:
    rows = [["version", {}, "text", "4.0"], ["fn", {}, "text", name]]
    return ["vcard", rows + [[key.replace("_", "-"), {}, "text", value] for key, value in properties.items()]]


def entity(roles: list[str], name: str = "Some Body", *inner: dict[str, Any], **properties: str) -> dict[str, Any]:
    return {
        "objectClassName": "entity",
        "roles": roles,
        "vcardArray": card(name, **properties),
        "entities": list(inner),
    }


def domain(*entities: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"objectClassName": "domain", "ldhName": "copier-news.com", "entities": entities} | more).encode()


def test_an_abuse_desk_inside_the_registrar_is_the_registrar_s() -> None:
    desk = entity(["abuse"], "Abuse Desk", email="abuse@registrar-co.com", tel="tel:+1.555")

    found = read_rdap(
        domain(entity(["registrar"], "Registrar Co", desk, email="sales@registrar-co.com")), is_network=False
    )

    assert [(one.value, one.role, one.name) for one in found.contacts] == [
        ("abuse@registrar-co.com", ContactRole.REGISTRAR_ABUSE, "Abuse Desk")
    ]
    assert not found.is_withheld


def test_a_registrant_is_read_and_what_is_withheld_is_said() -> None:
    known = entity(["registrant"], "Copier Ltd", email="Info@Copier-News.com")
    hidden = entity(["administrative"], "REDACTED FOR PRIVACY", email="Please query the RDDS service", contact_uri="x")
    form = entity(["technical"], "T", contact_uri="https://registrar-co.com/contact?d=1")

    found = read_rdap(domain(known, hidden, form, redacted=[{"name": {"type": "Admin"}}]), is_network=False)

    assert {(one.value, one.kind, one.role) for one in found.contacts} == {
        ("info@copier-news.com", ContactKind.MAIL, ContactRole.REGISTRANT),
        ("https://registrar-co.com/contact?d=1", ContactKind.PAGE, ContactRole.GENERAL),
    }
    assert found.is_withheld


def test_an_older_remark_of_privacy_is_understood() -> None:
    remark = {"remarks": [{"title": "REDACTED FOR PRIVACY", "description": ["Some of the data"]}]}

    assert read_rdap(domain(entity(["registrant"]) | remark), is_network=False).is_withheld


def test_in_a_network_everybody_stands_for_the_network() -> None:
    answer = json.dumps(
        {
            "objectClassName": "ip network",
            "entities": [
                entity(
                    ["registrant"], "Hosting Co", entity(["abuse", "technical"], "Desk", email="abuse@hosting-co.com")
                )
            ],
        }
    ).encode()

    found = read_rdap(answer, is_network=True)

    assert [(one.value, one.role) for one in found.contacts] == [("abuse@hosting-co.com", ContactRole.NETWORK_ABUSE)]


def test_only_rdap_links_to_the_same_object_are_followed() -> None:
    links = [
        {"rel": "related", "type": "application/rdap+json", "href": "https://rdap.registrar-co.com/domain/x"},
        {"rel": "related", "type": "text/html", "href": "https://registrar-co.com/"},
        {"rel": "self", "type": "application/rdap+json", "href": "https://registry.com/domain/x"},
        {"rel": "related", "type": "application/rdap+json", "href": "file:///etc/passwd"},
        {"rel": "related", "type": "application/rdap+json", "href": 7},
        "nonsense",
    ]

    assert read_rdap(domain(links=links), is_network=False).related == ("https://rdap.registrar-co.com/domain/x",)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>not json</html>",
        b"[]",
        b"null",
        b"7",
        b"{}",
        b'{"errorCode": 404, "title": "Not Found"}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"a":' * 100_000,
    ],
)
def test_what_is_no_object_is_refused_with_a_reason(content: bytes) -> None:
    with pytest.raises(BadAnswer, match=r"."):
        read_rdap(content, is_network=False)


@pytest.mark.parametrize(
    "entities",
    [
        None,
        7,
        [None, 7, "x", []],
        [{"roles": "abuse", "vcardArray": 7}],
        [{"roles": [None, 7], "vcardArray": ["vcard"]}],
        [{"roles": ["abuse"], "vcardArray": ["vcard", [7, [], ["email"], ["email", {}, "text", None]]]}],
        [{"roles": ["abuse"], "vcardArray": ["vcard", [["email", {}, "text", "a@b\ud800.com\0"]]]}],
        [{"roles": ["abuse"], "vcardArray": ["vcard", [["email", {}, "text", "x" * 1_000_000]]]}],
        [{"roles": ["abuse"], "entities": [{"roles": ["abuse"]}] * 300}] * 300,
    ],
)
def test_broken_entities_are_left_out(entities: Any) -> None:
    content = json.dumps({"objectClassName": "domain", "entities": entities}).encode()

    assert read_rdap(content, is_network=False).contacts == ()


def test_entities_that_nest_deeply_end_somewhere() -> None:
    inner: dict[str, Any] = entity(["abuse"], email="abuse@deep-co.com")
    for _ in range(50):
        inner = entity(["sponsor"], "x", inner)

    assert read_rdap(domain(inner), is_network=False).contacts == ()


def test_the_longest_suffix_and_the_smallest_network_decide() -> None:
    domains = {
        "services": [
            [["com"], ["https://a-registry.com"]],
            [["uk.com"], ["http://b-registry.com/", "https://c-registry.com/x"]],
        ]
    }
    networks = {
        "services": [[["10.0.0.0/8"], ["https://big.com/"]], [["10.1.0.0/16", "2001:db8::/32"], ["https://small.com/"]]]
    }

    found = bootstrap_of(json.dumps(domains).encode(), addresses=(json.dumps(networks).encode(),))

    assert found.domain_server("x.com") == "https://a-registry.com/"
    assert found.domain_server("x.uk.com") == "https://c-registry.com/x/"
    assert found.domain_server("x.cn") is None
    assert found.domain_server("com") is None
    assert found.address_server("10.1.2.3") == "https://small.com/"
    assert found.address_server("10.9.2.3") == "https://big.com/"
    assert found.address_server("2001:db8::1") == "https://small.com/"
    assert found.address_server("192.0.2.1") is None


def test_the_built_in_tables_are_dated_and_answer_by_https() -> None:
    found = built_in()

    assert found.published.startswith("20")
    assert found.domain_server("x.com") == "https://rdap.verisign.com/com/v1/"
    assert found.domain_server("x.cn") is None
    assert found.address_server("8.8.8.8") == found.address_server("2001:4860::1") == "https://rdap.arin.net/registry/"
    assert all(server.startswith("https://") for server in (*found.domains.values(), *found.networks.values()))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"services": 7}',
        b"\xff",
        b"[" * 100_000,
        b'{"services": [[["nonsense"], ["https://a.com/"]]]}',
    ],
)
def test_a_broken_table_is_refused(content: bytes) -> None:
    with pytest.raises(BadBootstrap):
        bootstrap_of(b'{"services": []}', addresses=(content,))


def test_broken_services_are_left_out() -> None:
    content = json.dumps(
        {"services": [None, 7, [], [["com"]], [["com"], "x"], [7, ["https://a.com"]], [["net"], ["ftp://a.com"]]]}
    )

    assert bootstrap_of(content.encode()).domains == {}
