"""The search for contacts over real protocols, against servers on loopback."""

import json
import threading
from collections.abc import Iterator
from ipaddress import ip_network

import pytest

from crawler.contacts.mail_servers import MailServerLookup, MailServers, NoDns
from crawler.contacts.rdap_bootstrap import bootstrap_of
from crawler.contacts.search import find_contacts
from crawler.contacts.sources import Budget, Sources, public_addresses
from crawler.contacts.whois_client import MOST_BYTES, WhoisClient, WhoisFailed
from crawler.fetch.fetch import Fetched, ask
from crawler.outcomes.refusals import Refusal
from storage.records.correspondence.contacts import Confidence, ContactRole, ContactsFound, ContactSource, SearchOutcome
from tests.crawler.contacts.test_rdap import domain, entity
from tests.crawler.contacts.test_whois_answers import CNNIC
from tests.support.correspondence.contact_servers import Scripted, name_server, whois_server
from tests.support.web_search.search_server import Scripted as Page
from tests.support.web_search.search_server import SearchServer, search_server

LOOPBACK = (ip_network("127.0.0.0/8"),)
SITE = "https://www.copier-news.com"
HTML = {"Content-Type": "text/html; charset=utf-8"}
FRONT = '<p>商务 biz@copier-news.com</p><a href="/tousu">侵权投诉</a> <a href="/about">关于我们</a> 京ICP备12345678号-1'
COMPLAINTS = "<p>请写信：legal@copier-news.com</p>"
REGISTRAR = entity(["registrar"], "R", entity(["abuse"], "Desk", email="abuse@registrar-co.com"))
NETWORK = {
    "objectClassName": "ip network",
    "entities": [entity(["abuse"], "Hosting Co", email="abuse@hosting-co.com")],
}


@pytest.fixture
def web() -> Iterator[SearchServer]:
    with search_server() as found:
        found.answer = Page(status=404)
        found.by_text = {
            "/robots.txt": Page(body=b"User-agent: *\nDisallow: /about\n", headers={"Content-Type": "text/plain"}),
            "/tousu": Page(body=COMPLAINTS.encode(), headers=HTML),
            "/about": Page(body=b"secret@copier-news.com", headers=HTML),
            "/rdap/domain/": Page(body=domain(REGISTRAR)),
            "/rdap/ip/": Page(body=json.dumps(NETWORK).encode()),
            "/front": Page(body=FRONT.encode(), headers=HTML),
        }
        yield found


@pytest.fixture
def whois() -> Iterator[Scripted]:
    with whois_server() as found:
        yield found


@pytest.fixture(scope="module")
def names() -> Iterator[Scripted]:
    known = {"copier-news.com": ["20 b.mail-co.com.", "10 a.mail-co.com."], "no-mail.com": ["0 ."], "empty.com": []}
    with name_server(known) as found:
        yield found


def sources(web: SearchServer, whois: Scripted, names: Scripted, *, top: str = "com") -> Sources:
    """The name of the copier leads to the server on loopback, which no name server knows."""

    def page(url: str) -> Fetched | Refusal:
        path = url.removeprefix(SITE)
        target = f"{web.base}/front" if path == "/" else f"{web.base}{path}"
        found = ask(target, allowed_networks=LOOPBACK, user_agent=None, timeout_s=10, obeys_robots=True)
        if isinstance(found, Refusal):
            return found
        return Fetched(url, found.status, found.headers, found.body, found.refusal)

    def rdap(url: str) -> Fetched | Refusal:
        return ask(url, allowed_networks=LOOPBACK, user_agent=None, timeout_s=10, accept="application/rdap+json")

    tables = {"services": [[[top], [f"{web.base}/rdap/"]]]}
    networks = {"services": [[["192.0.2.0/24"], [f"{web.base}/rdap"]]]}
    return Sources(
        page=page,
        rdap=rdap,
        whois=WhoisClient(LOOPBACK, answer_s=5).ask,
        mail_servers=MailServerLookup(("127.0.0.1",), names.port).of,
        addresses=lambda _: ["192.0.2.7"],
        bootstrap=bootstrap_of(json.dumps(tables).encode(), addresses=(json.dumps(networks).encode(),)),
        root_whois=whois.address,
    )


def outcomes(found: ContactsFound) -> dict[ContactSource, SearchOutcome]:
    return {note.source: note.outcome for note in found.notes}


def test_every_source_is_asked_and_each_contact_says_where_it_was_read(
    web: SearchServer, whois: Scripted, names: Scripted
) -> None:
    found = find_contacts("www.copier-news.com", sources(web, whois, names), Budget())

    assert {(one.value, one.role, one.source, one.confidence) for one in found.proposals} == {
        ("biz@copier-news.com", ContactRole.GENERAL, ContactSource.SITE, Confidence.LIKELY),
        ("legal@copier-news.com", ContactRole.COPYRIGHT, ContactSource.SITE, Confidence.STATED),
        ("京ICP备12345678号-1", ContactRole.GENERAL, ContactSource.SITE, Confidence.STATED),
        (f"{SITE}/tousu", ContactRole.COPYRIGHT, ContactSource.SITE, Confidence.LIKELY),
        ("abuse@registrar-co.com", ContactRole.REGISTRAR_ABUSE, ContactSource.RDAP_DOMAIN, Confidence.STATED),
        ("abuse@hosting-co.com", ContactRole.NETWORK_ABUSE, ContactSource.RDAP_ADDRESS, Confidence.STATED),
        ("abuse@copier-news.com", ContactRole.ABUSE, ContactSource.MAIL_SERVERS, Confidence.GUESS),
    }
    assert {one.value: one.place for one in found.proposals}["legal@copier-news.com"] == f"{SITE}/tousu"
    assert set(outcomes(found).values()) == {SearchOutcome.FOUND}
    by_source = {note.source: note.words for note in found.notes}
    assert by_source[ContactSource.MAIL_SERVERS] == "a.mail-co.com, b.mail-co.com"
    assert f"{SITE}/about: robots" in by_source[ContactSource.SITE]
    assert not [one for one in web.asked if one.target.startswith("/about")]
    assert whois.asked == []
    rdap = next(one for one in web.asked if one.target == "/rdap/domain/copier-news.com")
    assert rdap.headers["Accept"] == "application/rdap+json"
    assert found.requests == 6


