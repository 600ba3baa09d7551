"""Search services and rules of sites at the desk: set up with consent, keys never shown, tried with one query."""

import stat
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from admin.web.services import Services
from crawler.web_search.budget import Budget
from crawler.web_search.declared import Declared, DeclaredRule, DeclaredService, ServiceKind
from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.engine import transaction
from storage.sites import sites
from storage.types import AccountRole, SiteRole
from storage.web_search import queries
from tests.support.desk_client import add_person, app_with, csrf_token, let_in
from tests.support.factories import a_site
from tests.support.web_search.search_server import Scripted, SearchServer, search_server
from zhiwen.web_search import plan_edits
from zhiwen.web_search.desk import SearchServicesOf

KEY = "geheim-0123456789"
ADD, EDIT, SERVICES = "/discovery/services/add", "/discovery/services/edit", "/discovery/services"
RULES = "/discovery/rules/edit"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "search_services.toml"


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        yield found


def browser(engine: Engine, path: Path, role: AccountRole = AccountRole.ADMINISTRATOR) -> FlaskClient:
    search = SearchServicesOf(engine, path, ZoneInfo("Asia/Shanghai"))
    client = app_with(Services(engine=engine, secret_key="for tests", language="en", search=search)).test_client()
    add_person(engine, role=role, name=role)
    let_in(client, name=role)
    return client


@pytest.fixture
def chief(engine: Engine, path: Path) -> FlaskClient:
    return browser(engine, path)


def send(client: FlaskClient, path: str, **form: str) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})


def declared(path: Path) -> Declared:
    return plan_edits.declared_in(path, is_named=False)


def noted(engine: Engine) -> list[str]:
    with transaction(engine) as session:
        return [f"{event.act} {event.subject} {event.detail}" for event in audit_log.list_events(
            session, AuditFilter(), limit=20) if event.act.startswith("service.")]  # fmt: skip


def test_before_anything_is_sent_the_desk_says_what_leaves_and_asks(chief: FlaskClient, path: Path) -> None:
    assert "Discovery is off" in chief.get("/discovery").text
    assert "What leaves this machine" in chief.get(SERVICES).text
    assert "What leaves this machine" in chief.get(f"{ADD}?kind=brave").text

    form = {"kind": "brave", "name": "brave", "key": KEY, "queries_a_month": "2000", "price": "0,005"}
    refused = send(chief, ADD, **form)
    assert refused.status_code == 400
    assert "tick that you agree" in refused.text
    assert KEY not in refused.text
    assert not path.exists()

    assert send(chief, ADD, **form, consent="1").status_code == 302
    (service,) = declared(path).services
    assert service == DeclaredService(
        "brave", ServiceKind.BRAVE, has_key=True, price=0.005, budget=Budget(None, 2_000, None)
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_key_is_never_shown_and_stays_unless_another_is_entered(
    engine: Engine, chief: FlaskClient, path: Path
) -> None:
    send(chief, ADD, kind="searxng", name="own", url="http://10.0.0.5:8888/", key=KEY, consent="1")
    pages = [chief.get(SERVICES).text, chief.get(f"{EDIT}?name=own").text]
    assert (
        send(chief, EDIT, before="own", name="ours", url="http://10.0.0.5:8888/x", queries_a_day="0").status_code == 302
    )
    pages.append(chief.get(SERVICES).text)

    (service,) = declared(path).services
    assert (service.name, service.has_key, service.budget.queries_a_day) == ("ours", True, 0)
    assert f'key = "{KEY}"' in path.read_text()
    assert not any(KEY in page for page in (*pages, *noted(engine)))
    assert [one.split()[0] for one in noted(engine)] == ["service.edit", "service.add"]


@pytest.mark.parametrize("url", ["http://10.0.0.6:8888/", "http://10.0.0.5:8889/", "https://10.0.0.5:8888/"])
def test_a_key_does_not_follow_its_service_to_another_host(chief: FlaskClient, path: Path, url: str) -> None:
    send(chief, ADD, kind="searxng", name="own", url="http://10.0.0.5:8888/", key=KEY, consent="1")
    before = path.read_bytes()

    refused = send(chief, EDIT, before="own", name="own", url=url)
    assert refused.status_code == 400
    assert "enter the key again" in refused.text
    assert path.read_bytes() == before
    assert send(chief, EDIT, before="own", name="own", url=url, key="another").status_code == 302


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"kind": "searxng", "name": "", "url": "http://x/"}, "1 to 40"),
        ({"kind": "searxng", "name": "a\u202eb", "url": "http://x/"}, "1 to 40"),
        ({"kind": "searxng", "name": "a", "url": "javascript:alert(1)"}, "not a web address"),
        ({"kind": "searxng", "name": "a", "url": "http://x:99999/"}, "not a web address"),
        ({"kind": "searxng", "name": "a", "url": "http://["}, "not a web address"),
        ({"kind": "searxng", "name": "a", "url": f"http://me:{KEY}@x/"}, "Leave user name and password out"),
        ({"kind": "brave", "name": "a"}, "Enter the key"),
        ({"kind": "brave", "name": "a", "key": "ключ"}, "contains invalid characters"),
        ({"kind": "json", "name": "a", "url": "https://x.example/"}, "{phrase}"),
        ({"kind": "feed", "name": "a", "url": "https://{phrase}.example/"}, "{phrase}"),
        ({"kind": "json", "name": "a", "url": "https://x.example/?q={phrase}", "key_header": "a: b"}, "header"),
        ({"kind": "infini-gram", "name": "a"}, "Enter the index"),
        ({"kind": "searxng", "name": "a", "url": "http://x/", "queries_a_day": "-1"}, "whole number"),
        ({"kind": "searxng", "name": "a", "url": "http://x/", "queries_a_month": "9" * 300}, "whole number"),
        ({"kind": "searxng", "name": "a", "url": "http://x/", "money_a_month": "nan"}, "amount must be a number"),
        ({"kind": "searxng", "name": "a", "url": "http://x/", "price": "1e99"}, "amount must be a number"),
    ],
)
def test_a_mistake_is_named_and_nothing_is_saved(
    chief: FlaskClient, path: Path, form: dict[str, str], words: str
) -> None:
    refused = send(chief, ADD, **form, consent="1")
    assert (refused.status_code, words in refused.text.replace("&#39;", "'")) == (400, True)
    assert not path.exists()


