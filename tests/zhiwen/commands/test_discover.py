"""`discover` as a command: off, on, its object for programs, and decisions about hosts."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from crawler.contacts.rdap_bootstrap import built_in
from storage.contacts import contacts, searches
from storage.engine import transaction
from storage.sites import sites
from storage.types import Rights, SiteRole
from storage.web_search import finds
from tests.support.factories import a_site, an_article, save, story
from tests.support.processes.forked_program import Program
from tests.support.web_search.search_server import Scripted, SearchServer, search_server
from tests.support.web_search.small_web import Answer, SmallSite, small_site
from tests.zhiwen.commands.test_commands import Run, runner_on
from zhiwen.config.loading import load_settings
from zhiwen.contacts.bootstrap_files import ADDRESSES, DOMAINS, kept_bootstrap
from zhiwen.web_search.plan_file import FILE_NAME
from zhiwen.worker.jobs import Jobs

TEXT = story()
FRONT = "<p>版权投诉：legal@copier-news.com</p>"
OPEN = {"ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8", "ZHIWEN_ENCODER": "off"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def run(program: Program, clean_database_url: str, home: Path) -> Run:
    return runner_on(program, clean_database_url, home)


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        found.says({"results": []})
        yield found


@pytest.fixture
def ours(engine: Engine) -> Iterator[SmallSite]:
    with small_site("127.0.0.2") as found:
        url = found.shows("/1", TEXT)
        with transaction(engine) as session:
            site = a_site(session, "ours", host=found.host, role=SiteRole.ORIGINAL, rights=Rights.OWN, delay_s=0.0)
            save(session, an_article(url, TEXT, site_id=site.id, fetched_at=datetime.now(UTC)))
        yield found


@pytest.fixture
def theirs() -> Iterator[SmallSite]:
    with small_site("127.0.0.3") as found:
        yield found


def services(home: Path, server: SearchServer) -> None:
    home.mkdir(exist_ok=True)
    (home / FILE_NAME).write_text(f'[services.one]\nkind = "searxng"\nurl = "{server.base}/"\n')


def test_without_a_service_it_says_how_to_set_one_up(run: Run, home: Path, ours: SmallSite) -> None:
    done = run("discover", **OPEN)

    assert (done.returncode, done.stdout, ours.asked) == (1, "", [])
    assert str(home / FILE_NAME) in done.stderr
    assert 'kind = "searxng"' in done.stderr


def test_copies_are_found_told_and_their_host_is_proposed_and_decided_on(
    run: Run, home: Path, engine: Engine, server: SearchServer, ours: SmallSite, theirs: SmallSite
) -> None:
    services(home, server)
    theirs.pages["/"] = Answer(
        body="<html><title>别家</title><body><a href='/copy'>河边的早晨，一篇文章</a></body></html>"
    )
    hostile = "\x1b]0;owned\x07<script>alert(1)</script>"
    server.says({"results": [{"url": theirs.shows("/copy", TEXT), "title": hostile, "content": hostile}]})

    done = run("discover", "--json", **OPEN)

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["articles"], found["copies"], found["cases"], found["proposed_hosts"]) == (1, 1, 1, 1)
    assert found["queries"] == len(server.asked)
    assert "1 hosts with copies belong to no site" in done.stderr
    (host,) = (json.loads(line) for line in run("discover", "hosts", "--json").stdout.splitlines())
    assert (host["host"], host["articles"], host["copies"]) == (theirs.host, 1, 1)

    watched = run("discover", "watch", theirs.host, "--name", "别家", "--yes", **OPEN)

    assert watched.returncode == 0, watched.stderr
    assert run("discover", "hosts", "--json").stdout == ""
    with transaction(engine) as session:
        site = sites.get_site(session, "别家")
    assert (site.settings.role, site.settings.hosts) == (SiteRole.WATCHED, (theirs.host,))


def test_an_ignored_host_is_not_proposed_and_not_fetched(
    run: Run, home: Path, engine: Engine, server: SearchServer, ours: SmallSite, theirs: SmallSite
) -> None:
    services(home, server)
    server.says({"results": [{"url": theirs.shows("/copy", TEXT)}]})

    assert run("discover", "ignore", f"{theirs.base}/copy").returncode == 0
    done = run("discover", "articles", "ours", "--articles", "5", "--json", **OPEN)

    assert json.loads(done.stdout)["left_out"] == {"ignored-host": 1}
    assert theirs.asked == []
    with transaction(engine) as session:
        assert finds.ignored_hosts(session) == {theirs.host}


def test_a_site_or_an_address_that_is_none_of_ours_is_an_error_without_a_query(
    run: Run, home: Path, server: SearchServer, ours: SmallSite
) -> None:
    services(home, server)

    for what in ("nobody", "https://elsewhere.example/1", "https://\u202e/", "hosts\n"):
        done = run("discover", "articles", what, **OPEN)
        assert (done.returncode, done.stdout) == (1, ""), what
        assert done.stderr.strip()
    assert server.asked == []


def test_an_address_on_a_site_whose_rule_forbids_it_is_an_error_without_a_query(
    run: Run, home: Path, server: SearchServer, ours: SmallSite
) -> None:
    services(home, server)
    with (home / FILE_NAME).open("a") as file:
        file.write('[sites."ours"]\ndays = []\n')

    done = run("discover", "articles", f"{ours.base}/1", **OPEN)

    assert (done.returncode, "“days” is empty" in done.stderr, server.asked) == (1, True, [])

    assert run("site", "edit", "ours", "--rename", "Our paper").returncode == 0
    done = run("discover", "articles", f"{ours.base}/1", **OPEN)

    assert (done.returncode, "articles of Our paper" in done.stderr, server.asked) == (1, True, [])


def test_a_file_with_a_mistake_is_named_without_its_keys(run: Run, home: Path) -> None:
    home.mkdir()
    (home / FILE_NAME).write_text('[services.b]\nkind = "brave"\nkey = "geheim-0123"\nprize = 1\n')

    done = run("discover")

    assert (done.returncode, "“prize” is unknown" in done.stderr, "geheim" in done.stderr) == (1, True, False)


def test_contacts_are_looked_for_by_the_command_and_by_the_worker(
    run: Run, server: SearchServer, engine: Engine, clean_database_url: str, home: Path
) -> None:
    """Here for the program and the server that this module has running."""
    host = server.base.removeprefix("http://")
    desk = {"roles": ["abuse"], "vcardArray": ["vcard", [["email", {}, "text", "abuse@hosting-co.com"]]]}
    networks = {"services": [[["127.0.0.0/8"], [f"{server.base}/rdap/"]]]}
    server.answer = Scripted(body=FRONT.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
    server.by_text = {
        "/robots.txt": Scripted(status=404),
        "/rdap/ip/": Scripted(body=json.dumps({"objectClassName": "ip network", "entities": [desk]}).encode()),
        "/rdap/ipv4.json": Scripted(body=json.dumps(networks).encode()),
        "/rdap/": Scripted(body=b'{"services": []}'),
    }
    where = {"ZHIWEN_RDAP_BOOTSTRAP": f"{server.base}/rdap/", "ZHIWEN_WHOIS_SERVER": "127.0.0.1:9"}

    done = run("contact", server.base, "--json", **OPEN, **where)

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {(one["value"], one["source"]) for one in found["proposals"]} == {
        ("legal@copier-news.com", "site"),
        ("abuse@hosting-co.com", "rdap-address"),
    }
    assert {path.name for path in (home / "rdap").iterdir()} == {"dns.json", "ipv4.json", "ipv6.json"}
    asked = len(server.asked)
    with transaction(engine) as session:
        assert len(contacts.contacts_of(session, [host])) == 2
        assert searches.ask_for_contacts(session, host, asked_by="lin")

    settings = load_settings({"ZHIWEN_HOME": str(home), **OPEN, **where})
    Jobs(settings, engine, clean_database_url).contacts()

    with transaction(engine) as session:
        last = searches.last_ended(session, host)
        assert last is not None
        assert last.asked_by == "lin"
        assert not searches.is_waiting(session)
    # The tables are kept: only the page, its robots.txt and the network are asked again.
    assert {one.target for one in server.asked[asked:]} <= {"/", "/robots.txt", "/rdap/ip/127.0.0.1"}
    assert run("contact", "http://", **OPEN).returncode == 1


def test_tables_of_rdap_servers_that_cannot_be_read_leave_the_kept_ones(tmp_path: Path) -> None:
    table = b'{"services": [[["kept"], ["https://kept-registry.com/"]]]}'
    served = {f"https://tables.example/{name}": table for name in (DOMAINS, *ADDRESSES)}
    served |= {f"https://tables.example/{name}": b'{"services": []}' for name in ADDRESSES}

    assert kept_bootstrap(tmp_path, "https://tables.example", lambda _: None) == built_in()
    first = kept_bootstrap(tmp_path, "https://tables.example/", served.get)
    assert first.domain_server("a.kept") == "https://kept-registry.com/"
    for path in (tmp_path / "rdap").iterdir():
        os.utime(path, (0, 0))
    assert kept_bootstrap(tmp_path, "https://tables.example", lambda _: b"broken") == first
    assert kept_bootstrap(tmp_path, "https://tables.example", lambda _: None) == first
    (tmp_path / "rdap" / DOMAINS).write_bytes(b"broken")
    assert kept_bootstrap(tmp_path, "https://tables.example", lambda _: None) == built_in()