def test_a_registry_without_rdap_is_asked_by_whois(web: SearchServer, whois: Scripted, names: Scripted) -> None:
    web.by_text = {}
    whois.answers = {
        "cn": f"domain: CN\nwhois: {whois.address}\n".encode(),
        "copier-news.cn": CNNIC.encode(),
        "192.0.2.7": b"",
    }

    found = find_contacts("copier-news.cn", sources(web, whois, names), Budget())

    assert [(one.value, one.source) for one in found.proposals] == [
        ("admin@copier-news.cn", ContactSource.WHOIS_DOMAIN)
    ]
    assert outcomes(found) == {
        ContactSource.SITE: SearchOutcome.FAILED,
        ContactSource.RDAP_DOMAIN: SearchOutcome.ABSENT,
        ContactSource.WHOIS_DOMAIN: SearchOutcome.FOUND,
        ContactSource.RDAP_ADDRESS: SearchOutcome.FAILED,
        ContactSource.WHOIS_ADDRESS: SearchOutcome.ABSENT,
        ContactSource.MAIL_SERVERS: SearchOutcome.NONE,
    }
    assert whois.asked == [b"cn\r\n", b"copier-news.cn\r\n", b"192.0.2.7\r\n"]


def test_a_search_without_requests_left_says_so(web: SearchServer, whois: Scripted, names: Scripted) -> None:
    found = find_contacts("www.copier-news.com", sources(web, whois, names), Budget(most=0))

    assert (found.proposals, found.requests, web.asked) == ((), 0, [])
    assert outcomes(found)[ContactSource.RDAP_DOMAIN] is SearchOutcome.LEFT_OUT
    stopped = Budget(should_stop=lambda: True)
    assert find_contacts("www.copier-news.com", sources(web, whois, names), stopped).requests == 0


def test_whois_is_asked_by_one_line_and_enters_no_private_network(whois: Scripted) -> None:
    client = WhoisClient(LOOPBACK, answer_s=5)
    whois.answers = {"a.com": "名称: 抄写".encode(), "b.com": b"name: \xe9"}

    assert client.ask(whois.address, "a.com") == "名称: 抄写"
    assert client.ask(whois.address, "b.com") == "name: é"
    with pytest.raises(WhoisFailed, match="private network"):
        WhoisClient().ask(whois.address, "a.com")
    with pytest.raises(WhoisFailed, match="private network"):
        WhoisClient().ask(f"localhost:{whois.port}", "a.com")
    assert whois.asked == [b"a.com\r\n", b"b.com\r\n"]


@pytest.mark.parametrize(
    ("server", "query"),
    [
        ("127.0.0.1", "a.com\r\nb.com"),
        ("127.0.0.1", "-h x a.com"),
        ("127.0.0.1", ""),
        ("127.0.0.1", "抄写.com"),
        ("", "a.com"),
        ("a b", "a.com"),
        ("127.0.0.1:99999", "a.com"),
        ("127.0.0.1:0", "a.com"),
        ("whois://x", "a.com"),
        ("no-such-host.invalid", "a.com"),
    ],
)
def test_what_is_no_server_or_no_name_is_refused(server: str, query: str) -> None:
    with pytest.raises(WhoisFailed):
        WhoisClient(LOOPBACK, answer_s=1).ask(server, query)


def test_a_whois_server_that_never_ends_is_left(whois: Scripted) -> None:
    whois.answers = {"endless.com": b"x" * (MOST_BYTES + 1), "slow.com": b"a: b"}
    with pytest.raises(WhoisFailed, match="bytes"):
        WhoisClient(LOOPBACK, answer_s=5).ask(whois.address, "endless.com")
    whois.hangs = threading.Event()
    with pytest.raises(WhoisFailed, match=r"timed out|no whole answer"):
        WhoisClient(LOOPBACK, answer_s=0.2).ask(whois.address, "slow.com")
    whois.hangs.set()


def test_mail_exchangers_come_by_preference(names: Scripted) -> None:
    lookup = MailServerLookup(("127.0.0.1",), names.port)

    assert lookup.of("copier-news.com") == MailServers(("a.mail-co.com", "b.mail-co.com"))
    assert lookup.of("no-mail.com") == MailServers((), refuses_mail=True)
    assert lookup.of("empty.com") == MailServers(())
    assert lookup.of("unknown.com") == MailServers(())
    for bad in ("a" * 300 + ".com", "..", "\ud800.com"):
        with pytest.raises(NoDns):
            lookup.of(bad)


def test_addresses_in_private_networks_are_left_out() -> None:
    assert public_addresses("127.0.0.1") == []
    assert public_addresses("127.0.0.1", LOOPBACK) == ["127.0.0.1"]