def test_names_with_marks_of_toml_and_html_are_only_names(chief: FlaskClient, path: Path) -> None:
    name = '"]\\ <b>x</b>'
    send(chief, ADD, kind="feed", name=name, url="https://x.example/{phrase}", consent="1")

    assert declared(path).services[0].name == name
    page = chief.get(SERVICES).text
    assert "<b>x</b>" not in page
    assert send(chief, f"{SERVICES}/remove", name=name).status_code == 302
    assert declared(path).services == ()
    assert send(chief, f"{SERVICES}/remove", name=name).status_code == 404


def test_services_are_asked_in_their_order_or_all_of_them(chief: FlaskClient, path: Path) -> None:
    for name in ("a", "b"):
        send(chief, ADD, kind="searxng", name=name, url=f"http://{name}/", consent="1")
    assert send(chief, ADD, kind="searxng", name="a", url="http://c/", consent="1").status_code == 409
    send(chief, f"{SERVICES}/first", name="b")
    send(chief, f"{SERVICES}/all", asks_all="1")

    assert [one.name for one in declared(path).services] == ["b", "a"]
    assert declared(path).asks_all


def test_a_phrase_is_tried_booked_and_shown_as_text(chief: FlaskClient, server: SearchServer, path: Path) -> None:
    send(chief, ADD, kind="searxng", name="own", url=server.base, consent="1")
    title = "<script>alert(1)</script>\u202eevil"
    server.says({"results": [{"url": "https://b.example/1?x=<i>", "title": title, "content": "s"}, {"url": "ftp:x"}]})

    page = send(chief, f"{SERVICES}/try", name="own", phrase="不识庐山真面目").text

    assert "Results: 1." in page
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "b.example" in page
    assert 'href="https://b.example' not in page
    assert "今天" not in page
    assert "不识庐山真面目" in chief.get("/discovery/queries").text
    assert len(server.asked) == 1


def test_a_service_that_fails_says_why_and_rests_until_it_is_mended(
    engine: Engine, chief: FlaskClient, server: SearchServer, path: Path
) -> None:
    send(chief, ADD, kind="searxng", name="own", url=server.base, key=KEY, consent="1")
    server.answer = Scripted(status=403, body=KEY.encode())

    page = send(chief, f"{SERVICES}/try", name="own", phrase="x").text
    assert "key refused" in page
    assert KEY not in page
    assert "paused" in chief.get(SERVICES).text

    send(chief, EDIT, before="own", name="own", url=server.base, key="right")
    assert "paused" not in chief.get(SERVICES).text
    with transaction(engine) as session:
        assert queries.rests(session) == {}


@pytest.mark.parametrize("phrase", ["", "x" * 81])
def test_a_phrase_of_no_use_is_not_sent(chief: FlaskClient, server: SearchServer, phrase: str) -> None:
    send(chief, ADD, kind="searxng", name="own", url=server.base, consent="1")
    assert send(chief, f"{SERVICES}/try", name="own", phrase=phrase).status_code == 400
    assert send(chief, f"{SERVICES}/try", name="none", phrase="y").status_code == 404
    assert server.asked == []


