"""What was found, what was asked and which sites are proposed, at the desk and over the API."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, update
from werkzeug.test import TestResponse

from admin.web.services import Services
from crawler.discovery.site_preview import SamplePreview, SitePreview
from crawler.outcomes.refusals import Refusal
from storage.accounts import audit_log
from storage.accounts.api_tokens import TokenScope
from storage.accounts.audit_log import AuditFilter
from storage.engine import transaction
from storage.models.cases import Case
from storage.models.pages import Page
from storage.models.web_search import SearchFind
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import AccountRole, CaseQueue, FindState, FoundBy, SiteRole
from storage.web_search import finds
from tests.support.api_tokens import bearer, token_of
from tests.support.desk_client import add_person, app_with, csrf_token, let_in
from tests.support.web_search.searches import COPIER, IGNORED, STRANGER, fill_searches

HOSTS = "/discovery/hosts"


@dataclass
class World:
    """What the guarded fetcher would see, and what it was asked for."""

    seen: SitePreview | Refusal
    asked: list[str] = field(default_factory=list)
    jobs: list[str] = field(default_factory=list)

    def look(self, url: str) -> SitePreview | Refusal:
        self.asked.append(url)
        return self.seen

    def enqueue(self, job: str, **arguments: object) -> None:
        self.jobs.append(f"{job} {arguments.get('site')}")


@pytest.fixture
def world() -> World:
    settings = SiteSettings(
        name="stranger",
        start_urls=(f"https://{STRANGER}/",),
        hosts=(f"www.{STRANGER}",),
        sitemaps=(f"https://{STRANGER}/sitemap.xml",),
    )
    return World(SitePreview(settings, "<b>陌生</b>", (SamplePreview(f"https://{STRANGER}/1", None, "T", 900),)))


def browser(engine: Engine, world: World, role: AccountRole = AccountRole.MANAGER) -> FlaskClient:
    services = Services(
        engine=engine, secret_key="for tests", language="en", preview_site=world.look, enqueue=world.enqueue
    )
    client = app_with(services).test_client()
    add_person(engine, role=role, name=role)
    let_in(client, name=role)
    return client


@pytest.fixture
def lead(engine: Engine, world: World) -> FlaskClient:
    fill_searches(engine)
    return browser(engine, world)


def send(client: FlaskClient, path: str, **form: str) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})


def test_what_was_found_is_shown_as_text_with_its_case(lead: FlaskClient) -> None:
    page = lead.get("/discovery").text

    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "Case 1" in page
    assert "our own host" in page
    assert 'rel="noopener noreferrer nofollow"' in page
    assert STRANGER not in lead.get(f"/discovery?host={COPIER}&state=copy").text
    assert "match this filter" in lead.get("/discovery?q=none").text
    for wrong in ("state=x", "article=x", "article=99999999999999999999", "page=0", "q=%00"):
        assert lead.get(f"/discovery?{wrong}").status_code == 200


def test_what_shares_a_passage_is_no_case_and_leads_to_where_it_is_looked_at(engine: Engine, lead: FlaskClient) -> None:
    with transaction(engine) as session:
        session.execute(update(SearchFind).where(SearchFind.host == COPIER).values(state=FindState.PASSAGE))
        session.execute(update(Case).values(queue=CaseQueue.SHARED_PASSAGE))

    page = lead.get("/discovery?state=passage").text

    row = page.partition("<tbody>")[2]
    assert "shares a passage" in row
    assert 'href="/cases/1">Look at it' in row
    assert "Case 1" not in row
    assert "/cases?tab=passage" in page


def test_what_was_asked_is_shown_with_its_answer(lead: FlaskClient) -> None:
    page = lead.get("/discovery/queries").text

    assert "asks for a captcha" in page
    assert "in progress" in page
    assert "tried at the desk" in page
    assert "<b>老桥</b>" not in page
    assert "captcha" not in lead.get("/discovery/queries?outcome=answered").text.partition("<tbody>")[2]
    assert "match this filter" in lead.get("/discovery/queries?service=none").text


def test_one_click_watches_a_host_with_the_proposed_settings(engine: Engine, lead: FlaskClient, world: World) -> None:
    assert STRANGER in lead.get(HOSTS).text

    assert send(lead, f"{HOSTS}/watch", host=STRANGER).status_code == 302

    with transaction(engine) as session:
        site = sites.get_site(session, "stranger")
        assert STRANGER not in {one.host for one in finds.proposed_hosts(session, limit=9)}
        (event, *_) = audit_log.list_events(session, AuditFilter(act="host"), limit=9)
    assert (site.settings.role, site.settings.hosts) == (SiteRole.WATCHED, (f"www.{STRANGER}", STRANGER))
    assert world.asked == [f"https://{STRANGER}/"]
    assert world.jobs == ["crawl stranger"]
    assert (event.act, event.subject) == ("host.watch", STRANGER)


def test_a_look_shows_what_a_host_has_and_stores_nothing(engine: Engine, lead: FlaskClient) -> None:
    page = send(lead, f"{HOSTS}/look", host=STRANGER).text

    assert "sitemaps" in page
    assert "<b>陌生" not in page
    with transaction(engine) as session:
        assert STRANGER in {one.host for one in finds.proposed_hosts(session, limit=9)}


@pytest.mark.parametrize("act", ["look", "watch"])
def test_a_host_that_cannot_be_looked_at_says_why(lead: FlaskClient, world: World, act: str) -> None:
    world.seen = Refusal.UNREACHABLE
    answer = send(lead, f"{HOSTS}/{act}", host=STRANGER)
    assert answer.status_code == 400
    assert STRANGER in answer.text


@pytest.mark.parametrize("act", ["look", "watch", "ignore", "take-back"])
@pytest.mark.parametrize("host", ["", "127.0.0.1:22", "evil.example/../", "x" * 300, "\u202e"])
def test_only_proposed_hosts_are_acted_on(lead: FlaskClient, world: World, act: str, host: str) -> None:
    """Nobody makes the desk fetch a host by naming it."""
    assert send(lead, f"{HOSTS}/{act}", host=host).status_code == 404
    assert world.asked == []


def test_a_host_is_ignored_for_good_until_that_is_taken_back(engine: Engine, lead: FlaskClient) -> None:
    assert IGNORED in lead.get(HOSTS).text
    assert send(lead, f"{HOSTS}/ignore", host=STRANGER).status_code == 302
    with transaction(engine) as session:
        assert finds.ignored_hosts(session) == {IGNORED, STRANGER}

    assert send(lead, f"{HOSTS}/take-back", host=STRANGER).status_code == 302
    with transaction(engine) as session:
        assert finds.ignored_hosts(session) == {IGNORED}
        assert STRANGER in {one.host for one in finds.proposed_hosts(session, limit=9)}


def test_a_reviewer_sees_proposals_and_decides_nothing(engine: Engine, world: World) -> None:
    fill_searches(engine)
    reviewer = browser(engine, world, AccountRole.REVIEWER)
    page = reviewer.get(HOSTS).text
    assert STRANGER in page
    assert ">Watch<" not in page
    assert send(reviewer, f"{HOSTS}/ignore", host=STRANGER).status_code == 403


def test_programs_read_counts_finds_queries_and_proposals(engine: Engine, world: World) -> None:
    searched = fill_searches(engine)
    client = app_with(Services(engine=engine, secret_key="for tests")).test_client()
    account = add_person(engine, role=AccountRole.VIEWER)
    headers = bearer(token_of(engine, account, {TokenScope.READ}))

    def read(path: str) -> Any:
        return client.get(f"/api/v1/discovery{path}", headers=headers).json

    assert read("") == {
        "articles": 1,
        "queries": 3,
        "failed": 1,
        "money": 0.005,
        "finds": {"waiting": 1, "left-out": 1, "refused": 0, "no-copy": 1, "passage": 0, "copy": 2},
        "cases": 0,
    }
    first = read("/finds?limit=2")
    second = read(f"/finds?limit=9&cursor={first['next']}")
    assert len(first["items"] + second["items"]) == 5
    (with_case,) = [one for one in first["items"] + second["items"] if one["case_id"]]
    assert (with_case["case_id"], with_case["services"]) == (searched.case.id, ["own", "brave"])
    assert {one["state"] for one in read("/finds?state=copy")["items"]} == {"copy"}
    assert [one["service"] for one in read("/queries?service=brave")["items"]] == ["brave"]
    hosts = read("/hosts")
    assert STRANGER in {one["host"] for one in hosts["items"]}
    assert hosts["ignored"] == [IGNORED]
    assert read("/finds?state=x")["status"] == 422


def test_a_case_a_match_and_a_page_say_that_a_search_found_them(engine: Engine) -> None:
    searched = fill_searches(engine)
    with transaction(engine) as session:
        theirs = update(Page).where(Page.id == searched.case.theirs.page_id)
        session.execute(theirs.values(found_by=FoundBy.SEARCH))
    client = app_with(Services(engine=engine, secret_key="for tests")).test_client()
    account = add_person(engine, role=AccountRole.VIEWER)
    headers = bearer(token_of(engine, account, {TokenScope.READ}))

    def read(path: str) -> Any:
        return client.get(f"/api/v1/{path}", headers=headers).json

    case = read(f"cases/{searched.case.id}")
    assert [page["found_by"] for page in case["pages"]] == ["search"]
    match = read(f"matches/{searched.case.hit_id}")
    assert (match["copy"]["found_by"], match["source"]["found_by"]) == ("search", "spider")
    assert read(f"pages/{searched.case.theirs.page_id}")["found_by"] == "search"
    assert read("discovery")["cases"] == 1