def test_a_budget_that_is_used_up_is_shown_and_not_exceeded(chief: FlaskClient, server: SearchServer) -> None:
    send(chief, ADD, kind="searxng", name="own", url=server.base, queries_a_day="0", consent="1")
    assert "used up" in chief.get(SERVICES).text
    assert "Not queried" in send(chief, f"{SERVICES}/try", name="own", phrase="y").text
    assert server.asked == []


def test_a_file_with_a_mistake_is_named_and_not_written(chief: FlaskClient, path: Path) -> None:
    path.write_text("unknown = 3\n")
    for address in ("/discovery", SERVICES, "/discovery/rules"):
        assert "is unknown" in chief.get(address).text
    assert send(chief, ADD, kind="searxng", name="a", url="http://x/", consent="1").status_code == 409
    assert path.read_text() == "unknown = 3\n"


def test_a_lead_sees_services_and_changes_rules_only(engine: Engine, path: Path) -> None:
    chief = browser(engine, path)
    send(chief, ADD, kind="searxng", name="own", url="http://x/", consent="1")
    lead = browser(engine, path, AccountRole.MANAGER)
    reviewer = browser(engine, path, AccountRole.REVIEWER)

    assert "own" in lead.get(SERVICES).text
    assert "Search (one query)" not in lead.get(SERVICES).text
    assert lead.get(f"{EDIT}?name=own").status_code == 403
    assert send(lead, f"{SERVICES}/remove", name="own").status_code == 403
    assert lead.get("/discovery/rules").status_code == 200
    assert reviewer.get(SERVICES).status_code == reviewer.get("/discovery/rules").status_code == 403
    assert reviewer.get("/discovery").status_code == 200


def test_a_site_has_a_rule_of_its_own_or_the_general_one(engine: Engine, chief: FlaskClient, path: Path) -> None:
    with transaction(engine) as session:
        a_site(session, "我们的报纸", role=SiteRole.ORIGINAL, host="ours.example")
        a_site(session, "theirs")
    send(chief, RULES, site="default", days="0，7", money_a_month="5")
    send(chief, RULES, site="我们的报纸", days="30 1 1", is_dear="1", queries_a_day="50")

    assert declared(path).rules == (
        DeclaredRule("default", (0, 7), budget=Budget(None, None, 5.0)),
        DeclaredRule("我们的报纸", (1, 30), True, Budget(50, None, None)),
    )
    page = chief.get("/discovery/rules").text
    assert "on days 1, 30" in page
    assert "theirs" not in page
    assert chief.get(f"{RULES}?site=theirs").status_code == 404
    assert send(chief, RULES, site="我们的报纸", do="remove").status_code == 302
    assert [rule.site for rule in declared(path).rules] == ["default"]
    assert "0, 7" in chief.get(f"{RULES}?site=我们的报纸").text
    assert send(chief, RULES, site="我们的报纸", days="").status_code == 302
    assert declared(path).rules[1].days == ()


def test_the_rule_of_a_site_follows_its_new_name_or_the_name_stays(
    engine: Engine, chief: FlaskClient, path: Path
) -> None:
    with transaction(engine) as session:
        site = a_site(session, "ours", host="ours.example", role=SiteRole.ORIGINAL)
    plan_edits.save_rule(path, DeclaredRule("ours", ()))
    form = {"start_urls": "https://ours.example/", "hosts": "ours.example", "role": "original", "rights": "own"}
    form |= {"delay_s": "1", "page_budget": "500", "megabytes": "20", "time_zone": "Asia/Shanghai"}

    assert send(chief, f"/sites/{site.id}/edit", **form, name="Our paper").status_code == 302
    assert declared(path).rules == (DeclaredRule("Our paper", ()),)

    path.write_text("sites = 1\n")
    refused = send(chief, f"/sites/{site.id}/edit", **form, name="Their paper")
    assert (refused.status_code, path.name in refused.text) == (409, True)
    with transaction(engine) as session:
        assert [one.name for one in sites.list_sites(session)] == ["Our paper"]


@pytest.mark.parametrize("days", ["x", "-1", "4000", "1.5", "٣", " ".join(map(str, range(30)))])
def test_days_that_are_none_are_named(engine: Engine, chief: FlaskClient, path: Path, days: str) -> None:
    assert send(chief, RULES, site="default", days=days).status_code == 400
    assert not path.exists()


def test_a_desk_without_search_services_says_so(engine: Engine) -> None:
    client = app_with(Services(engine=engine, secret_key="for tests", language="en")).test_client()
    add_person(engine, role=AccountRole.ADMINISTRATOR, name="chief")
    let_in(client, name="chief")
    assert "started without search services" in client.get(SERVICES).text
    assert client.get(f"{ADD}?kind=brave").status_code == 404
